"""Two or more cards in, what rules them together out."""

from tests.makers import make_card, make_faq, make_interaction
from tests.web.conftest import Reader


def test_names_become_a_permanent_address_in_any_order(reader: Reader) -> None:
    blue, red = make_card("青き竜"), make_card("赤き竜")
    address = f"/interactions/?cards={blue.pk},{red.pk}"
    assert reader.get("/interactions/", 302, card=["赤き竜", "青き竜", ""])["Location"] == address
    assert reader.get(f"/interactions/?cards={red.pk},{blue.pk}", 302)["Location"] == address


def test_what_rules_them_together(reader: Reader) -> None:
    blue, red = make_card("青き竜"), make_card("赤き竜")
    ruling = make_faq("《青き竜》と《赤き竜》は？", "はい、どちらも残ります。", cards=[blue, red])
    interaction = make_interaction([blue, red], ruled_by=ruling)
    page = reader.page(f"/interactions/?cards={blue.pk},{red.pk}")
    assert page.select_one(".qa-question a")["href"] == f"/interactions/{interaction.pk}/"
    assert page.select_one(".qa .verdict").text == "はい"
    assert len(page.select(".qa")) == 1, "the ruling is shown once, with the interaction"


def test_no_ruling_yet(reader: Reader) -> None:
    blue, red = make_card("青き竜"), make_card("赤き竜")
    assert "まだ登録されていません" in reader.main(f"/interactions/?cards={blue.pk},{red.pk}")


def test_unclear_names_are_asked_about(reader: Reader) -> None:
    make_card("巨大設計図")
    make_card("甲／共通", faces=["甲", "共通"])
    make_card("乙／共通", faces=["乙", "共通"])
    text = reader.main("/interactions/", card=["共通", "知らない名前"])
    assert "「共通」に当たるカードがいくつかあります" in text
    assert "「知らない名前」というカードは見つかりませんでした" in text


def test_an_interaction_shows_the_ruling_and_where_it_stands(reader: Reader) -> None:
    blue, red = make_card("青き竜"), make_card("赤き竜")
    ruling = make_faq("どうなりますか？", "いいえ、残りません。", verdict="no", cards=[blue, red])
    interaction = make_interaction([blue, red], ruled_by=ruling)
    page = reader.page(f"/interactions/{interaction.pk}/")
    assert page.select_one(".answer .verdict-no")
    assert "いいえ、残りません。" in page.main.text
    assert page.select_one(".ruled-by a")["href"] == f"/faq/{ruling.pk}/"


def test_bad_cards(reader: Reader) -> None:
    for cards in ("x", "1;drop", "-1", "9" * 30):
        reader.get("/interactions/", 400, cards=cards)
    reader.get("/interactions/", 404, cards="999999")
    reader.get("/interactions/", 400, card=[f"名前{number}" for number in range(9)])
    reader.get("/interactions/999999/", 404)

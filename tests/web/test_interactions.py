"""Two or more cards in, what rules them together out."""

from rulings.models import CrossReference
from tests.makers import make_card, make_faq, make_interaction, make_section
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


def test_what_each_card_brings_is_told_apart_from_direct_answers(reader: Reader) -> None:
    blue, red = make_card("青き竜"), make_card("赤き竜")
    direct = make_faq("二枚の質問？", "いいえ。", cards=[blue, red])
    own = [make_faq("青の質問？", cards=[blue]), make_faq("赤の質問？", cards=[red])]
    common, other = make_section("202.2"), make_section("303.3")
    for faq in own:
        CrossReference.objects.create(
            revision=faq.wording, entry=common, place="listed", kind="rule", key="202.2", text="202.2"
        )
    CrossReference.objects.create(
        revision=own[0].wording, entry=other, place="listed", kind="rule", key="303.3", text="303.3"
    )
    page = reader.page("/interactions/", cards=f"{blue.pk},{red.pk}")
    together, apart = (page.select_one(f'section[aria-labelledby="{name}"]') for name in ("together", "indirect"))
    assert together is not None
    assert apart is not None
    assert direct.wording.title in together.text
    assert direct.wording.title not in apart.text
    for faq in own:
        assert faq.wording.title in apart.text
        assert faq.wording.title not in together.text
    linked = {link["href"] for link in apart.select("a")}
    assert common.get_absolute_url() in linked
    assert other.get_absolute_url() not in linked


def test_a_combination_has_one_address_in_any_order(reader: Reader) -> None:
    blue, red = make_card("青き竜"), make_card("赤き竜")
    expected = f"/interactions/?cards={blue.pk},{red.pk}"
    assert reader.get("/interactions/", 302, cards=f"{red.pk},{blue.pk}")["Location"] == expected
    response = reader.client.get("/interactions/", {"card": ["赤き竜", "青き竜"]})
    assert response["Location"] == expected

"""Cards."""

from rulings.models import CardAlias, CardFace, CrossReference, Entry
from tests.makers import make_card, make_faq, make_interaction, make_section
from tests.web.conftest import Reader


def test_faces_facts_aliases_and_namesakes(reader: Reader) -> None:
    twin = make_card("超七極／巨大設計図", faces=["超七極", "巨大設計図"], reading="ちょうしちきょく")
    CardFace.objects.filter(card=twin, position=0).update(facts={"cost": 7, "civilizations": ["水", "火"]})
    CardAlias.objects.create(card=twin, text="七極", key="七極")
    alone = make_card("巨大設計図")
    text = reader.main(f"/cards/{twin.pk}/")
    assert "超七極 文明 水／火 コスト 7" in text
    assert "別名：七極" in text
    assert "同じ名前の面を持つカード： 《巨大設計図》" in text
    assert "《超七極／巨大設計図》" in reader.main(f"/cards/{alone.pk}/")


def test_rulings_are_grouped_by_kind_and_ruleset(reader: Reader) -> None:
    blue, red = make_card("青き竜"), make_card("赤き竜")
    faq = make_faq("攻撃できますか？", cards=[blue])
    make_interaction([blue, red], ruled_by=faq)
    make_section("101.1", body="例に出る。", cards=[blue])
    page = reader.page(f"/cards/{blue.pk}/")
    titles = [" ".join(tag.get_text(" ").split()) for tag in page.select("main h2")]
    assert titles == [
        "よくある質問 総合ルール 公式",
        "ほかのカードとの裁定 総合ルール 公式",
        "規則の中の例 総合ルール 公式",
    ]


def test_a_card_costs_the_same_queries_however_many_rulings(reader: Reader, django_assert_num_queries: object) -> None:
    blue = make_card("青き竜")
    for number in range(30):
        faq = make_faq(f"質問{number}", cards=[blue])
        make_interaction([blue, make_card(f"カード{number}")], ruled_by=faq)
    with django_assert_num_queries(12):  # type: ignore[operator]
        reader.get(f"/cards/{blue.pk}/")


def test_list_by_part_of_a_name(reader: Reader) -> None:
    make_card("ボルシャック・ドラゴン")
    make_card("青き竜")
    text = reader.main("/cards/", q="ぼるしゃっく")
    assert "1枚" in text
    assert "ボルシャック・ドラゴン" in text
    assert "青き竜" not in text
    assert "当てはまるカードはありません" in reader.main("/cards/", q="ない名前")


def test_list_costs_the_same_queries_however_long(reader: Reader, django_assert_num_queries: object) -> None:
    for number in range(50):
        make_card(f"カード{number}")
    with django_assert_num_queries(4):  # type: ignore[operator]
        reader.get("/cards/")


def test_bad_addresses(reader: Reader) -> None:
    reader.get("/cards/999999/", 404)
    reader.get("/cards/", 400, game="chess")
    reader.get("/cards/", 400, page="abc")
    reader.get("/cards/", 404, page="2")


def cite(entry: Entry, rule: Entry) -> None:
    places = {"place": "listed", "kind": "rule", "key": rule.number, "text": rule.number}
    CrossReference.objects.create(revision=entry.wording, entry=rule, **places)


def test_a_card_shows_the_rules_that_its_rulings_and_its_words_rest_on(reader: Reader) -> None:
    blue = make_card("青き竜")
    blue.faces.update(facts={"type": "クリーチャー", "races": ["ドラゴン"]})
    cited, headed = make_section("202.2", body="引かれた条項。"), make_section("301", title="クリーチャー", body="")
    make_section("302", title="呪文", body="")
    cite(make_faq(cards=[blue]), cited)
    page = reader.page(f"/cards/{blue.pk}/")
    linked = {link["href"] for link in page.select("main .entry-rows a")}
    assert linked == {cited.get_absolute_url(), headed.get_absolute_url()}


def test_a_reading_stands_over_the_name(reader: Reader) -> None:
    card = make_card("青き竜", reading="あおきりゅう")
    ruby = reader.page(f"/cards/{card.pk}/").select_one("h1 ruby")
    assert ruby is not None
    assert (ruby.contents[0], ruby.rt.text) == ("青き竜", "あおきりゅう")

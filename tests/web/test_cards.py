"""Cards."""

from datetime import date

import pytest

from rulings.models import Card, CardAlias, CardFace, CrossReference, Entry, Revision, situations
from tests.makers import make_card, make_faq, make_interaction, make_ruleset, make_section
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


def titles(reader: Reader, card: Card, selector: str = "main .situation-group h2") -> list[str]:
    page = reader.page(f"/cards/{card.pk}/")
    return [" ".join(tag.get_text(" ").split()) for tag in page.select(selector)]


def test_rulings_are_grouped_by_situation_and_ruleset(reader: Reader) -> None:
    blue = make_card("青き竜")
    party = make_ruleset("dm-party", name="仲間の規則", position=2, authority="house")
    make_faq("攻撃できますか？", "はい。", cards=[blue])
    make_faq("二人で攻撃できますか？", "はい。", cards=[blue], ruleset=party)
    make_faq("ブロックできますか？", "はい。", cards=[blue])
    make_faq("雨は降りますか？", "さあ。", cards=[blue])
    shield = make_section("406", level="chapter", title="シールドゾーン", body="", sort_key="406")
    make_section("406.1", body="例に出る。", cards=[blue], parent=shield, sort_key="406.1")
    make_faq("ほかのカード", "攻撃。", cards=[make_card("赤き竜")])
    assert titles(reader, blue) == [
        "ブロック 総合ルール 公式",
        "シールド 総合ルール 公式",
        "攻撃",
        "そのほか 総合ルール 公式",
    ]
    assert titles(reader, blue, "main .group-ruleset") == ["総合ルール 公式", "仲間の規則 ハウスルール ・非公式"]


def test_a_ruling_of_two_cards_stands_once_and_its_other_card_is_named(reader: Reader) -> None:
    blue, red, green = make_card("青き竜"), make_card("赤き竜"), make_card("緑の竜")
    faq = make_faq("《青き竜》で《赤き竜》を攻撃できますか？", "ふたつの答え。", cards=[blue, red])
    make_interaction([blue, red], ruled_by=faq)
    make_interaction([blue, green], title="並べたとき", body="みっつの答え。")
    page = reader.page(f"/cards/{blue.pk}/")
    assert page.main.get_text().count("ふたつの答え。") == 1
    assert page.main.get_text().count("みっつの答え。") == 1
    named = [" ".join(row.a.get_text().split()) for row in page.select(".combinations li")]
    assert sorted(named) == ["《緑の竜》", "《赤き竜》"]


def test_as_of_a_day_the_wording_of_that_day_is_grouped(reader: Reader) -> None:
    blue = make_card("青き竜")
    faq = make_faq("攻撃できますか？", "はい。", cards=[blue], ended_on=date(2026, 1, 1))
    Revision.objects.create(entry=faq, title="ブロックできますか？", body="はい。", effective_on=date(2026, 1, 1))
    assert titles(reader, blue) == ["ブロック 総合ルール 公式"]
    page = reader.page(f"/cards/{blue.pk}/", as_of="2025-06-01")
    assert [tag.span.text for tag in page.select(".situation-group h2")] == ["攻撃"]


def test_a_card_costs_the_same_queries_however_many_rulings(reader: Reader, django_assert_num_queries: object) -> None:
    blue = make_card("青き竜")
    for number in range(30):
        faq = make_faq(f"質問{number}", cards=[blue])
        make_interaction([blue, make_card(f"カード{number}")], ruled_by=faq)
    with django_assert_num_queries(19):  # type: ignore[operator]
        reader.get(f"/cards/{blue.pk}/")


@pytest.mark.parametrize("most", [situations.MOST, 20])
def test_all_rulings_are_reached_page_by_page(reader: Reader, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(situations, "MOST", most)
    blue = make_card("青き竜")
    made = {make_faq(f"質問{number}", cards=[blue]).get_absolute_url() for number in range(70)}
    shown = set()
    for number in ("1", "2"):
        page = reader.page(f"/cards/{blue.pk}/", page=number)
        shown |= {link["href"] for link in page.select(".qa-question a")}
    assert shown == made


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


def test_rules_of_the_layout_and_of_words_in_the_text(reader: Reader) -> None:
    twin = make_card("青き竜", layout="T")
    twin.faces.update(facts={"type": "進化クリーチャー", "text": "Ｗ・ブレイカー（このクリーチャーは…）"})
    made = [make_section(str(number), title=title, body="") for number, title in enumerate(WORDS, 701)]
    linked = {link["href"] for link in reader.page(f"/cards/{twin.pk}/").select("main .entry-rows a")}
    assert linked == {section.get_absolute_url() for section in made[:-1]}


WORDS = ("クリーチャー", "進化クリーチャー", "ツインパクト", "W・ブレイカー", "呪文")


def test_a_reading_stands_over_the_name(reader: Reader) -> None:
    card = make_card("青き竜", reading="あおきりゅう")
    ruby = reader.page(f"/cards/{card.pk}/").select_one("h1 ruby")
    assert ruby is not None
    assert (ruby.contents[0], ruby.rt.text) == ("青き竜", "あおきりゅう")


def test_a_rule_without_number_and_heading_is_not_said_twice(reader: Reader) -> None:
    blue = make_card("青き竜")
    make_section("その一", level="item", title="", body="青き竜は動きません。", cards=[blue])
    assert reader.main(f"/cards/{blue.pk}/").count("青き竜は動きません。") == 1

"""A section of a ruleset, and its history."""

from datetime import date
from urllib.parse import quote

import pytest

from rulings.models import CrossReference, Revision, Status
from tests.makers import make_amendment, make_card, make_faq, make_ruleset, make_section, make_source
from tests.web.conftest import Reader


def cite(entry: object, text: str, /, **target: object) -> CrossReference:
    """Let the wording of `entry` cite `text`, which stands in its body."""
    revision = Revision.objects.get(entry=entry)
    start = revision.body.index(text)
    fields = {"place": "body", "kind": "rule", "key": text, "start": start, "end": start + len(text)}
    return CrossReference.objects.create(revision=revision, text=text, **(fields | target))


@pytest.mark.parametrize("written", ["８０５．４ａ", "805-4a", "805.4A", "805.4a."])
def test_any_writing_of_a_number_leads_to_the_canonical_address(reader: Reader, written: str) -> None:
    make_section("805.4a")
    assert reader.get(f"/dm-cr/{quote(written)}/", 301)["Location"] == "/dm-cr/805.4a/"
    assert reader.get(f"/dm-cr/{quote(written)}/history/", 301)["Location"] == "/dm-cr/805.4a/history/"


def test_a_japanese_slug_is_an_address(reader: Reader) -> None:
    make_section("効果の処理", level="heading", title="効果の処理")
    assert "効果の処理" in reader.main(f"/dm-cr/{quote('効果の処理')}/")


def test_text_shape_examples_and_place_in_the_book(reader: Reader) -> None:
    chapter = make_section("101", level="chapter", title="法則", body="", sort_key="101")
    make_section("101.1", parent=chapter, sort_key="101.1", title="前の条")
    rule = make_section(
        "101.2",
        parent=chapter,
        sort_key="101.2",
        body="まず。\n• 一\n  • 一の一\n名称\t時期\n甲\t乙",
        examples=[{"label": "例１", "text": "たとえば。"}],
    )
    make_section("101.2a", level="subrule", parent=rule, sort_key="101.2a", body="細則。")
    make_section("101.3", parent=chapter, sort_key="101.3", title="次の条")
    page = reader.page("/dm-cr/101.2/")
    assert page.select_one(".prose-main ul ul li").text == "一の一"
    assert [cell.text for cell in page.select(".prose-main th")] == ["名称", "時期"]
    assert page.select_one(".example").get_text(" ", strip=True) == "例１ たとえば。"
    assert [link["href"] for link in page.select(".breadcrumbs a")][1:] == ["/dm-cr/", "/dm-cr/101/"]
    assert page.select_one(".below .rule")["id"] == "s-101.2a"
    assert page.select_one("a[rel=prev]")["href"] == "/dm-cr/101.1/"
    assert page.select_one("a[rel=next]")["href"] == "/dm-cr/101.3/"


def test_citations_are_links_and_unresolved_ones_say_so(reader: Reader) -> None:
    card = make_card("青き竜")
    target = make_section("301.5")
    entry = make_section("101.1", body="301.5 と 999.9 と《青き竜》を見る。")
    cite(entry, "301.5", entry=target)
    cite(entry, "999.9")
    cite(entry, "《青き竜》", kind="card", card=card)
    page = reader.page("/dm-cr/101.1/")
    assert page.select_one(".prose-main a.cite-rule")["href"] == "/dm-cr/301.5/"
    assert page.select_one(".prose-main a.cite-card")["href"] == f"/cards/{card.pk}/"
    unknown = page.select_one(".prose-main .cite-unknown")
    assert (unknown.text, unknown["title"]) == ("999.9", "この規則はまだ登録されていません")
    assert not unknown.find_parent("a")


def test_a_text_is_never_markup(reader: Reader) -> None:
    entry = make_section("101.1", title="<b>題</b>", body="<script>alert(1)</script> 301.5 <i>")
    cite(entry, "301.5")
    page = reader.page("/dm-cr/101.1/")
    assert not page.select("main script, main b, main i")
    assert "<script>alert(1)</script>" in page.main.text


def test_backlinks(reader: Reader) -> None:
    target = make_section("301.5")
    cite(make_faq("使えますか？", "301.5 によります。"), "301.5", entry=target)
    assert "この条項を引く項目 1件 使えますか？ はい" in " ".join(
        reader.page("/dm-cr/301.5/").aside.get_text(" ").split()
    )


def test_source_lines(reader: Reader) -> None:
    source = make_source(title="規則の本", text="一\n二\n三\n四", published_on=date(2025, 12, 17))
    make_section("101.1", source=source, lines=[[2, 3]])
    text = " ".join(reader.page("/dm-cr/101.1/").select_one(".source").get_text(" ").split())
    assert "規則の本" in text
    assert "2025年12月17日" in text
    assert "2〜3行目 二 三" in text


def test_a_deleted_section_is_a_tombstone_with_its_successor(reader: Reader) -> None:
    successor = make_section("703.4m")
    entry = make_section(
        "117.2",
        body="最後の文。",
        ended_on=date(2026, 2, 13),
        status=Status.SUPERSEDED,
        status_on=date(2026, 2, 13),
        status_reason="703.4m追加に伴い、項目削除",
        superseded_by=successor,
    )
    Revision.objects.create(entry=entry, number="117.2", event="deleted", effective_on=date(2026, 2, 13))
    page = reader.page("/dm-cr/117.2/")
    text = " ".join(page.main.get_text(" ").split())
    assert "差し替え済み 2026年2月13日 703.4m追加に伴い、項目削除" in text
    assert "最後の文。" in text
    assert page.select_one(".banner a")["href"] == "/dm-cr/703.4m/"


def test_a_doubtful_section_says_why(reader: Reader) -> None:
    make_section("101.1", status=Status.NEEDS_REVIEW, status_reason="引いている規則が変わりました。")
    assert "要確認 引いている規則が変わりました。" in reader.main("/dm-cr/101.1/")


def test_a_number_printed_twice_is_shown_as_printed(reader: Reader) -> None:
    make_section("311.2")
    make_section("311.2~2", sort_key="311.2~2")
    page = reader.page("/dm-cr/311.2~2/")
    assert page.select_one("h1 .number").text == "311.2"
    assert "2回以上印刷されています" in page.main.text


def test_an_overlay_is_named(reader: Reader) -> None:
    make_section("101.1")
    make_ruleset("dm-party", name="パーティー", base=make_ruleset())
    assert "パーティー" in reader.page("/dm-cr/101.1/").aside.text


def test_an_unknown_number_shows_its_neighbours_and_never_another_ruleset_as_an_answer(reader: Reader) -> None:
    make_section("305.1", sort_key="305.1", body="隣の条。")
    party = make_ruleset("dm-party", name="パーティー")
    make_section("305.2", ruleset=party, body="別の規則。")
    text = reader.main("/dm-cr/305.2/", 404)
    assert "総合ルールに「305.2」はありません" in text
    assert "近い番号の条項 305.1 隣の条。" in text
    assert "ほかの規則集の 305.2（別の規則です） 305.2 別の規則。 パーティー" in text


@pytest.mark.parametrize(
    "number", ["%00", "あ" * 500, "%F0%9F%82%A1", "'; drop table", "..%2F..", "99999999999999999999.1"]
)
def test_hostile_numbers(reader: Reader, number: str) -> None:
    make_section("101.1")
    response = reader.client.get(f"/dm-cr/{number}/")
    assert response.status_code in (400, 404)


def test_history_is_newest_first(reader: Reader) -> None:
    amendment = make_amendment(title="二月の改定")
    entry = make_section("101.1", body="古い文。", effective_on=date(2025, 1, 1), ended_on=date(2026, 2, 13))
    fields = {"number": "101.1", "event": "edited", "effective_on": date(2026, 2, 13), "amendment": amendment}
    Revision.objects.create(entry=entry, body="新しい文。", **fields)
    text = reader.main("/dm-cr/101.1/history/")
    edited, added = "変更 2026年2月13日 二月の改定", "追加 2025年1月1日 〜 2026年2月13日 古い文。"
    assert text.index(edited) < text.index("新しい文。") < text.index(added)


def test_a_chapter_costs_the_same_queries_however_long(reader: Reader, django_assert_num_queries: object) -> None:
    chapter = make_section("101", level="chapter", title="法則", body="", sort_key="101")
    for number in range(1, 40):
        rule = make_section(f"101.{number}", parent=chapter, sort_key=f"101.{number:04}", body="999.9 を見る。")
        cite(rule, "999.9", entry=chapter)
    with django_assert_num_queries(22):  # type: ignore[operator]
        reader.get("/dm-cr/101/")


def test_questions_under_a_heading_cost_the_same_queries_however_many(
    reader: Reader, django_assert_num_queries: object
) -> None:
    heading = make_section("qa", level="heading", title="よくある質問", body="")
    for number in range(20):
        cite(make_faq(f"質問{number}", "999.9 によります。", parent=heading), "999.9")
    with django_assert_num_queries(18):  # type: ignore[operator]
        reader.get("/dm-cr/qa/")


def test_a_chapter_counts_what_cites_its_rules(reader: Reader) -> None:
    chapter = make_section("101", level="chapter", title="法則", body="", sort_key="101")
    rule = make_section("101.1", parent=chapter, sort_key="101.1")
    cite(make_faq("使えますか？", "101.1 によります。"), "101.1", entry=rule)
    ended = make_faq("昔は？", "101.1 によりました。", status=Status.WITHDRAWN, status_reason="古い")
    cite(ended, "101.1", entry=rule)
    link = reader.page("/dm-cr/101/").select_one("#s-101\\.1 .cited-by a")
    assert link.text == "この条項を引く項目 1件"
    assert link["href"] == "/dm-cr/101.1/#backlinks-title"


def test_one_number_two_rules_two_histories(reader: Reader) -> None:
    """814 was one rule, which stands at 816 now, and is another."""
    first = make_section("816", title="ハイパーモード", body="", effective_on=date(2026, 1, 1), event="moved")
    Revision.objects.create(
        entry=first, number="814", title="ハイパーモード", effective_on=date(2024, 4, 1), ended_on=date(2026, 1, 1)
    )
    make_section("814", title="キング・セル", body="", effective_on=date(2026, 1, 1))
    text = reader.main("/dm-cr/814/history/")
    assert "これまでに2つの条項に使われました" in text
    assert text.index("いまの 814") < text.index("以前の 814（いまは 816）")
    assert "814 → 816" in text
    assert "2つの条項" not in reader.main("/dm-cr/816/history/")


def test_each_step_shows_what_changed(reader: Reader) -> None:
    entry = make_section("101.1", body="山札を一枚見る。", effective_on=date(2025, 1, 1), ended_on=date(2026, 1, 1))
    Revision.objects.create(
        entry=entry, number="101.1", event="edited", body="山札を二枚見る。", effective_on=date(2026, 1, 1)
    )
    page = reader.page("/dm-cr/101.1/history/")
    marked = [(tag.name, tag.text) for tag in page.select(".word-diff del, .word-diff ins")]
    assert marked == [("del", "一枚見"), ("ins", "二枚見")]


def overlay_notes(reader: Reader, address: str, /, **parameters: object) -> list[str]:
    return [
        " ".join(note.get_text(" ").split()) for note in reader.page(address, 200, **parameters).select(".overlay-note")
    ]


def test_a_rule_says_where_a_format_changes_it(reader: Reader) -> None:
    rule = make_section("101.1", body="先攻は引きません。", sort_key="1")
    base = make_ruleset("dm-cr")
    party = make_ruleset("dm-party", name="多人数戦", base=base)
    house = make_ruleset("dm-house", name="我が家", base=base, authority="house")
    apart = make_ruleset("ygo-x", name="別の規則集")
    for book, number in ((party, "a"), (house, "b"), (apart, "c"), (base, "200.1")):
        said = make_section(
            number, ruleset=book, title=f"{book.name}では", body="101.1と違い、引きます。", sort_key=number
        )
        cite(said, "101.1", entry=rule)
    assert overlay_notes(reader, "/dm-cr/101.1/") == [
        "多人数戦 公式 多人数戦では",
        "我が家 ハウスルール ・非公式 我が家では",
    ]
    linked = reader.page("/dm-cr/101.1/").select_one(".overlay-note > a")
    assert linked["href"] == "/dm-party/a/"


def test_an_overlay_that_ended_or_has_not_begun_is_no_note(reader: Reader) -> None:
    rule = make_section("101.1", body="引きません。", effective_on=date(2020, 1, 1))
    party = make_ruleset("dm-party", name="多人数戦", base=make_ruleset("dm-cr"))
    said = make_section("a", ruleset=party, body="101.1と違い、引きます。", effective_on=date(2025, 1, 1))
    cite(said, "101.1", entry=rule)
    assert len(overlay_notes(reader, "/dm-cr/101.1/")) == 1
    assert overlay_notes(reader, "/dm-cr/101.1/", as_of="2024-06-01") == []
    said.status, said.status_reason = Status.WITHDRAWN, "廃止"
    said.save()
    assert overlay_notes(reader, "/dm-cr/101.1/") == []

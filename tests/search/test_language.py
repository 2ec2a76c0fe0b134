"""The query language: how a query is taken apart, and what it finds."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.models import Status
from rulings.search import SearchPage, SearchRequest, search, searching
from rulings.search.language import MAX_TOKENS, Node, read_range, take_apart
from rulings.text.fold import squeeze
from tests.makers import make_card, make_faq, make_ruleset, make_section


def said(node: Node | None) -> str:
    """Write a condition with all its brackets."""
    if node is None:
        return ""
    if node.kind == "has":
        return node.raw
    if node.kind == "not":
        return f"!{said(node.parts[0])}"
    return "(" + {"and": "&", "or": "|"}[node.kind].join(map(said, node.parts)) + ")"


@pytest.mark.parametrize(
    ("query", "text", "condition"),
    [
        ("追加ターンは誰のターン？", "追加ターンは誰のターン？", ""),
        ("ボルシャック・ドラゴン (新)", "ボルシャック・ドラゴン (新)", ""),
        ("A-1 召喚", "A-1 召喚", ""),
        ("-1000", "-1000", ""),
        ("リスト: 召喚", "リスト: 召喚", ""),
        ("ANDROID OR", "ANDROID", "ANDROID"),
        ("召喚 -進化", "召喚", "!進化"),
        ('"追加ターン" 得る', "追加ターン 得る", "追加ターン"),
        ("“追加ターン” 得る", "追加ターン 得る", "追加ターン"),
        ('召喚 -"進化クリーチャー"', "召喚", "!進化クリーチャー"),
        ("a OR b AND c", "a b c", "(a|(b&c))"),
        ("(a OR b) c", "a b c", "((a|b)&c)"),
        ("a AND NOT (b OR c)", "a", "(a&!(b|c))"),
        ("NOT NOT a OR b", "a b", "(!!a|b)"),
        ("((a OR b", "a b", "(a|b)"),
        ("a OR b))", "a b", "(a|b)"),
        ("a OR OR b", "a b", "(a|b)"),
    ],
)
def test_a_query_is_taken_apart(query: str, text: str, condition: str) -> None:
    asked = take_apart(query)
    if query != "NOT NOT a OR b":  # what is denied twice is not asked for in words
        assert asked.text == text
    assert said(asked.condition) == condition


@pytest.mark.parametrize("query", ["((a OR b", "a OR b))", "a OR OR b", "NOT OR a", 'AND "" OR'])
def test_what_does_not_fit_is_named(query: str) -> None:
    assert [warning.code for warning in take_apart(query).warnings] == ["ignored"]


def test_fields_are_taken_out() -> None:
    asked = take_apart('種類:faq 規則集:"総合 ルール" カード:ボルメテ kind:card 状態: 召喚')
    assert asked.fields == {"kind": "faq", "ruleset": "総合 ルール", "card": "ボルメテ", "status": "召喚"}
    assert [warning.code for warning in asked.warnings] == ["ignored"]


def test_many_conditions_are_cut_and_said_so() -> None:
    asked = take_apart(" OR ".join(["火"] * MAX_TOKENS))
    assert "query_cut" in [warning.code for warning in asked.warnings]
    assert asked.condition is not None
    assert len(asked.condition.parts) <= MAX_TOKENS


@given(st.text(alphabet='ab火()"- :ANDORNOT種類日付.', max_size=60))
def test_nothing_breaks_it(query: str) -> None:
    asked = take_apart(query)
    if asked.condition:
        asked.condition.holds("ab火")


@given(st.lists(st.sampled_from(["火", "水", "闇", "OR", "AND", "NOT", "(", ")"]), max_size=12), st.text("火水闇"))
def test_a_condition_means_what_it_says(tokens: list[str], text: str) -> None:
    """Against Python's own `and`, `or`, `not`, for every query that Python can read."""
    python = " ".join(
        {"OR": "or", "AND": "and", "NOT": "not"}.get(token, token if token in "()" else f"({token!r} in text)")
        for token in tokens
    )
    try:
        wanted = eval(python, {}, {"text": text})  # noqa: S307 - made of the tokens above
    except (SyntaxError, TypeError):
        return
    asked = take_apart(" ".join(tokens))
    if asked.is_exact and isinstance(wanted, bool):
        assert asked.condition is not None
        assert asked.condition.holds(text) == wanted


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        ("2025-01-01..2026-02-13", date(2025, 1, 1), date(2026, 2, 13)),
        ("2025..", date(2025, 1, 1), None),
        ("..2026-02", None, date(2026, 2, 28)),
        ("2024年2月", date(2024, 2, 1), date(2024, 2, 29)),
        ("2025", date(2025, 1, 1), date(2025, 12, 31)),
        ("2025-01-01〜2025-12", date(2025, 1, 1), date(2025, 12, 31)),
        ("令和8年2月13日", date(2026, 2, 13), date(2026, 2, 13)),
    ],
)
def test_days(value: str, first: date | None, last: date | None) -> None:
    assert read_range(value) == (first, last)


@pytest.mark.parametrize("value", ["きのう", "2025-13", "..", "2025-02-30", "0000"])
def test_what_is_no_day(value: str) -> None:
    assert read_range(value) is None


def ask(q: str, **filters: object) -> SearchPage:
    return search(SearchRequest(q=q, **filters))  # type: ignore[arg-type]


def found(q: str, **filters: object) -> set[int]:
    return {hit.entry.pk for hit in ask(q, **filters).hits if hit.entry}


@pytest.mark.django_db
class TestFinding:
    def test_operators(self) -> None:
        one = make_section("101.1", body="侵略と手札の話。").pk
        two = make_section("101.2", body="革命チェンジの話。").pk
        three = make_section("101.3", body="召喚と手札の話。").pk
        assert found("侵略 OR 革命チェンジ") == {one, two}
        assert found("(侵略 OR 召喚) AND 手札") == {one, three}
        assert found("手札 -侵略") == {three}
        assert found("手札 AND NOT 召喚") == {one}

    def test_a_phrase_must_stand_there(self) -> None:
        one = make_section("101.1", body="追加のターンを得る。").pk
        two = make_section("101.2", body="ターンを追加で得る。").pk
        assert found("ターンを得る") == {one, two}
        assert found('"ターンを得る"') == {one}

    def test_a_phrase_that_stands_nowhere_is_told(self) -> None:
        one = make_section("101.1", body="追加のターンを得る。").pk
        page = ask('"得るターン追加"')
        assert {hit.entry.pk for hit in page.hits if hit.entry} == {one}
        assert "phrase_not_found" in [warning.code for warning in page.warnings]

    def test_japanese_quotes_never_block(self) -> None:
        one = make_section("101.1", body="侵略を使う。").pk
        assert found("「侵略」はいつ使う") == {one}

    def test_fields_filter(self) -> None:
        faq = make_faq("侵略できる？", "はい、できます。", ruleset=make_ruleset("dm-party", name="デュエパーティー"))
        rule = make_section("101.1", body="侵略の話。")
        assert found("侵略 種類:よくある質問") == {faq.pk}
        assert found("侵略 kind:section") == {rule.pk}
        assert found("侵略 規則集:デュエパ") == {faq.pk}
        assert found("規則集:dm-cr") == {rule.pk}
        assert found("番号:１０１－１") == {rule.pk}

    def test_a_card_and_a_state(self) -> None:
        card = make_card("デーモン・ハンド")
        faq = make_faq("侵略できる？", "はい、できます。", cards=[card], status=Status.NEEDS_REVIEW, status_reason="x")
        make_faq("侵略とは？", "侵略のこと。")
        assert found("侵略 カード:デモハン") == {faq.pk}
        assert found("状態:要確認") == {faq.pk}

    def test_days(self) -> None:
        old = make_section("101.1", body="侵略の話。", effective_on=date(2020, 4, 1)).pk
        new = make_section("101.2", body="侵略の話。", effective_on=date(2025, 4, 1)).pk
        assert found("侵略 日付:2025") == {new}
        assert found("侵略 日付:..2024-12-31") == {old}
        assert found("date:2020-04-01..2020-04-01") == {old}

    @pytest.mark.parametrize("field", ["種類:謎", "規則集:謎", "カード:ンンンン", "番号:あ", "状態:謎", "日付:謎"])
    def test_what_cannot_be_read_is_told_and_does_not_filter(self, field: str) -> None:
        rule = make_section("101.1", body="侵略の話。").pk
        page = ask(f"侵略 {field}")
        assert {hit.entry.pk for hit in page.hits if hit.entry} == {rule}
        assert [warning.code for warning in page.warnings] == ["ignored"]

    def test_a_filter_of_the_page_wins(self) -> None:
        rule = make_section("101.1", body="侵略の話。").pk
        page = ask("侵略 種類:faq", kind="section")
        assert {hit.entry.pk for hit in page.hits if hit.entry} == {rule}
        assert [warning.code for warning in page.warnings] == ["ignored"]


def test_what_a_text_holds_is_folded() -> None:
    node = take_apart('"Ｓ・トリガー"').condition
    assert node is not None
    assert node.holds(squeeze("このｓトリガーを使う").text)


@pytest.mark.django_db
def test_a_warning_says_among_how_many_a_condition_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "FACETED", 3)
    monkeypatch.setattr(searching, "FILTERED", 4)
    monkeypatch.setattr(searching.ranking, "LOOKED_AT_TWICE", 2)
    for number in range(6):
        make_section(f"101.{number}", body="山札からカードを引く。")
    page = search(SearchRequest(q="山札 OR 墓地"))
    assert page.count == 4
    assert [one.message for one in page.warnings if one.code == "condition_cut"] == [
        "条件は、よく合うもの 4 件の中で調べました。"
    ]

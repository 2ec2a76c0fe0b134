"""Saved searches: what they find among some entries is what the search finds among all."""

import pytest

from rulings.search import SearchRequest, indexing, search
from rulings.search.saved import SavedSearchError, read_saved, tidy
from rulings.search.searching import matching
from tests.makers import make_card, make_faq, make_interaction, make_ruleset, make_section

pytestmark = pytest.mark.django_db

QUERIES = [
    "q=追加ターン",
    "q=墓地 山札&kind=faq",
    "q=101.1",
    "q=101",
    "q=青き竜",
    "q=青き竜 赤き竜",
    'q="山札を引く"',
    "q=墓地 -山札",
    "q=種類:質問",
    "q=竜&status=all",
    "q=墓地&ruleset=dm-tag",
]


def _content() -> list[int]:
    first, second = make_card("青き竜"), make_card("赤き竜")
    house = make_ruleset("dm-tag", name="タッグデュエル", authority="house")
    entries = [
        make_section("101", title="追加ターン", level="chapter"),
        make_section("101.1", body="追加ターンを得たら、山札を引く。"),
        make_section("101.2", body="墓地のカードは山札に戻せない。（101.1 参照）"),
        make_section("101.3", body="竜は墓地から出せる。", status="withdrawn", status_reason="廃止"),
        make_section("5", ruleset=house, body="墓地は共有する。"),
        make_faq("墓地から出せますか？", "山札からも出せます。", cards=[first]),
        make_faq("追加ターンに引けますか？", "引けます。", cards=[second]),
        make_interaction([first, second], title="二体の竜", body="青き竜が残ります。"),
    ]
    indexing.rebuild()
    return [entry.pk for entry in entries]


@pytest.mark.parametrize("query", QUERIES)
def test_among_some_entries_is_found_what_is_found_among_all(query: str) -> None:
    ids = _content()
    request = read_saved(query)
    page = search(SearchRequest(**{name: getattr(request, name) for name in SearchRequest.__slots__}))
    found = {hit.entry.pk for hit in page.hits if hit.entry}
    assert found
    assert set(matching(request)) == found
    for pk in ids:
        only = SearchRequest(q=request.q, kind=request.kind, ruleset=request.ruleset, status=request.status,
                             only=frozenset((pk, 10_000)))  # fmt: skip
        assert set(matching(only)) == found & {pk}


def test_a_phrase_that_nothing_holds_matches_nothing() -> None:
    _content()
    assert search(SearchRequest(q='墓地 "ない文"')).count  # a reader is shown what is near it
    assert matching(read_saved('q=墓地 "ない文"')) == []


def test_without_an_index_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    _content()

    def broken(*_args: object) -> None:
        raise indexing.IndexUnusable("broken")

    monkeypatch.setattr(indexing, "ask", broken)
    with pytest.raises(indexing.IndexUnusable):
        matching(read_saved("q=墓地"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "q がありません"),
        ("q= &kind=faq", "q がありません"),
        ("q=竜&page=2", "page"),
        ("q=竜&as_of=2020-01-01", "as_of"),
        ("q=竜&q=虎", "二度"),
        ("q=竜&kind=card", "card で指定"),
        ("q=竜&ruleset=none", "ruleset"),
        ("q=竜&card=1x", "読み取れません"),
        ("q=竜&card=0", "読み取れません"),
        ("q=%ff", "UTF-8"),
        ("q=%00", "NUL"),
        ("q=" + "竜" * 1_000, "長すぎ"),
        ("&".join(f"q{n}=1" for n in range(30)), "読み取れません"),
    ],
)
def test_what_cannot_be_kept_is_refused(text: str, message: str) -> None:
    with pytest.raises(SavedSearchError, match=message):
        read_saved(text)


def test_one_writing_for_one_search() -> None:
    make_ruleset("dm-cr")
    assert tidy("?ruleset=dm-cr&q=竜&kind=") == "q=%E7%AB%9C&ruleset=dm-cr"
    assert read_saved(tidy("ruleset=dm-cr&q=竜 虎")) == read_saved("q=竜+虎&ruleset=dm-cr")

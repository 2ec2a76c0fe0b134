"""search/: the members that others build on, whatever the engine finds."""

from datetime import date
from typing import Any

import pytest

from rulings.api import search as module
from rulings.api.search import SearchParameters
from rulings.search import Highlight, Hit, Reading, SearchPage, SearchRequest, SearchWarning
from tests.makers import make_card, make_faq, make_interaction, make_section

CONTRACT = {
    "id", "kind", "game", "ruleset", "authority", "number", "title", "body", "verdict", "cards", "status",
    "effective_on", "score", "highlights", "url",
}  # fmt: skip
EXTRA = {"examples", "superseded_by", "contradicts"}


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Stands in for the engine: remembers what it was asked and answers the hits it was given."""

    class Engine:
        asked: SearchRequest
        hits: list[Hit] = []
        warnings: list[SearchWarning] = []
        reading = Reading("words", "言葉で探しました")
        count: int | None = None

        def __call__(self, request: SearchRequest) -> SearchPage:
            self.asked = request
            count = len(self.hits) if self.count is None else self.count
            return SearchPage(count, self.reading, self.warnings, self.hits, request.page, request.page_size)

    engine = Engine()
    monkeypatch.setattr(module, "search", engine)
    return engine


def load(entry: Any) -> Any:
    return type(entry).objects.for_display().get(pk=entry.pk)


def test_every_kind_of_result_has_the_members_of_the_contract(get: Any, engine: Any) -> None:
    first, second = make_card("青き竜", faces=["青き竜", "青き門"]), make_card("赤き竜")
    faq = make_faq("攻撃できますか？", "いいえ、できません。", verdict="no", cards=[first])
    interaction = make_interaction([first, second], ruled_by=faq)
    entries = [make_section("805.4a"), faq, interaction]
    highlight = Highlight("body", "これは試験用の条項", [(3, 6)])
    engine.hits = [Hit(entry.kind, 2.5, entry=load(entry), highlights=[highlight]) for entry in entries]
    engine.hits.append(Hit("card", 1.0, card=first))

    rows = get("search/", q="竜")["results"]

    assert [set(row) for row in rows] == [CONTRACT | EXTRA] * 4
    assert [row["kind"] for row in rows] == ["section", "faq", "interaction", "card"]
    section, _faq, between, card = rows
    assert section["number"] == "805.4a"
    assert section["url"] == "http://testserver/dm-cr/805.4a/"
    assert section["highlights"] == [{"field": "body", "snippet": "これは試験用の条項", "spans": [[3, 6]]}]
    assert (between["body"], between["verdict"]) == ("いいえ、できません。", "no")
    assert {named["name"] for named in between["cards"]} == {"青き竜", "赤き竜"}
    assert (card["title"], card["ruleset"], card["cards"]) == ("青き竜", None, [{"id": first.pk, "name": "青き竜"}])


def test_filters_reach_the_search(get: Any, engine: Any) -> None:
    get(
        "search/", q="８０５．４ａ", kind="faq", game="dm", ruleset="dm-cr", card=7, status="all",
        as_of="2025-02-01", page=1, page_size=5,
    )  # fmt: skip
    assert engine.asked == SearchRequest(
        "８０５．４ａ", "faq", "dm", "dm-cr", 7, "all", date(2025, 2, 1), page=1, page_size=5, counted=False
    )


def test_how_the_query_was_read_and_what_to_know_about_it(get: Any, engine: Any) -> None:
    card = make_card("青き竜")
    engine.reading = Reading("card", "カード《青き竜》", cards=[card.pk])
    engine.warnings = [SearchWarning("query_shortened", "検索文が長いので初めの部分で探しました。")]
    answer = get("search/", q="青き竜", colour="blue")
    assert answer["reading"]["cards"] == [{"id": card.pk, "name": "青き竜"}]
    assert [warning["code"] for warning in answer["warnings"]] == ["unknown_parameter", "query_shortened"]


def test_pages(get: Any, engine: Any) -> None:
    engine.count = 45
    answer = get("search/", q="竜", page=2)
    assert answer["count"] == 45
    assert "page=3" in answer["next"]
    assert "page=1" in answer["previous"]
    assert get("search/", 404, q="竜", page=4)["code"] == "page_out_of_range"


def test_nothing_found_is_an_answer(get: Any, engine: Any) -> None:
    answer = get("search/", q="999.9z")
    assert (answer["count"], answer["results"], answer["next"]) == (0, [], None)


def test_a_wording_of_the_past(get: Any, engine: Any) -> None:
    section = make_section("101.1", body="いまの文面", effective_on=date(2026, 1, 1))
    section.revisions.update(ended_on=None)
    section.revisions.create(body="昔の文面", effective_on=date(2020, 1, 1), ended_on=date(2026, 1, 1), number="101.1")
    past = date(2021, 1, 1)
    engine.hits = [Hit("section", 1.0, entry=type(section).objects.for_display(past).get(pk=section.pk))]
    row = get("search/", q="文面", as_of="2021-01-01")["results"][0]
    assert (row["body"], row["effective_on"]) == ("昔の文面", "2020-01-01")


@pytest.mark.parametrize("many", [1, 12])
def test_queries_do_not_grow_with_the_results(
    many: int, get: Any, engine: Any, django_assert_max_num_queries: Any
) -> None:
    cards = [make_card(f"竜{number}") for number in range(many)]
    faqs = [make_faq(cards=[card]) for card in cards]
    engine.hits = [Hit("faq", 1.0, entry=entry) for entry in type(faqs[0]).objects.for_display()]
    engine.hits += [Hit("card", 1.0, card=type(card).objects.get(pk=card.pk)) for card in cards]
    with django_assert_max_num_queries(5):
        get("search/", q="竜")


def test_pages_end_where_the_search_ends(get: Any, engine: Any) -> None:
    engine.count = module.DEEPEST + 50
    last = get("search/", q="竜", page=module.DEEPEST // 100, page_size=100)
    assert (last["count"], last["next"], last["warnings"][0]["code"]) == (module.DEEPEST + 50, None, "results_cut")
    get("search/", 404, q="竜", page=module.DEEPEST // 100 + 1, page_size=100)


@pytest.mark.django_db
def test_a_result_shows_the_text_with_its_examples(get: Any, engine: Any) -> None:
    section = make_section("317.4", body="墓地から唱えます。", examples=[{"label": "例２", "text": "《青き竜》の時。"}])
    engine.hits = [Hit("section", 1.0, entry=section)]
    result = get("search/", q="317.4")["results"][0]
    assert result["body"] == "墓地から唱えます。\n例２：《青き竜》の時。"
    assert get(f"entries/{section.pk}/")["body"] == "墓地から唱えます。"


def test_a_year_narrows(get: Any, engine: Any) -> None:
    get("search/", q="竜", year=2025)
    assert engine.asked.year == 2025
    get("search/", 400, q="竜", year=0)


@pytest.mark.parametrize(
    ("address", "name"),
    [("search", "game"), ("search", "ruleset"), ("search", "card"), ("suggest", "game"), ("answer", "game"),
     ("answer", "ruleset")],
)  # fmt: skip
def test_a_name_that_nothing_bears_is_told(get: Any, address: str, name: str) -> None:
    """As in the lists: a mistyped slug must not look like a question without an answer."""
    make_section("805.4a")
    known = {"game": "dm", "ruleset": "dm-cr", "card": make_card("青き竜").pk}[name]
    for value, codes in ((known, []), ("99999", [f"unknown_{name}"])):
        warnings = get(f"{address}/", q="805.4a", **{name: value})["warnings"]
        assert [one["code"] for one in warnings if one["code"].startswith("unknown")] == codes


def test_what_one_request_asks_is_not_asked_of_the_next() -> None:
    first, second = SearchParameters(data={"q": "山札", "kind": "faq"}), SearchParameters(data={"q": "手札"})
    wrong = SearchParameters(data={"q": "墓地", "card": "竜"})
    assert first.is_valid()
    assert second.is_valid()
    assert not wrong.is_valid()
    assert first.validated_data["kind"] == "faq"
    assert "kind" not in second.validated_data
    assert list(wrong.errors) == ["card"]
    assert first.errors == second.errors == {}
    assert first.fields is second.fields  # copied once

"""What is announced is found when it is asked for, and only then; from its day on it is found like all others."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from rulings.models import Ruleset
from rulings.search import SearchRequest, indexing, search
from rulings.services import due
from rulings.services.due import settle
from rulings.services.editing import edit_entry, retract_announcement
from rulings.services.wordings import Wording
from tests.makers import make_ruleset
from tests.services.documents import amendment, at, document, load, section

pytestmark = pytest.mark.django_db
TODAY, AHEAD, LATER = date(2026, 3, 1), date(2026, 4, 1), date(2026, 5, 1)
NOW, THEN, NEW = "サイキックは超次元ゾーンに戻ります。", "サイキックは墓地に置かれます。", "墓地のセルは裏返します。"


@pytest.fixture
def travel(monkeypatch: pytest.MonkeyPatch) -> Callable[[date], None]:
    def go(day: date) -> None:
        monkeypatch.setattr(timezone, "localdate", lambda *args, **kwargs: day)
        monkeypatch.setattr(due, "_tried", None)
        settle()

    go(TODAY)
    return go


@pytest.fixture
def rules(travel: Callable[[date], None]) -> Ruleset:
    ruleset = make_ruleset("dm-cr")
    load(ruleset, document(section("117.1", NOW), section("117.9", "墓地の古い決まり。")), date(2025, 12, 1))
    records = (section("117.1", THEN), section("117.4", NEW), section("117.9", deleted=True))
    load(ruleset, amendment(*records, title="四月の改定"), AHEAD)
    indexing.catch_up()
    return ruleset


def found(q: str, **filters: Any) -> set[tuple[str, str]]:
    page = search(SearchRequest(q, **filters))
    return {(hit.entry.shown_number, hit.entry.wording.body) for hit in page.hits if hit.entry and hit.entry.wording}


def test_words_find_it_only_when_it_is_asked_for(rules: Ruleset) -> None:
    assert found("墓地") == {("117.9", "墓地の古い決まり。")}
    assert found("墓地", status="all") == {("117.9", "墓地の古い決まり。")}
    assert found("墓地", status="announced") == {("117.1", THEN), ("117.4", NEW)}
    assert found("117.1", status="announced") == {("117.1", THEN)}
    assert found("117.9", status="announced") == set()


def test_without_the_index_too(rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(query: object) -> None:
        raise indexing.IndexUnusable("no")

    monkeypatch.setattr(indexing, "ask", broken)
    assert found("墓地", status="announced") == {("117.1", THEN), ("117.4", NEW)}
    assert found("墓地") == {("117.9", "墓地の古い決まり。")}


def left_out(q: str) -> int:
    page = search(SearchRequest(q))
    assert search(SearchRequest(q, status="all")).count == page.count + page.left_out
    return page.left_out


def test_from_its_day_on_it_is_found_like_all_others(rules: Ruleset, travel: Callable[[date], None]) -> None:
    assert left_out("墓地") == 0
    travel(AHEAD)
    indexing.catch_up()
    assert found("墓地") == {("117.1", THEN), ("117.4", NEW)}
    assert left_out("墓地") == 1
    assert found("墓地", status="announced") == set()


def test_the_first_of_several_to_come(rules: Ruleset) -> None:
    edit_entry(at(rules, "117.1"), Wording(body="墓地からマナに置けます。", number="117.1"), on=LATER)
    assert found("墓地", status="announced") == {("117.1", THEN), ("117.4", NEW)}
    assert search(SearchRequest("墓地", status="announced")).count == 2
    assert found("墓地", status="announced", as_of=AHEAD) == {("117.1", "墓地からマナに置けます。")}


def test_what_was_taken_back_is_not_found(rules: Ruleset) -> None:
    coming = at(rules, "117.1").revisions.get(due_on__isnull=False)
    retract_announcement(coming, reason="延期")
    assert found("墓地", status="announced") == {("117.4", NEW)}


def test_the_api_and_the_page_say_from_when(rules: Ruleset, client: Client) -> None:
    answer = client.get("/api/v1/search/", {"q": "墓地", "status": "announced"}).json()
    assert {(row["number"], row["status"], row["effective_on"], row["body"]) for row in answer["results"]} == {
        ("117.1", "announced", str(AHEAD), THEN),
        ("117.4", "announced", str(AHEAD), NEW),
    }
    assert all(row["url"].endswith(f"?as_of={AHEAD}") for row in answer["results"])
    page = client.get("/search/", {"q": "墓地", "status": "announced"}).content.decode()
    assert "2026年4月1日" in page
    assert f"/dm-cr/117.4/?as_of={AHEAD}" in page

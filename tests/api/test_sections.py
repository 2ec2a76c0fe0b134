"""rulesets/…/sections/: by number in any writing, with children, as of a date, with history; and the differences."""

from datetime import date
from typing import Any

import pytest

from tests.makers import make_amendment, make_ruleset, make_section, make_source


@pytest.fixture
def book(db: None) -> dict[str, Any]:
    chapter = make_section("805", level="chapter", title="プレイヤー")
    rule = make_section("805.4", parent=chapter, sort_key="805.4")
    letter = make_section("805.4a", parent=rule, level="subrule", sort_key="805.4a")
    return {"chapter": chapter, "rule": rule, "letter": letter}


@pytest.mark.parametrize("number", ["805.4a", "８０５．４ａ", "805-4A", "805.4a.", " 805.4 a"])
def test_a_number_in_any_writing(get: Any, book: Any, number: str) -> None:
    assert get(f"rulesets/dm-cr/sections/{number}/")["id"] == book["letter"].pk


def test_a_japanese_slug(get: Any) -> None:
    section = make_section("勝敗-引き分け", ruleset=make_ruleset("dm-tag"), level="heading", title="引き分け")
    assert get("rulesets/dm-tag/sections/勝敗-引き分け/")["id"] == section.pk


def test_children_to_a_depth(get: Any, book: Any, django_assert_max_num_queries: Any) -> None:
    assert get("rulesets/dm-cr/sections/805/")["children"] == []
    (rule,) = get("rulesets/dm-cr/sections/805/", depth=1)["children"]
    assert (rule["number"], rule["children"]) == ("805.4", [])
    for number in range(9):
        make_section(f"805.4b{number}", parent=book["rule"], level="subrule")
    with django_assert_max_num_queries(24):
        (rule,) = get("rulesets/dm-cr/sections/805/", depth=5)["children"]
    assert rule["children"][0]["number"] == "805.4a"
    assert len(rule["children"]) == 10


def test_as_of_a_date(get: Any) -> None:
    section = make_section("1.1", body="新", effective_on=date(2026, 1, 1))
    section.revisions.create(number="1.1", body="旧", effective_on=date(2025, 1, 1), ended_on=date(2026, 1, 1))
    assert get("rulesets/dm-cr/sections/1.1/", as_of="2025-05-05")["body"] == "旧"
    assert get("rulesets/dm-cr/sections/1.1/", as_of="2026-01-01")["body"] == "新"
    before = get("rulesets/dm-cr/sections/1.1/", as_of="2020-01-01")
    assert (before["in_force"], before["body"]) == (False, "")


def test_the_section_that_stood_under_the_number(get: Any) -> None:
    moved = make_section("2.1", effective_on=date(2026, 1, 1))
    moved.revisions.create(number="1.1", body="移る前", effective_on=date(2025, 1, 1), ended_on=date(2026, 1, 1))
    newcomer = make_section("1.1", effective_on=date(2026, 1, 1))
    assert get("rulesets/dm-cr/sections/1.1/", as_of="2025-05-05")["id"] == moved.pk
    assert get("rulesets/dm-cr/sections/1.1/")["id"] == newcomer.pk


def test_history_newest_first(get: Any, django_assert_max_num_queries: Any) -> None:
    section = make_section("1.1", effective_on=date(2026, 1, 1), amendment=make_amendment(title="第二版"))
    section.revisions.create(
        number="1.1", body="旧", effective_on=date(2025, 1, 1), ended_on=date(2026, 1, 1), source=make_source()
    )
    with django_assert_max_num_queries(11):
        answer = get("rulesets/dm-cr/sections/1.1/history/")
    assert [row["effective_on"] for row in answer["results"]] == ["2026-01-01", "2025-01-01"]
    assert answer["results"][0]["amendment"]["title"] == "第二版"


def test_list_of_sections(get: Any, book: Any) -> None:
    answer = get("rulesets/dm-cr/sections/")
    assert [row["number"] for row in answer["results"]] == ["805", "805.4", "805.4a"]
    assert [row["number"] for row in get("rulesets/dm-cr/sections/", level="chapter")["results"]] == ["805"]


def test_differences_between_two_dates(get: Any) -> None:
    day = date(2026, 2, 13)
    make_section("1.1")
    make_section("1.2", effective_on=day, body="加わった")
    edited = make_section("1.3", effective_on=day, body="新しい")
    edited.revisions.create(number="1.3", body="古い", effective_on=date(2025, 1, 1), ended_on=day)
    deleted = make_section("1.4", status="withdrawn", status_reason="削除", ended_on=day)
    deleted.revisions.create(event="deleted", effective_on=day)
    parameters = {"from": "2026-01-01", "to": "2026-03-01"}
    rows = get("rulesets/dm-cr/diff/", **parameters)["results"]
    assert [(row["kind"], row["entry"]["number"]) for row in rows] == [
        ("added", "1.2"), ("edited", "1.3"), ("deleted", "1.4"),
    ]  # fmt: skip
    assert (rows[1]["old"]["body"], rows[1]["new"]["body"]) == ("古い", "新しい")
    assert (rows[0]["old"], rows[2]["new"]) == (None, None)
    assert get("rulesets/dm-cr/diff/", **{"from": "2026-02-13", "to": "2026-03-01"})["count"] == 0


def test_rulesets_and_their_contents(get: Any, book: Any, django_assert_max_num_queries: Any) -> None:
    make_ruleset("dm-party", name="デュエパーティー", base=make_ruleset("dm-cr"), position=2)
    make_amendment(title="初版")
    with django_assert_max_num_queries(4):
        rows = get("rulesets/")["results"]
    assert [(row["slug"], row["base"], row["section_count"]) for row in rows] == [
        ("dm-cr", None, 3), ("dm-party", "dm-cr", 0),
    ]  # fmt: skip
    with django_assert_max_num_queries(8):
        ruleset = get("rulesets/dm-cr/")
    assert [line["title"] for line in ruleset["contents"]] == ["プレイヤー"]
    assert ruleset["overlays"] == ["dm-party"]
    assert ruleset["latest_amendment"]["title"] == "初版"
    assert [row["slug"] for row in get("rulesets/", game="ygo")["results"]] == []

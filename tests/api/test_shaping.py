"""Lists in the shape that the asker chooses: cursor, ordering, fields, expand."""

from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from rulings.models import Change, CrossReference, Entry
from tests.makers import make_amendment, make_card, make_faq, make_section

pytestmark = pytest.mark.django_db
LISTS = ["entries/", "faqs/", "interactions/", "cards/", "amendments/", "rulesets/", "rulesets/dm-cr/sections/",
         "cards/{card}/entries/", "rulesets/dm-cr/sections/1.0/history/"]  # fmt: skip


@pytest.fixture
def content() -> dict[str, int]:
    card = make_card("青き竜")
    for number in range(7):
        make_section(f"1.{number}", cards=[card])
    make_faq(cards=[card])
    make_amendment()
    return {"card": card.pk}


def follow(get: Any, address: str, **parameters: Any) -> list[dict[str, Any]]:
    answer = get(address, **parameters)
    rows = answer["results"]
    while answer["next"]:
        answer = get(answer["next"].partition("/api/v1/")[2])
        rows += answer["results"]
    return rows


@pytest.mark.parametrize("address", LISTS)
def test_every_list_has_cursors_and_fields(get: Any, content: dict[str, int], address: str) -> None:
    address = address.format(**content)
    by_page = get(address, page_size=100)["results"]
    by_cursor = follow(get, address, cursor="", page_size=2)
    assert sorted(map(str, by_cursor)) == sorted(map(str, by_page))
    for row in get(address, fields="url,event")["results"]:
        assert set(row) <= {"id", "url", "event"}
    assert [row["id"] for row in get(address, ordering="-id")["results"] if "id" in row] == sorted(
        (row["id"] for row in by_page if "id" in row), reverse=True
    )


def test_a_cursor_neither_repeats_nor_loses_while_others_write(get: Any) -> None:
    before = [make_section(f"5.{number}") for number in range(10)]
    answer = get("entries/", cursor="", page_size=3)
    seen = [row["id"] for row in answer["results"]]
    step = 0
    while answer["next"]:
        step += 1
        make_section(f"1.{step}")  # stands before all others in the book
        moved = Entry.objects.get(pk=seen[0])  # one seen already moves behind
        moved.sort_key = f"9.{step}"
        moved.save()
        last = Entry.objects.get(pk=before[-1].pk)  # one not seen yet moves to the front
        last.sort_key = "0"
        last.save()
        answer = get(answer["next"].partition("/api/v1/")[2])
        seen += [row["id"] for row in answer["results"]]
        if step > 10:
            break
    assert len(seen) == len(set(seen))
    assert {section.pk for section in before} <= set(seen)


def test_ordering(get: Any) -> None:
    first, second = make_section("2.1"), make_section("1.1")
    with transaction.atomic():
        Change.objects.record([Change(kind="updated", entry=second), Change(kind="updated", entry=first)])
    assert [row["number"] for row in get("entries/")["results"]] == ["1.1", "2.1"]
    assert [row["number"] for row in get("entries/", ordering="-number")["results"]] == ["2.1", "1.1"]
    assert [row["number"] for row in get("entries/", ordering="-changed")["results"]] == ["2.1", "1.1"]
    assert get("entries/", 400, ordering="colour")["parameter"] == "ordering"


def test_what_is_cited_and_named_comes_along(get: Any, django_assert_max_num_queries: Any) -> None:
    card, rule = make_card("青き竜"), make_section("1.1")
    for number in range(5):
        faq = make_faq(f"質問{number}", cards=[card])
        CrossReference.objects.create(
            revision=faq.revisions.get(), place="body", start=0, end=3, kind="rule", text="1.1", key="1.1", entry=rule
        )
    with django_assert_max_num_queries(18):
        answer = get("faqs/", expand="references,cards")
    assert [row["number"] for row in answer["included"]["entries"]] == ["1.1"]
    assert [row["name"] for row in answer["included"]["cards"]] == ["青き竜"]
    assert get("faqs/", expand="cards")["included"]["entries"] == []
    assert "included" not in get("faqs/")


def test_unknown_names_are_warned_of_and_refused_when_strict(get: Any) -> None:
    make_section("1.1")
    answer = get("entries/", fields="number,colour", expand="moon")
    assert [(w["code"], w["parameter"]) for w in answer["warnings"]] == [
        ("unknown_name", "fields"), ("unknown_name", "expand"),
    ]  # fmt: skip
    assert set(answer["results"][0]) == {"id", "number"}
    assert get("entries/", 400, fields="colour", strict=1)["parameter"] == "fields"
    assert get("entries/", 400, expand="moon", strict=1)["parameter"] == "expand"
    problem = get("entries/", 400, colour="x", strict=1)
    assert (problem["code"], problem["parameter"]) == ("unknown_parameter", "colour")
    assert "colour" in problem["detail_en"]


@pytest.mark.parametrize("cursor", ["x", "%", "あ", "aWQgLTE", "aWQgOTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "aWQ", "====="])
def test_damaged_cursors_are_refused(get: Any, cursor: str) -> None:
    assert get("entries/", 400, cursor=cursor)["parameter"] == "cursor"


def test_cursors_go_with_no_page_and_no_other_order(client: Client) -> None:
    for more in ("page=1", "ordering=-id"):
        assert client.get(f"/api/v1/entries/?cursor=&{more}").status_code == 400

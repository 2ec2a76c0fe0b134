"""changes/ and amendments/: what happened."""

from datetime import date
from typing import Any

from django.db import transaction

from rulings.models import AmendmentGroup, Change
from tests.makers import make_amendment, make_card, make_ruleset, make_section, make_source


def record(**subject: Any) -> None:
    with transaction.atomic():
        Change.objects.record([Change(kind="created", **subject)])


def test_changes_in_order_and_resumable(get: Any, django_assert_max_num_queries: Any) -> None:
    section, card = make_section("101.1"), make_card()
    record(entry=section)
    record(card=card)
    for number in range(5):
        record(entry=make_section(f"2.{number}"))
    with django_assert_max_num_queries(3):
        answer = get("changes/", page_size=3)
    assert (answer["count"], answer["latest"]) == (7, 7)
    first, second = answer["results"][:2]
    assert (first["number"], first["change"], first["kind"], first["id"]) == (1, "created", "section", section.pk)
    assert first["url"] == "http://testserver/dm-cr/101.1/"
    assert first["api_url"] == f"http://testserver/api/v1/entries/{section.pk}/"
    assert (second["kind"], second["api_url"]) == ("card", f"http://testserver/api/v1/cards/{card.pk}/")
    seen = [row["number"] for row in answer["results"]]
    while answer["next"]:
        answer = get(answer["next"].partition("/api/v1/")[2])
        seen += [row["number"] for row in answer["results"]]
    assert seen == list(range(1, 8))
    assert get("changes/", since=7)["results"] == []
    assert get("changes/", 410, since=8)["code"] == "resync_required"


def test_amendments(get: Any, django_assert_max_num_queries: Any) -> None:
    old = make_amendment(title="初版", effective_on=date(2020, 1, 1), is_complete=True)
    new = make_amendment(title="2026年2月の改定", effective_on=date(2026, 2, 13), source=make_source())
    make_amendment(make_ruleset("dm-party"), title="ほか", effective_on=None)
    group = AmendmentGroup.objects.create(amendment=new, position=0, title="用語の整理", is_editorial=True)
    for number in range(6):
        section = make_section(f"1.{number}", amendment=new)
        if number:
            section.revisions.update(group=group)
    with django_assert_max_num_queries(4):
        rows = get("amendments/", ruleset="dm-cr")["results"]
    assert [(row["id"], row["change_count"]) for row in rows] == [(new.pk, 6), (old.pk, 0)]
    with django_assert_max_num_queries(10):
        answer = get(f"amendments/{new.pk}/")
    assert [(group["title"], len(group["changes"])) for group in answer["groups"]] == [("用語の整理", 5), ("", 1)]
    assert answer["groups"][0]["changes"][0]["entry"]["number"] == "1.1"
    assert answer["url"] == f"http://testserver/amendments/{new.pk}/"

"""A prepared queryset finds what the queryset itself finds."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Value
from django.test.utils import CaptureQueriesContext

from rulings.models import Card, Entry, Revision, Ruleset
from rulings.models import prepared as module
from rulings.models.prepared import Prepared
from tests.makers import make_card, make_faq, make_section

pytestmark = pytest.mark.django_db
TODAY = date(2026, 1, 5)


@pytest.fixture
def ids() -> list[int]:
    for number in range(5):
        make_section(f"10{number}.1", body=f"本文 {number}", effective_on=TODAY + timedelta(days=number - 2))
    return [*Entry.objects.order_by("-pk").values_list("pk", flat=True)]


def _entries(ids: Any) -> Any:
    return Entry.objects.filter(pk__in=ids).order_by("-sort_key")


def _wordings(ids: Any, on: date) -> Any:
    return Revision.objects.started_by(on).filter(entry__in=ids).order_by("pk")


def _rulesets(ids: Any) -> Any:
    return Ruleset.objects.select_related("game").filter(entries__in=ids).order_by("pk")


def _values(one: Any) -> dict[str, Any]:
    return {field.attname: getattr(one, field.attname) for field in one._meta.concrete_fields}


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_instances_are_those_of_the_queryset(ids: list[int], count: int) -> None:
    find, wanted = Prepared(_entries), _entries(ids[:count])
    for _ in range(2):
        found = find(ids[:count])
        assert [_values(one) for one in found] == [_values(one) for one in wanted]
        assert [(type(one), one._state.db, one._state.adding) for one in found] == [(Entry, "default", False)] * count


def test_facts_other_than_ids_are_told_apart(ids: list[int]) -> None:
    find = Prepared(_wordings)
    for on in (TODAY, TODAY + timedelta(days=9), TODAY):
        assert [_values(one) for one in find(ids, on)] == [_values(one) for one in _wordings(ids, on)]
    assert len(find(ids, TODAY)) == 3


def test_what_is_joined_is_loaded(ids: list[int], django_assert_num_queries: Any) -> None:
    find = Prepared(_rulesets)
    with django_assert_num_queries(1):
        found = find(ids)
        assert [one.game.slug for one in found] == [found[0].game.slug] * len(ids)


def test_rows_of_values(ids: list[int]) -> None:
    find = Prepared(lambda ids: _entries(ids).values_list("pk", "number", "level"))
    assert find(ids) == [*_entries(ids).values_list("pk", "number", "level")]


def test_ids_that_exist_no_more_and_ids_given_twice(ids: list[int]) -> None:
    find = Prepared(_entries)
    assert [one.pk for one in find([ids[0], ids[0], 10**9])] == [ids[0]]
    make_faq("いつ？")
    assert [one.pk for one in find(ids[:1])] == ids[:1]


def test_no_ids_cost_no_query(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert Prepared(_entries)([]) == []


def test_more_ids_than_are_prepared(ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 3)
    assert [one.pk for one in Prepared(_entries)(ids)] == [one.pk for one in _entries(ids)]


def test_only_so_many_shapes_are_kept_and_the_sql_is_built_once(ids: list[int]) -> None:
    built = []

    def build(ids: Any, on: date) -> Any:
        built.append(on)
        return _wordings(ids, on)

    find = Prepared(build)
    for day in range(module.SHAPES + 1):
        for _ in range(3):
            find(ids, TODAY + timedelta(days=day))
    assert len(built) == module.SHAPES + 1
    find(ids, TODAY)  # was kept no more
    assert len(built) == module.SHAPES + 2


def test_the_sql_is_that_of_the_queryset(ids: list[int]) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        Prepared(_entries)(ids[:2])
        list(_entries(ids[:2][::1]))
    assert queries[0]["sql"] == queries[1]["sql"]


@pytest.mark.parametrize(
    "queryset",
    [
        lambda ids: _entries(ids).annotate(one=Value(1)),
        lambda ids: _entries(ids)[:2],
        lambda ids: _entries(ids).prefetch_related("cards"),
        lambda ids: _entries(ids).values("pk"),
    ],
    ids=["annotation", "slice", "prefetching", "values"],
)
def test_what_cannot_be_prepared_says_so(ids: list[int], queryset: Any) -> None:
    with pytest.raises(TypeError):
        Prepared(queryset)(ids)


def test_cards_are_loaded_as_django_loads_them(django_assert_num_queries: Any) -> None:
    made = [make_card("青き竜"), make_card("赤き竜/白き竜"), make_card("黒き竜")]
    made[1].faces.create(position=7, name="第七の面", key="7")
    made[1].faces.create(position=3, name="第三の面", key="3")
    wanted = Card.objects.select_related("game").prefetch_related("faces").in_bulk([made[1].pk, made[0].pk])
    with django_assert_num_queries(2):
        found = Card.objects.loaded([made[1].pk, made[0].pk, 10**9])
        faces = {pk: [_values(face) for face in card.faces.all()] for pk, card in found.items()}
        assert {pk: card.game.pk for pk, card in found.items()} == {pk: card.game.pk for pk, card in wanted.items()}
    assert faces == {pk: [_values(face) for face in card.faces.all()] for pk, card in wanted.items()}
    assert Card.objects.names([made[0].pk]) == {made[0].pk: "青き竜"}


def test_a_queryset_without_ids(ids: list[int]) -> None:
    find = Prepared(lambda _ids, number: Entry.objects.filter(number=number))
    assert [one.number for one in find.all("101.1")] == ["101.1"]
    assert find.all("999.9") == []

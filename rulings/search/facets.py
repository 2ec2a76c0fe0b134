"""How many results there are of each kind, ruleset, authority, status, card and year."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from django.db import connection
from django.db.models import Count, QuerySet
from django.db.models.expressions import RawSQL

from rulings.models import Entry, Revision

MAX_CARDS = 20
FACETED = 5_000  # the best results, counted one by one where that is asked for
FACET_DEPTH = 200  # results among which named cards are counted otherwise
FACET_CARDS = 8
Counts = dict[str, dict[str, int]]

_OWN = {"kind": "kind", "ruleset": "ruleset__slug", "authority": "ruleset__authority", "status": "status"}


def facets_of(entries: Iterable[int], cards: int, day: date) -> Counts:
    """Return facet → value → number of entries, the most first; `year`: when the wording of `day` took effect."""
    ids = sorted(set(entries))
    counts: dict[str, Counter[str]] = {name: Counter() for name in (*_OWN, "card", "year")}
    for *values, number in _grouped(Entry.objects.filter(pk__in=_each(ids)), *_OWN.values()):
        for name, value in zip(_OWN, values, strict=True):
            counts[name][value] += number
    for card, number in _grouped(Entry.cards.through.objects.filter(entry_id__in=_each(ids)), "card"):
        counts["card"][str(card)] = number
    begun = Revision.objects.in_force(day).filter(entry_id__in=_each(ids), effective_on__isnull=False)
    for first_day, number in _grouped(begun, "effective_on"):  # one wording of an entry is in force on a day
        counts["year"][str(first_day.year)] += number
    if cards:
        counts["kind"]["card"] = cards
    return {name: _ranked(found, MAX_CARDS if name == "card" else len(found)) for name, found in counts.items()}


def _each(ids: list[int]) -> RawSQL | list[int]:
    """Ids for an `in`: SQLite takes few parameters, and each batch of them costs Django more than SQLite."""
    if connection.vendor != "sqlite":
        return ids
    return RawSQL("SELECT value FROM json_each(%s)", (json.dumps(ids),))


def _grouped(rows: QuerySet[Any], *columns: str) -> Iterator[tuple[Any, ...]]:
    return rows.order_by().values_list(*columns).annotate(Count("pk")).iterator()


def _ranked(found: Counter[str], limit: int) -> dict[str, int]:
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0]))[:limit])


def facets_of_engine(counts: dict[str, int], entries: list[int]) -> Counts:
    """Return the counts of the engine by dimension, without zeros, and the cards most named by the first entries."""
    facets: Counts = {}
    for label, count in counts.items():
        dimension, _colon, value = label.partition(":")
        if count:
            facets.setdefault(dimension, {})[value] = count
    if counts:
        through = Entry.cards.through.objects.filter(entry__in=entries[:FACET_DEPTH])
        rows = through.values("card").annotate(count=Count("entry")).order_by("-count", "card")[:FACET_CARDS]
        facets["card"] = {str(row["card"]): row["count"] for row in rows}
    return facets

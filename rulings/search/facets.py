"""How many results there are of each kind, ruleset, authority, status, card and year."""

from collections import Counter
from collections.abc import Iterable
from datetime import date

from django.db.models import Count

from rulings.models import Entry, Revision

BATCH = 500
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
    through = Entry.cards.through.objects
    for start in range(0, len(ids), BATCH):
        batch = ids[start : start + BATCH]
        for name, path in _OWN.items():
            counted = Entry.objects.filter(pk__in=batch).order_by().values_list(path).annotate(Count("pk"))
            counts[name].update(dict(counted))
        named = through.filter(entry__in=batch).order_by().values_list("card").annotate(Count("entry", distinct=True))
        counts["card"].update({str(card): number for card, number in named})
        begun = Revision.objects.in_force(day).filter(entry__in=batch, effective_on__isnull=False)
        years = begun.order_by().values_list("effective_on__year").annotate(Count("entry", distinct=True))
        counts["year"].update({str(year): number for year, number in years})
    if cards:
        counts["kind"]["card"] = cards
    return {name: _ranked(found, MAX_CARDS if name == "card" else len(found)) for name, found in counts.items()}


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

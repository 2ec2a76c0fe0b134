"""What follows for the order of results from rules standing under one another.

A rule says in general what those under it say in particular: where both answer, it is read first. A heading without
a text answers by what stands under it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rulings.models import Entry, Level
from rulings.models.prepared import Prepared
from rulings.search.ranking import BEHIND_CHAPTER, BEHIND_HEADING, GENERAL_FIRST, Judged


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an entry stands in its document."""

    parent: int | None
    order: str
    is_label: bool  # a heading of an outline, which nobody cites; a chapter is cited by its number


def standings_of(entries: Iterable[int]) -> dict[int, Standing]:
    """Return where each entry stands, by id, in one query."""
    return {pk: Standing(parent, order, level == Level.HEADING) for pk, parent, order, level in _standings(entries)}


_standings = Prepared(lambda ids: Entry.objects.filter(pk__in=ids).values_list("pk", "parent", "sort_key", "level"))


def in_order(judged: list[Judged], standings: dict[int, Standing]) -> list[Judged]:
    """Return the documents in the order in which they are read; what is lifted takes a score beside what lifts it."""
    scores = {one.found.entry: one.score for one in reversed(judged)}
    lifted = dict(scores)
    first = _first_under({one.found.entry for one in judged}, standings)
    for one in sorted(judged, key=lambda one: -one.score):
        entry, standing = one.found.entry, standings.get(one.found.entry)
        general = standing.parent if standing else None
        if general in scores and GENERAL_FIRST * one.score <= scores[general] < one.score:
            lifted[general] = max(lifted[general], one.score)
        if standing and not one.found.texts.get("body") and (under := first.get(entry)) is not None:
            beside = BEHIND_HEADING if standing.is_label else BEHIND_CHAPTER
            lifted[under] = max(lifted[under], one.score * beside)
    raised = [
        replace(one, score=lifted[one.found.entry], lifted_from=one.score)
        if lifted[one.found.entry] > one.score
        else one
        for one in judged
    ]
    return sorted(raised, key=lambda one: (-round(one.score, 6), one.lifted_from is None, one.found.entry))


def _first_under(entries: set[int], standings: dict[int, Standing]) -> dict[int, int]:
    """Return the first of the entries under each of them."""
    found: dict[int, int] = {}
    for entry in sorted(entries & standings.keys(), key=lambda pk: (standings[pk].order, pk)):
        parent = standings[entry].parent
        if parent in entries:
            found.setdefault(parent, entry)
    return found

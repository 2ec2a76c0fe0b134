"""The documents that match a query: those that cover enough of it, and those that hold it as typed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulings.search.arrays import IndexArrays
from rulings.search.engine import EngineQuery
from rulings.search.formula import SLACK
from rulings.search.holding import Held, held
from rulings.search.meeting import Degrees, Ids, Mask, Selection, Weighed, united, weigh
from rulings.search.postings import TermList


@dataclass(slots=True, eq=False)
class Matched:
    """The documents that match."""

    selection: Selection
    match: Mask | None  # where all documents are selected
    sums: NDArray[np.float64] | NDArray[np.float32]  # of the information that they cover
    total: float
    literal: list[TermList]  # what holds all of these holds the query as typed; the shortest first
    held: list[Held]

    @property
    def terms(self) -> int:
        """How many terms are looked up for each document that is scored."""
        return 1 + sum(one.terms for one in self.held)

    @property
    def information(self) -> tuple[float, ...]:
        return tuple(one.information for one in self.held)

    def that(self, mask: Mask) -> Mask:
        """Return which of the selected documents match and are in `mask`."""
        found: Mask = self.selection.of(mask)
        return found if self.match is None else self.match & found

    def ids_at(self, places: NDArray[np.intp]) -> Ids:
        """Return the documents at some places of the selection."""
        return places.astype(np.int32) if self.selection.ids is None else self.selection.ids[places]

    def as_typed(self, ids: Ids) -> NDArray[np.intp]:
        """Return the places, among some documents, of those that hold the query as typed."""
        places: NDArray[np.intp] = np.arange(len(ids) if self.literal else 0)
        for one in self.literal:
            held_there = one.held_by(ids.take(places))
            if not held_there.all():
                places = places[held_there]
            if not len(places):
                break
        return places

    def only(self, places: NDArray[np.intp]) -> "Matched":
        """Return a part of them, by places in the selection."""
        return Matched(self.selection.only(places), None, self.sums[places], self.total, self.literal, self.held)


def match(index: IndexArrays, query: EngineQuery) -> Matched:
    """Return the documents that match."""
    concepts = [held(index, concept) for concept in query.concepts]
    weights = [one.weight * found.information for one, found in zip(query.concepts, concepts, strict=True)]
    total = sum(weights)
    lists = [(one.degrees, weight) for one, weight in zip(concepts, weights, strict=True)]
    weighed = weigh(lists, query.minimum * total, index.size)
    literal = _lists(index, query.literal)
    if literal and not _is_implied(query, weights, max(query.minimum * total, 1e-9)):
        weighed = _with(_holding(index, literal), weighed, lists)
    return Matched(weighed.selection, weighed.match, weighed.sums, total or 1.0, literal, concepts)


def _lists(index: IndexArrays, grams: tuple[str, ...]) -> list[TermList]:
    """Return the lists of all grams, the shortest first."""
    return sorted([index.term("chars" if len(gram) == 1 else "grams", gram) for gram in dict.fromkeys(grams)], key=len)


def _is_implied(query: EngineQuery, weights: list[float], least: float) -> bool:
    """Whether what holds the query as typed covers `least` of it: by the concepts whose grams it holds then."""
    grams, covered = set(query.literal), 0.0
    for concept, weight in zip(query.concepts, weights, strict=True):
        held_so = [one.discount for one in concept.alternatives if len(one.text) > 1 and grams.issuperset(one.grams)]
        covered += weight * max(held_so, default=0.0)
        if covered >= least * (1 + SLACK):
            return True
    return False


def _holding(index: IndexArrays, lists: list[TermList]) -> Ids | Mask:
    """Return the documents that all lists hold: where many do, which of all documents do."""
    if (marks := lists[0].row) is not None:
        for other in lists[1:]:  # a mark is 0 where a document does not hold the term
            if other.row is not None:
                marks = np.minimum(marks, other.row)
        holding: Mask = marks != 0
        for other in lists[1:]:
            if other.row is None:
                holding &= other.mask(index.size)
        return holding
    found = lists[0].ids
    for other in lists[1:]:
        if not len(found):
            break
        held_there = other.held_by(found)
        if not held_there.all():
            found = found[held_there]
    return found


def _with(literal: Ids | Mask, weighed: Weighed, lists: list[tuple[Degrees, float]]) -> Weighed:
    """Let documents match that do not cover enough, but hold the query as typed."""
    selection = weighed.selection
    if weighed.match is not None and literal.dtype == bool:
        weighed.match |= literal
    elif weighed.match is not None:
        weighed.match[literal] = True
    if selection.ids is None or not len(literal):
        return weighed
    if literal.dtype == bool:
        literal = literal.nonzero()[0].astype(np.int32)
    known = selection.places(literal)[1]
    if len(known) == len(literal):
        return weighed
    others = np.delete(literal, known)
    more = Selection(selection.size, others)
    added = np.zeros(len(others))
    for one, weight in lists:
        one.add_to(added, more, weight)
    both = united([selection.ids, others])
    sums = np.zeros(len(both))
    for part, values in ((selection.ids, weighed.sums), (others, added)):
        sums[both.searchsorted(part)] = values
    return Weighed(Selection(selection.size, both), sums)

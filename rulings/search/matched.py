"""The documents that match a query: those that cover enough of it, and those that hold it as typed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulings.search.arrays import IndexArrays
from rulings.search.engine import EngineQuery
from rulings.search.holding import Held, held
from rulings.search.meeting import NO_IDS, Degrees, Ids, Mask, Selection, Weighed, united, weigh


@dataclass(slots=True, eq=False)
class Matched:
    """The documents that match."""

    selection: Selection
    match: Mask | None  # where all documents are selected
    sums: NDArray[np.float64] | NDArray[np.float32]  # of the information that they cover
    total: float
    literal: Ids | Mask
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

    def holds_literally(self, ids: Ids) -> Mask:
        """Return which of some documents hold the query as typed."""
        if self.literal.dtype == bool:
            return self.literal.take(ids)
        held_there: Mask = self.literal.take(self.literal.searchsorted(ids), mode="clip") == ids
        return held_there

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
    literal = _literal(index, query.literal)
    weighed = _with(literal, weighed, lists)
    return Matched(weighed.selection, weighed.match, weighed.sums, total or 1.0, literal, concepts)


def _literal(index: IndexArrays, grams: tuple[str, ...]) -> Ids | Mask:
    """Return the documents that hold all grams: where many do, which of all documents do."""
    lists = sorted([index.term("chars" if len(gram) == 1 else "grams", gram) for gram in dict.fromkeys(grams)], key=len)
    if lists and (marks := lists[0].row) is not None:
        for other in lists[1:]:  # a mark is 0 where a document does not hold the term
            if other.row is not None:
                marks = np.minimum(marks, other.row)
        holding: Mask = marks != 0
        for other in lists[1:]:
            if other.row is None:
                holding &= other.mask(index.size)
        return holding
    found = lists[0].ids if lists else NO_IDS
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

"""A term's marks over several segments, whose documents and lengths have changed since the segments were written."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rulings.search import formula
from rulings.search.marks import BOOSTS, LEVELS, Marks
from rulings.search.meeting import Ids
from rulings.search.postings import TermList

if TYPE_CHECKING:
    from rulings.search.arrays import IndexArrays
    from rulings.search.segments import SegmentArrays


NEARLY = 0.95  # of a unit: the bound is so much looser, and nothing is reckoned
NO_MARKS: Marks = np.empty(0, np.uint8)


@dataclass(slots=True, eq=False)
class Listed:
    """The postings of a term in a segment, as views of its arrays."""

    ids: Ids
    tf: NDArray[Any]  # places in the segment's table
    df: list[int]  # by field
    marks: Marks | None
    step: float
    row: Marks | None


@dataclass(slots=True, eq=False)
class Joining:
    """The postings of a term, by segment and number of its first document."""

    index: "IndexArrays"
    group: str
    parts: "list[tuple[SegmentArrays, int, Listed]]"

    def mark(self, known: TermList) -> None:
        """Give `known` marks and, where a segment has one, a row.

        Marks of the segment whose marks are worth the most stay as they are; others are written in its unit.
        """
        scores = [self._scores(known, *part) if part[2].marks is None else None for part in self.parts]
        steps = [
            one.step * self._growth(known, segment, one) if own is None else float(own.max()) * (1 + 1e-6) / LEVELS
            for (segment, _offset, one), own in zip(self.parts, scores, strict=True)
        ]
        known.step = max(*steps, 1e-12)
        marks: list[Marks] = []
        row: Marks | None = None
        if any(one.row is not None for _segment, _offset, one in self.parts):
            row = np.zeros(self.index.size, np.uint8)
        for (segment, offset, one), own, step in zip(self.parts, scores, steps, strict=True):
            if own is not None:
                marks.append(_marked(own, known.step))
            elif one.marks is not None and one.row is None:
                marks.append(_in_unit(one.marks, step / known.step))
            if row is not None and one.row is not None:
                row[offset : offset + segment.size] = _in_unit(one.row, step / known.step)
            elif row is not None:
                row[one.ids + np.int32(offset)] = marks[-1]
        known.row = row
        known.marks = np.concatenate(marks) if row is None else NO_MARKS  # then they stand in the row

    def _scores(self, known: TermList, segment: "SegmentArrays", offset: int, one: Listed) -> NDArray[Any]:
        """Return what each posting scores now."""
        norms, documents = self.index.norms(self.group), one.ids + np.int32(offset)
        packed = segment.table(self.group)[one.tf]
        return formula.impacts(packed, np.array(known.idfs), norms[documents], BOOSTS)

    def _growth(self, known: TermList, segment: "SegmentArrays", one: Listed) -> float:
        """Return by how much more a posting may score than when its segment was written."""
        own_idfs = formula.idfs(segment.size, one.df)
        idf = max(now / then for now, then, df in zip(known.idfs, own_idfs, one.df, strict=True) if df)
        return idf * self.index.growth(self.group, segment)


def _marked(scores: NDArray[Any], step: float) -> Marks:
    return np.clip(np.ceil(scores / step), 1, LEVELS).astype(np.uint8)


def _in_unit(marks: Marks, ratio: float) -> Marks:
    """Return marks in a unit of which theirs is such a share, rounded up; as they are where it is nearly the same."""
    if ratio >= NEARLY:
        return marks
    found: Marks = np.ceil(np.arange(LEVELS + 1) * ratio).astype(np.uint8).take(marks)
    return found

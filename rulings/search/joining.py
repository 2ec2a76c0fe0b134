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
        """Give `known` marks and, where a segment has one, a row."""
        scores = [self._scores(known, *part) for part in self.parts]
        step = max(float(one.max()) for one in scores) * (1 + 1e-6) / LEVELS
        known.step = max(step, 1e-12)
        known.marks = np.concatenate([_marked(one, known.step) for one in scores])
        if all(one.row is None for _segment, _offset, one in self.parts):
            return
        known.row = np.zeros(self.index.size, np.uint8)
        known.row[known.ids] = known.marks

    def _scores(self, known: TermList, segment: "SegmentArrays", offset: int, one: Listed) -> NDArray[Any]:
        """Return at least what each posting scores now."""
        if one.marks is not None:
            return one.marks * np.float32(one.step * self._growth(known, segment, one))
        norms, documents = self.index.norms(self.group), one.ids + np.int32(offset)
        packed = segment.table(self.group)[one.tf]
        return formula.impacts(packed, np.array(known.idfs), norms[documents], BOOSTS)

    def _growth(self, known: TermList, segment: "SegmentArrays", one: Listed) -> float:
        """Return by how much more a posting may score than when its segment was written."""
        own_idfs = formula.idfs(segment.size, one.df)
        idf = max(now / then for now, then, df in zip(known.idfs, own_idfs, one.df, strict=True) if df)
        own = segment.arrays[f"{self.group}.counts"].sum(axis=1, dtype=np.int64) / segment.size
        average = self.index.totals(self.group) / self.index.size
        return idf * float(np.max(np.where(own > 0, np.maximum(average / np.maximum(own, 1e-9), 1.0), 1.0)))


def _marked(scores: NDArray[Any], step: float) -> Marks:
    return np.clip(np.ceil(scores / step), 1, LEVELS).astype(np.uint8)

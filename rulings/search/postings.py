"""The documents of a term over all segments, as a query asks for them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.formula import Packed
from rulings.search.marks import LEVELS, Marks
from rulings.search.meeting import NO_IDS, Ids, Selection


@dataclass(slots=True, eq=False)
class TermList:
    """The documents that hold a term, deleted ones included.

    What a document's mark says, times `step`, is at least what the term adds to its score. `idfs` are by field.
    """

    ids: Ids
    idf: float  # by which a concept is held
    codes: NDArray[Any]
    table: Packed | None = None  # of frequencies; none: the codes are the frequencies
    idfs: tuple[float, ...] = ()
    marks: Marks | None = None
    step: float = 0.0
    row: Marks | None = None  # the marks by document number, where many documents hold the term
    mark_later: "Callable[[TermList], None] | None" = None

    def mark(self) -> None:
        """See to it that there are marks."""
        if self.marks is None and self.mark_later is not None:
            self.mark_later(self)
            self.mark_later = None

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def nbytes(self) -> int:
        return self.ids.nbytes + self.codes.nbytes + (0 if self.row is None else self.row.nbytes) + 600

    @property
    def most(self) -> float:
        """At least what the term adds to the score of any document."""
        self.mark()
        return self.step * LEVELS

    @property
    def is_dense(self) -> bool:
        return self.row is not None

    def by_number(self, weight: float) -> NDArray[np.float32]:
        """Return `weight` for each document of the index that holds the term, where there is a row."""
        held = np.zeros(0, np.float32) if self.row is None else (self.row != 0).astype(np.float32)
        held *= np.float32(weight)
        return held

    def add_to(self, sums: NDArray[Any], selection: Selection, weight: float) -> None:
        """Add `weight` to the sums of the selected documents that hold the term."""
        if self.row is not None:
            sums += (selection.of(self.row) != 0) * sums.dtype.type(weight)
        else:
            np.add.at(sums, selection.places(self.ids)[0], sums.dtype.type(weight))

    def spread(self, sums: NDArray[Any], ids: Ids, weight: float) -> None:
        """Add `weight` to the sums of `ids`, which hold all documents of the term."""
        np.add.at(sums, ids.searchsorted(self.ids), weight)

    def add_marks(self, sums: NDArray[np.float32], selection: Selection, weight: float) -> None:
        """Add what the term adds at most to the scores of the selected documents."""
        self.mark()
        worth = np.float32(self.step * weight)
        if self.row is not None:
            sums += selection.of(self.row) * worth
        elif self.marks is not None and len(self.ids):
            here, there = selection.places(self.ids)
            np.add.at(sums, here, self.marks[there] * worth)

    def add_weighed(self, sums: NDArray[np.uint16], weight: int) -> None:
        """Add the marks times `weight` to the sums of all documents of the index."""
        self.mark()
        if self.row is not None:
            weighed = self.row.astype(np.uint16)
            weighed *= np.uint16(weight)
            sums += weighed
        elif self.marks is not None and len(self.ids):
            np.add.at(sums, self.ids, np.multiply(self.marks, np.uint16(weight), dtype=np.uint16))

    def mask(self, size: int) -> NDArray[np.bool_]:
        """Return which documents of the index hold the term."""
        found = np.zeros(size, bool)
        found[self.ids] = True
        return found

    def look_up(self, documents: Ids, nearest: Ids) -> NDArray[Any]:
        """Fill in for each of some documents itself, where it holds the term, else another; return codes."""
        places = self.ids.searchsorted(documents)
        self.ids.take(places, mode="clip", out=nearest)
        return self.codes.take(places, mode="clip")

    def held_by(self, documents: Ids) -> NDArray[np.bool_]:
        """Return which of some documents hold the term."""
        if self.row is not None:
            in_row: NDArray[np.bool_] = self.row.take(documents) != 0
            return in_row
        ids = self.ids
        if not len(ids):
            return np.zeros(len(documents), bool)
        held: NDArray[np.bool_] = ids.take(ids.searchsorted(documents), mode="clip") == documents
        return held


class JoinedList(TermList):
    """The documents of several segments, of which many hold the term: its list is put together when it is asked for.

    `parts`: the number of a segment's first document, the list there, its codes, what is added to these.
    """

    __slots__ = ("_parts",)

    def __init__(
        self, parts: list[tuple[int, Ids, NDArray[Any], Any]], idf: float, table: Packed, **others: Any
    ) -> None:
        self._parts = parts
        super().__init__(NO_IDS, idf, NO_IDS, table, **others)

    @property
    def ids(self) -> Ids:
        return np.concatenate([ids + np.int32(first) for first, ids, _codes, _added in self._parts])

    @ids.setter
    def ids(self, ids: Ids) -> None:
        """Take no notice of what the class above sets."""

    def __len__(self) -> int:
        return sum([len(ids) for _first, ids, _codes, _added in self._parts])

    @property
    def nbytes(self) -> int:
        return (0 if self.row is None else self.row.nbytes) + 600

    def look_up(self, documents: Ids, nearest: Ids) -> NDArray[Any]:
        nearest[:] = -1
        found = np.zeros(len(documents), np.uint32)
        starts = documents.searchsorted([first for first, *_rest in self._parts]).tolist()
        for (first, ids, codes, added), start, end in zip(self._parts, starts, [*starts[1:], None], strict=True):
            places = ids.searchsorted(documents[start:end] - np.int32(first))
            nearest[start:end] = ids.take(places, mode="clip") + np.int32(first)
            found[start:end] = codes.take(places, mode="clip")
            found[start:end] += added
        return found

"""The mapped arrays of a segment: terms are found and their postings cut out without numpy, slow on single numbers."""

from bisect import bisect_left, bisect_right
from typing import Any

from numpy.typing import NDArray

from rulings.search.engine import FIELDS
from rulings.search.formula import Packed
from rulings.search.inverting import COUNTED
from rulings.search.joining import Listed
from rulings.search.marks import Marks
from rulings.search.meeting import NO_IDS
from rulings.search.sidecar import Arrays, Mapped


class Group:
    """The postings of one group of terms."""

    def __init__(self, arrays: Arrays, group: str) -> None:
        names = ("keys", "terms", "bounds", "starts")
        self._keys, self._terms, self._bounds, self._starts = (arrays[f"{group}.{name}"].data for name in names)
        self._ids = arrays[f"{group}.ids"]
        self._is_counted = group in COUNTED
        self._marks: Marks | None = arrays.get(f"{group}.marks")
        if self._is_counted:
            self.table: Packed = arrays[f"{group}.table"]
            self._tf, self._df = arrays[f"{group}.tf"], arrays[f"{group}.df"]
        if self._marks is not None:
            self._steps = arrays[f"{group}.steps"].data
            self._rows = dict(zip(arrays[f"{group}.common"].tolist(), arrays[f"{group}.rows"], strict=True))

    def place(self, term: bytes) -> int:
        """Return the number of a term, -1 where there is none."""
        keys, terms, bounds = self._keys, self._terms, self._bounds
        key = int.from_bytes(term[:8].ljust(8, b"\0"), "big")
        at, last = bisect_left(keys, key), len(keys) - 1
        if at > last or keys[at] != key:
            return -1
        if at < last and keys[at + 1] == key:  # terms that begin with the same eight bytes
            end = bisect_right(keys, key, at + 1)
            at = bisect_left(range(end), term, at, end, key=lambda one: bytes(terms[bounds[one] : bounds[one + 1]]))
            if at == end:
                return -1
        return at if terms[bounds[at] : bounds[at + 1]] == term else -1

    def count(self, term: bytes) -> int:
        """Return how many documents hold a term, deleted ones included."""
        at = self.place(term)
        return 0 if at < 0 else self._starts[at + 1] - self._starts[at]

    def listed(self, term: bytes) -> Listed | None:
        """Return the postings of a term, deleted documents included."""
        at = self.place(term)
        if at < 0:
            return None
        start, end = self._starts[at], self._starts[at + 1]
        ids = self._ids[start:end]
        if not self._is_counted:
            return Listed(ids, NO_IDS, [], None, 0.0, None)
        tf, df = self._tf[start:end], self._df[at].tolist()
        if self._marks is None:
            return Listed(ids, tf, df, None, 0.0, None)
        return Listed(ids, tf, df, self._marks[start:end], self._steps[at], self._rows.get(at))


class SegmentArrays:
    """One segment."""

    def __init__(self, arrays: Mapped) -> None:
        self.arrays = arrays
        self.size = len(arrays["id"])
        self._groups: dict[str, Group] = {}
        self._text_bounds = arrays["texts.bounds"].data

    def _group(self, group: str) -> Group:
        known = self._groups.get(group)
        if known is None:
            known = self._groups[group] = Group(self.arrays, group)
        return known

    def listed(self, group: str, term: bytes) -> Listed | None:
        """Return the postings of a term in its group, deleted documents included."""
        return self._group(group).listed(term)

    def count(self, group: str, term: bytes) -> int:
        """Return how many documents hold a term, deleted ones included."""
        return self._group(group).count(term)

    def table(self, group: str) -> Packed:
        """Return the frequencies that occur in a group."""
        return self._group(group).table

    def texts(self, numbers: NDArray[Any]) -> list[dict[str, str]]:
        """Return the squeezed texts of documents."""
        bounds, width, found = self._text_bounds, len(FIELDS), []
        for number in numbers.tolist():
            first, *ends = bounds[number * width : (number + 1) * width + 1].tolist()
            texts, start, own = self.arrays.piece("texts", first, ends[-1]), 0, {}
            for field, end in zip(FIELDS, ends):  # noqa: B905 - checking it takes a tenth of the time
                if start < end - first:
                    own[field] = str(texts[start : end - first], "utf-8")
                start = end - first
            found.append(own)
        return found

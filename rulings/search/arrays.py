"""The postings of an index as numpy arrays, read once per segment and kept while the segment lives.

A segment never changes, apart from which of its documents are deleted; so its arrays are shared by every snapshot
that holds it, and a commit only adds arrays for its new segment.
"""

import math
from collections import OrderedDict
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Postings = tuple[Ids, Floats]

B, K1 = 0.75, 1.2
NOTHING: Postings = (np.empty(0, np.int32), np.empty(0, np.float64))
FAR_PAST, FAR_FUTURE = 0, 4_000_000  # ordinals of dates


def since_ordinal(day: date | None) -> int:
    return FAR_PAST if day is None else day.toordinal()


def until_ordinal(day: date | None) -> int:
    return FAR_FUTURE if day is None else day.toordinal()


class BoundedCache(OrderedDict[Any, Any]):
    """Keeps what was used last, up to a number of array elements."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit, self.size = limit, 0

    def put(self, key: Any, value: Any, size: int) -> None:
        self[key] = (value, size)
        self.size += size
        while self.size > self.limit and len(self) > 1:
            _key, (_value, freed) = self.popitem(last=False)
            self.size -= freed

    def take(self, key: Any) -> Any:
        found = self.get(key)
        if found is None:
            return None
        self.move_to_end(key)
        return found[0]


class SegmentArrays:
    """One segment: postings, field lengths, columns."""

    def __init__(self, reader: Any) -> None:
        self.terms = reader._terms  # noqa: SLF001 - `postings()` hides deleted documents, which change
        self.reader = reader
        self.size: int = reader.doc_count_all()
        self.cache = BoundedCache(20_000_000)
        self._lengths: dict[str, Floats] = {}
        self._columns: dict[str, NDArray[np.int64]] = {}

    def postings(self, field: str, term: str) -> Postings:
        """Return document numbers and frequencies of a term, deleted documents included."""
        found: Postings | None = self.cache.take((field, term))
        if found is None:
            found = self._read(field, term)
            self.cache.put((field, term), found, len(found[0]) + 8)
        return found

    def _read(self, field: str, term: str) -> Postings:
        if (field, term) not in self.reader:
            return NOTHING
        matcher = self.terms.matcher(field, term.encode(), self.reader.schema[field].format)
        ids: list[int] = []
        weights: list[float] = []
        while matcher.is_active():
            ids.append(matcher.id())
            weights.append(matcher.weight())
            matcher.next()
        return np.array(ids, np.int32), np.array(weights, np.float64)

    def lengths(self, field: str) -> Floats:
        """Return the length of a field in each document."""
        if field not in self._lengths:
            length = self.reader.doc_field_length
            self._lengths[field] = np.array([length(doc, field) or 0 for doc in range(self.size)], np.float64)
        return self._lengths[field]

    def column(self, name: str) -> NDArray[np.int64]:
        """Return a numeric column."""
        if name not in self._columns:
            reader = self.reader.column_reader(name)
            self._columns[name] = np.array([reader[doc] for doc in range(self.size)], np.int64)
        return self._columns[name]


class IndexArrays:
    """All segments at one moment."""

    def __init__(self, segments: list[SegmentArrays], alive: Mask) -> None:
        self.segments = segments
        self.alive = alive
        self.size = len(alive)
        self.offsets = np.cumsum([0, *(segment.size for segment in segments)])
        self.cache = BoundedCache(20_000_000)

    def postings(self, field: str, term: str) -> Postings:
        """Return document numbers and frequencies of a term over all segments."""
        parts = [segment.postings(field, term) for segment in self.segments]
        if len(parts) == 1:
            return parts[0]
        ids = [part[0] + np.int32(offset) for part, offset in zip(parts, self.offsets, strict=False)]
        return np.concatenate([NOTHING[0], *ids]), np.concatenate([NOTHING[1], *(part[1] for part in parts)])

    def lengths(self, field: str) -> Floats:
        key = ("length", field)
        found: Floats | None = self.cache.take(key)
        if found is None:
            found = np.concatenate([np.empty(0), *(segment.lengths(field) for segment in self.segments)])
            self.cache.put(key, found, self.size)
        return found

    def column(self, name: str) -> NDArray[np.int64]:
        key = ("column", name)
        found: NDArray[np.int64] | None = self.cache.take(key)
        if found is None:
            parts = [segment.column(name) for segment in self.segments]
            found = np.concatenate([np.empty(0, np.int64), *parts])
            self.cache.put(key, found, self.size)
        return found

    def impacts(self, field: str, term: str) -> Postings:
        """Return the BM25 score that a term gives to each document that holds it in a field."""
        key = ("impact", field, term)
        found: Postings | None = self.cache.take(key)
        if found is None:
            found = self._impacts(field, term)
            self.cache.put(key, found, len(found[0]) + 8)
        return found

    def _impacts(self, field: str, term: str) -> Postings:
        ids, tf = self.postings(field, term)
        if not len(ids):
            return NOTHING
        lengths = self.lengths(field)
        average = sum(segment.reader.field_length(field) for segment in self.segments) / (self.size or 1) or 1
        idf = math.log(self.size / (len(ids) + 1)) + 1
        norm = K1 * ((1 - B) + B * lengths[ids] / average)
        return ids, idf * (tf * (K1 + 1)) / (tf + norm)

    def holding(self, fields: tuple[str, ...], term: str) -> Ids:
        """Return the documents that hold a term in any of the fields."""
        key = ("holding", fields, term)
        found: Ids | None = self.cache.take(key)
        if found is None:
            found = np.unique(np.concatenate([self.postings(field, term)[0] for field in fields]))
            self.cache.put(key, found, len(found) + 8)
        return found

    def labelled(self, labels: frozenset[str]) -> Mask:
        """Return which documents stand under at least one of the labels."""
        mask = np.zeros(self.size, bool)
        for label in sorted(labels):
            mask[self.postings("labels", label)[0]] = True
        return mask

    def locate(self, number: int) -> tuple[SegmentArrays, int]:
        """Return the segment of a document number, and the number within it."""
        at = int(np.searchsorted(self.offsets, number, side="right")) - 1
        return self.segments[at], number - int(self.offsets[at])

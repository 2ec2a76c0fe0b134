"""An index at one moment, as arrays: the mapped arrays of its segments, numbered through.

A segment never changes, apart from which of its documents are deleted. What is reckoned over all segments is kept
in a cache with a bound in bytes, and given up with the moment.
"""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.caching import BoundedCache
from rulings.search.engine import FIELDS, EngineQuery
from rulings.search.inverting import COUNTED
from rulings.search.sidecar import Arrays

YEAR = "year:"  # the dimension of the years in which wordings took effect
Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Postings = tuple[Ids, NDArray[np.uint32]]  # documents, packed frequencies

CACHE_BYTES = 96 << 20
MOST_VIEWS = 50_000
SMALL = 5_000  # documents; the terms of smaller segments are kept as a dict
B, K1 = 0.75, 1.2
NO_IDS: Ids = np.empty(0, np.int32)
NO_TF: NDArray[np.uint32] = np.empty(0, np.uint32)


class _Terms(Sequence[bytes]):
    """The sorted terms of a group, in a mapped array."""

    def __init__(self, arrays: Arrays, group: str) -> None:
        self._blob, self._bounds = arrays[f"{group}.terms"].data, arrays[f"{group}.bounds"]

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def __getitem__(self, at: Any) -> Any:
        return bytes(self._blob[self._bounds[at] : self._bounds[at + 1]])


class SegmentArrays:
    """One segment."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.size = len(arrays["id"])
        self._terms: dict[str, Sequence[bytes] | dict[bytes, int]] = {}
        self._texts, self._text_bounds = arrays["texts"].data, arrays["texts.bounds"]

    def place(self, group: str, term: bytes) -> int:
        """Return the number of a term in its group, -1 where there is none."""
        terms = self._terms.get(group)
        if terms is None:
            listed = _Terms(self.arrays, group)
            terms = {known: at for at, known in enumerate(listed)} if self.size <= SMALL else listed
            self._terms[group] = terms
        if isinstance(terms, dict):
            return terms.get(term, -1)
        at = bisect_left(terms, term)
        return at if at < len(terms) and terms[at] == term else -1

    def postings(self, group: str, term: bytes) -> Postings:
        """Return documents and frequencies of a term, deleted documents included."""
        at = self.place(group, term)
        if at < 0:
            return NO_IDS, NO_TF
        start, end = self.arrays[f"{group}.starts"][at : at + 2].tolist()
        tf = self.arrays[f"{group}.tf"][start:end] if group in COUNTED else NO_TF
        return self.arrays[f"{group}.ids"][start:end], tf

    def frequencies(self, group: str, term: bytes) -> NDArray[np.int32] | int:
        """Return in how many documents a term stands, by field."""
        at = self.place(group, term)
        return self.arrays[f"{group}.df"][at] if at >= 0 else 0

    def texts(self, number: int) -> dict[str, str]:
        """Return the squeezed texts of a document."""
        first = number * len(FIELDS)
        bounds = self._text_bounds[first : first + len(FIELDS) + 1].tolist()
        spans = zip(FIELDS, pairwise(bounds), strict=True)
        return {field: str(self._texts[start:end], "utf-8") for field, (start, end) in spans if start < end}


class IndexArrays:
    """All segments at one moment."""

    def __init__(self, segments: Sequence[SegmentArrays], alive: Mask) -> None:
        self.segments = list(segments)
        self.alive = alive
        self.size = len(alive)
        self.living = int(alive.sum())
        self.offsets = np.cumsum([0, *(segment.size for segment in self.segments)])
        self.cache = BoundedCache(CACHE_BYTES)
        self._lists: dict[tuple[str, str], Postings] = {}  # of a single segment: views, which cost nothing to keep

    def postings(self, group: str, term: str) -> Postings:
        """Return documents and frequencies of a term over all segments, deleted documents included."""
        if len(self.segments) == 1:
            found = self._lists.get((group, term))
            if found is None:
                if len(self._lists) > MOST_VIEWS:
                    self._lists.clear()
                found = self._lists[group, term] = self.segments[0].postings(group, term.encode())
            return found
        return self.cache.get(("postings", group, term), lambda: self._postings(group, term.encode()), _bytes_of)

    def _postings(self, group: str, term: bytes) -> Postings:
        ids, tf = [NO_IDS], [NO_TF]
        for segment, offset in zip(self.segments, self.offsets, strict=False):
            found = segment.postings(group, term)
            if len(found[0]):
                ids.append(found[0] + np.int32(offset) if offset else found[0])
                tf.append(found[1])
        return (ids[1], tf[1]) if len(ids) == 2 else (np.concatenate(ids), np.concatenate(tf))

    def idf(self, group: str, term: str) -> Floats:
        """Return the weight of a term in BM25, by field."""

        def make() -> Floats:
            encoded = term.encode()
            df = sum((segment.frequencies(group, encoded) for segment in self.segments), np.zeros(len(FIELDS)))
            return np.log(self.size / (df + 1)) + 1

        return self.cache.get(("idf", group, term), make, _bytes_of)

    def norms(self, group: str) -> NDArray[np.float32]:
        """Return what the length of each field of each document does to its score: an array of (fields, documents)."""
        return self.cache.get(("norms", group), lambda: self._norms(group), _bytes_of)

    def _norms(self, group: str) -> NDArray[np.float32]:
        lengths = self._joined(f"{group}.lengths")
        total = sum(segment.arrays[f"{group}.counts"].sum(axis=1, dtype=np.int64) for segment in self.segments)
        average = np.maximum(total / (self.size or 1), 1e-9)[:, None] if self.segments else np.ones((len(FIELDS), 1))
        return np.float32(K1 * (1 - B)) + lengths * (K1 * B / average).astype(np.float32)

    def column(self, name: str) -> NDArray[np.int64]:
        """Return a numeric column."""
        return self.cache.get(("column", name), lambda: self._joined(name), _bytes_of)

    def _joined(self, name: str) -> NDArray[Any]:
        parts = [segment.arrays[name] for segment in self.segments]
        if not parts:
            return np.empty((len(FIELDS), 0) if "." in name else 0)
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=-1)

    def labelled(self, labels: frozenset[str]) -> Mask:
        """Return which documents stand under at least one of the labels."""
        return self.cache.get(("labels", labels), lambda: self._labelled(labels), _bytes_of)

    def _labelled(self, labels: frozenset[str]) -> Mask:
        mask = np.zeros(self.size, bool)
        for label in labels:
            mask[self.postings("labels", label)[0]] = True
        return mask

    def allowed(self, query: EngineQuery, freed: str = "") -> Mask:
        """Return which documents the filters let through, without what is required of the dimension `freed`."""
        key = ("allowed", query.required, query.excluded, query.on, query.in_force, query.ahead, query.year, freed)
        return self.cache.get(key, lambda: self._allowed(query, freed), _bytes_of)

    def _allowed(self, query: EngineQuery, freed: str) -> Mask:
        mask = self.alive.copy()
        for labels in query.required:
            if not freed or not all(label.startswith(freed) for label in labels):
                mask &= self.labelled(labels)
        if query.excluded:
            mask &= ~self.labelled(query.excluded)
        if query.year is not None and freed != YEAR:
            since = self.column("since")
            mask &= (since >= date(query.year, 1, 1).toordinal()) & (since <= date(query.year, 12, 31).toordinal())
        if query.on is not None and query.ahead:
            mask &= self._next_after(query.on.toordinal())
        elif query.on is not None:
            on = query.on.toordinal()
            mask &= (self.column("since") <= on) & (self.column("until") > on)
            if query.in_force:
                mask &= self.column("held_until") > on
        return mask

    def _next_after(self, on: int) -> Mask:
        """Return which documents are the next of their entries to be shown after a day."""
        since, entries = self.column("since"), self.column("entry")
        coming = np.flatnonzero(self.alive & (since > on))
        ordered = coming[np.lexsort((since[coming], entries[coming]))]
        mask = np.zeros(self.size, bool)
        mask[ordered[np.unique(entries[ordered], return_index=True)[1]]] = True
        return mask

    def factors(self, boosts: dict[str, float]) -> Floats:
        """Return the product of the boosts of each document's labels."""
        return self.cache.get(("factors", tuple(sorted(boosts.items()))), lambda: self._factors(boosts), _bytes_of)

    def _factors(self, boosts: dict[str, float]) -> Floats:
        factors = np.ones(self.size)
        for label, boost in boosts.items():
            factors[self.postings("labels", label)[0]] *= boost
        return factors

    def locate(self, number: int) -> tuple[SegmentArrays, int]:
        """Return the segment of a document number, and the number within it."""
        if len(self.segments) == 1:
            return self.segments[0], number
        at = int(np.searchsorted(self.offsets, number, side="right")) - 1
        return self.segments[at], number - int(self.offsets[at])


def _bytes_of(value: Any) -> int:
    return sum(part.nbytes for part in value) if isinstance(value, tuple) else int(value.nbytes)

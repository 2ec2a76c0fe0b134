"""An index at one moment, as arrays: the mapped arrays of its segments, numbered through.

A segment never changes, apart from which of its documents are deleted. What is reckoned over all segments is kept
in a cache with a bound in bytes, and given up with the moment.
"""

from collections.abc import Hashable, Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search import formula
from rulings.search.caching import BoundedCache
from rulings.search.dates import FAR_PAST
from rulings.search.engine import FIELDS, EngineQuery
from rulings.search.formula import Floats, Packed
from rulings.search.inverting import COUNTED
from rulings.search.joining import Joining, Listed
from rulings.search.meeting import NO_IDS, Ids, Mask
from rulings.search.postings import JoinedList, TermList
from rulings.search.segments import SegmentArrays

YEAR = "year:"  # the dimension of the years in which wordings took effect
CACHE_BYTES = 46 << 20
MOST_VIEWS = 8_000  # a kilobyte each


class IndexArrays:
    """All segments at one moment."""

    def __init__(self, segments: Sequence[SegmentArrays], alive: Mask) -> None:
        self.segments = list(segments)
        self.alive = alive
        self.size = len(alive)
        self.living = int(alive.sum())
        self.offsets = np.cumsum([0, *(segment.size for segment in self.segments)]).tolist()
        self.cache = BoundedCache(CACHE_BYTES)
        self._dead: list[int] | None = None
        self._tables: dict[str, tuple[Packed, dict[SegmentArrays, Any]]] = {}
        self._growths: dict[tuple[str, SegmentArrays], float] = {}
        self._lists: dict[tuple[str, str], TermList] = {}  # of a single segment: views, which cost little to keep

    def sizes(self) -> list[int]:
        """Return how many documents each segment has, deleted ones included."""
        return [segment.size for segment in self.segments]

    def dead(self) -> list[int]:
        """Return how many of the documents of each segment are deleted."""
        if self._dead is None:
            ends = zip(self.offsets, self.offsets[1:], strict=False)
            self._dead = [int(np.count_nonzero(~self.alive[start:end])) for start, end in ends]
        return self._dead

    def term(self, group: str, term: str) -> TermList:
        """Return the postings of a term over all segments, deleted documents included."""
        if len(self.segments) != 1:
            key = ("term", group, term)
            found: TermList = self.cache.get(key, lambda: self._term(group, term), lambda one: one.nbytes)
            return found
        known = self._lists.get((group, term))
        if known is None:
            if len(self._lists) > MOST_VIEWS:
                self._lists.clear()
            known = self._lists[group, term] = self._term(group, term)
        return known

    def count(self, word: str) -> int:
        """Return how many documents hold a word, deleted ones included."""
        encoded = word.encode()
        return sum(segment.count("words", encoded) for segment in self.segments)

    def _term(self, group: str, term: str) -> TermList:
        encoded = term.encode()
        if len(self.segments) == 1:
            return self._term_of_one(group, encoded)
        found = [
            (segment, offset, one)
            for segment, offset in zip(self.segments, self.offsets, strict=False)
            if (one := segment.listed(group, encoded)) is not None
        ]
        count = sum(len(one.ids) for _segment, _offset, one in found)
        idf = formula.informing(self.size, count)
        if not found:
            return TermList(NO_IDS, idf, NO_IDS)
        if group not in COUNTED:
            return TermList(_joined(found), idf, NO_IDS)
        idfs = formula.idfs(self.size, map(sum, zip(*(one.df for _segment, _offset, one in found), strict=True)))
        table, firsts = self._table(group)
        later = Joining(self, group, found).mark
        if any(one.row is not None for _segment, _offset, one in found):
            parts = [(offset, one.ids, one.tf, firsts[segment]) for segment, offset, one in found]
            known: TermList = JoinedList(parts, idf, table, idfs=idfs, mark_later=later)
            known.mark()
            return known
        codes = [one.tf + firsts[segment] if firsts[segment] else one.tf for segment, _offset, one in found]
        return TermList(_joined(found), idf, np.concatenate(codes), table, idfs, mark_later=later)

    def _term_of_one(self, group: str, term: bytes) -> TermList:
        """Return the postings of a term as views of the only segment's arrays."""
        segment = self.segments[0]
        one = segment.listed(group, term)
        if one is None:
            return TermList(NO_IDS, formula.informing(self.size, 0), NO_IDS)
        idf = formula.informing(self.size, len(one.ids))
        if group not in COUNTED:
            return TermList(one.ids, idf, NO_IDS)
        idfs = formula.idfs(self.size, one.df)
        known = TermList(one.ids, idf, one.tf, segment.table(group), idfs, one.marks, one.step, one.row)
        if known.marks is None:
            known.mark_later = Joining(self, group, [(segment, 0, one)]).mark
        return known

    def _table(self, group: str) -> tuple[Packed, dict[SegmentArrays, Any]]:
        """Return the frequencies that occur in each segment, and where those of a segment begin."""
        known = self._tables.get(group)
        if known is None:
            tables = [segment.table(group) for segment in self.segments]
            ends = np.cumsum([0, *map(len, tables)])
            wide = np.min_scalar_type(int(ends[-1]))
            firsts = {segment: wide.type(first) for segment, first in zip(self.segments, ends.tolist(), strict=False)}
            known = self._tables[group] = np.concatenate(tables), firsts
        return known

    def growth(self, group: str, segment: SegmentArrays) -> float:
        """Return by how much more a posting of a segment may score because fields are longer by now than they were."""
        known = self._growths.get((group, segment))
        if known is None:
            own = segment.arrays[f"{group}.counts"].sum(axis=1, dtype=np.int64) / segment.size
            average = self.totals(group) / self.size
            known = float(np.max(np.where(own > 0, np.maximum(average / np.maximum(own, 1e-9), 1.0), 1.0)))
            self._growths[group, segment] = known
        return known

    def totals(self, group: str) -> NDArray[np.int64]:
        """Return how many terms each field has in all documents."""
        found: NDArray[np.int64] = self.cache.get(("totals", group), lambda: self._totals(group), _bytes_of)
        return found

    def _totals(self, group: str) -> NDArray[np.int64]:
        counts = [segment.arrays[f"{group}.counts"].sum(axis=1, dtype=np.int64) for segment in self.segments]
        return np.sum(counts, axis=0) if counts else np.zeros(len(FIELDS), np.int64)

    def norms(self, group: str) -> NDArray[np.float32]:
        """Return what the length of each field of each document does to its score: an array of (documents, fields)."""
        found: NDArray[np.float32] = self.cache.get(
            ("norms", group), lambda: formula.norms(self._joined(f"{group}.lengths"), self.totals(group)), _bytes_of
        )
        return found

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
            mask[self.term("labels", label).ids] = True
        return mask

    def allowed(self, query: EngineQuery, freed: str = "") -> Mask:
        """Return which documents the filters let through, without what is required of the dimension `freed`."""
        key = ("allowed", _filters(query), freed)
        return self.cache.get(key, lambda: self._allowed(query, freed), _bytes_of)

    def shown(self, query: EngineQuery) -> Mask:
        """Return which documents may be shown: those let through and not left out."""
        key = ("shown", _filters(query), query.left_out)
        found: Mask = self.cache.get(key, lambda: self.allowed(query) & ~self.labelled(query.left_out), _bytes_of)
        return found

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

    def years(self) -> NDArray[np.int16]:
        """Return the year in which each document took effect; 0 where that is unknown."""
        found: NDArray[np.int16] = self.cache.get(("years",), self._years, _bytes_of)
        return found

    def _years(self) -> NDArray[np.int16]:
        days, places = np.unique(self.column("since"), return_inverse=True)
        years = [date.fromordinal(day).year if day != FAR_PAST else 0 for day in days.tolist()]
        return np.array(years, np.int16)[places]

    def factors(self, boosts: dict[str, float], dtype: type = np.float64) -> NDArray[Any]:
        """Return the product of the boosts of each document's labels."""
        key = ("factors", dtype, tuple(sorted(boosts.items())))
        found: NDArray[Any] = self.cache.get(key, lambda: self._factors(boosts).astype(dtype), _bytes_of)
        return found

    def _factors(self, boosts: dict[str, float]) -> Floats:
        factors = np.ones(self.size)
        for label, boost in boosts.items():
            factors[self.term("labels", label).ids] *= boost
        return factors

    def texts(self, ids: Ids) -> list[dict[str, str]]:
        """Return the squeezed texts of documents, in their order."""
        if len(self.segments) == 1:
            return self.segments[0].texts(ids)
        found: list[dict[str, str]] = [{}] * len(ids)
        owners = np.searchsorted(self.offsets, ids, side="right") - 1
        for owner in set(owners.tolist()):
            places = (owners == owner).nonzero()[0]
            texts = self.segments[owner].texts(ids[places] - self.offsets[owner])
            for place, one in zip(places.tolist(), texts, strict=True):
                found[place] = one
        return found


def _joined(parts: list[tuple[SegmentArrays, int, Listed]]) -> Ids:
    """Return the documents of a term in several segments, by segment and number of its first document."""
    return np.concatenate([one.ids + np.int32(first) if first else one.ids for _segment, first, one in parts])


def _filters(query: EngineQuery) -> Hashable:
    """Return what `IndexArrays.allowed` depends on."""
    return query.required, query.excluded, query.on, query.in_force, query.ahead, query.year


def _bytes_of(value: NDArray[Any]) -> int:
    """Return what keeping an array takes: nothing where it is a view of a mapped file."""
    return int(value.nbytes) if value.flags.owndata else 0

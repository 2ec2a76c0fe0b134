"""Sorted lists of documents: where they meet, and which documents several of them weigh enough together.

What few documents hold is kept as a list of them, what many hold by document number: then adding is one sweep.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.formula import SLACK

Ids = NDArray[Any]  # int32
Places = NDArray[np.intp]
Mask = NDArray[np.bool_]
Sums = NDArray[Any]  # float32 by document number, else float64

SHORT = 20  # times all lists, and the index is longer: then they are sorted, else spread over it
FEW = 500  # documents: each is looked up
FAR_SMALLER = 12  # times: then each number is looked up, else both lists are gone through
MANY = 8  # one document in so many, or more: kept by document number
NO_IDS: Ids = np.empty(0, np.int32)
ROUNDING = 3e-7  # of single precision


@dataclass(slots=True, eq=False)
class Selection:
    """Some documents of an index, in order, or all of them."""

    size: int  # of the index
    ids: Ids | None = None  # none: all
    _where: Ids | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return self.size if self.ids is None else len(self.ids)

    def of(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return what an array by document number says of the selected documents."""
        return values if self.ids is None else values.take(self.ids)

    def places(self, other: Ids) -> tuple[Any, Any]:
        """Return the places here and in `other`, a sorted list, of the documents that are in both."""
        if self.ids is None:
            return other, slice(None)
        if not len(other) or not len(self.ids):
            return NO_IDS, NO_IDS
        fewer = min(len(self.ids), len(other))
        if fewer * FAR_SMALLER < max(len(self.ids), len(other)) or (fewer < FEW and self._where is None):
            return self._looked_up(other)
        if self._where is None:
            self._where = np.zeros(self.size, np.int32)
            self._where[self.ids] = np.arange(1, len(self.ids) + 1, dtype=np.int32)
        here = self._where.take(other)
        there = (here != 0).nonzero()[0]  # of truths it is found twice as fast as of numbers
        return here.take(there) - 1, there

    def _looked_up(self, other: Ids) -> tuple[Places, Places]:
        """Return the places by looking up each document of the shorter list in the longer."""
        assert self.ids is not None  # noqa: S101 - said by the caller
        shorter, longer = (self.ids, other) if len(self.ids) < len(other) else (other, self.ids)
        places = longer.searchsorted(shorter)
        met = (longer.take(places, mode="clip") == shorter).nonzero()[0]
        held = places.take(met)
        return (met, held) if shorter is self.ids else (held, met)

    def only(self, kept: Places) -> "Selection":
        """Return a part of the selection, by places."""
        return Selection(self.size, kept.astype(np.int32) if self.ids is None else self.ids.take(kept))


@dataclass(slots=True, eq=False)
class Degrees:
    """Documents, each with a degree up to 1: as a list of them, or by document number."""

    ids: Ids
    values: NDArray[np.float32]  # of `ids`, or of each document of the index
    is_dense: bool = False
    count: int = 0  # where dense: how many are not 0

    def __len__(self) -> int:
        return self.count if self.is_dense else len(self.ids)

    @property
    def nbytes(self) -> int:
        return self.ids.nbytes + self.values.nbytes

    def add_to(self, sums: Sums, selection: Selection, weight: float) -> None:
        if self.is_dense:
            sums += selection.of(self.values) * sums.dtype.type(weight)
        else:
            here, there = selection.places(self.ids)
            np.add.at(sums, here, self.values[there] * sums.dtype.type(weight))

    def spread(self, sums: Sums, ids: Ids, weight: float) -> None:
        np.add.at(sums, ids.searchsorted(self.ids), self.values * sums.dtype.type(weight))

    def by_number(self, weight: float) -> NDArray[np.float32]:
        return self.values * np.float32(weight)

    def of(self, selection: Selection) -> NDArray[np.float32]:
        """Return the degree of each selected document."""
        if self.is_dense:
            found: NDArray[np.float32] = selection.of(self.values)
            return found
        found = np.zeros(len(selection), np.float32)
        here, there = selection.places(self.ids)
        found[here] = self.values[there]
        return found


NOTHING = Degrees(NO_IDS, np.empty(0, np.float32))


def by_number(values: NDArray[np.float32]) -> Degrees:
    """Keep the degrees of all documents, as a list where few have one."""
    holding = values != 0
    count = int(np.count_nonzero(holding))
    if count * MANY > len(values):
        return Degrees(NO_IDS, values, is_dense=True, count=count)
    ids = holding.nonzero()[0].astype(np.int32)
    return Degrees(ids, values.take(ids))


def highest(parts: list[Degrees], size: int) -> Degrees:
    """Return the highest degree of each document in any of the parts, which are given up."""
    parts = [one for one in parts if len(one)]
    if len(parts) < 2:
        return parts[0] if parts else NOTHING
    if any(one.is_dense for one in parts) or sum(map(len, parts)) * MANY > size:
        values = np.zeros(size, np.float32)
        for one in parts:
            if one.is_dense:
                np.maximum(values, one.values, out=values)
            else:
                values[one.ids] = np.maximum(values[one.ids], one.values)
        return by_number(values)
    first, *others = sorted(parts, key=len, reverse=True)
    if (
        len(others) == 1
        and len(held := first.ids.searchsorted(others[0].ids))
        and _are_at(first.ids, held, others[0].ids)
    ):
        first.values[held] = np.maximum(first.values.take(held), others[0].values)
        return first
    ids = united([one.ids for one in parts])
    values = np.zeros(len(ids), np.float32)
    for one in parts:
        places = ids.searchsorted(one.ids)
        values[places] = np.maximum(values[places], one.values)
    return Degrees(ids, values)


def _are_at(ids: Ids, places: Places, others: Ids) -> bool:
    """Whether all of `others`, each looked up in `ids`, are there."""
    return bool((ids.take(places, mode="clip") == others).all())


def united(lists: list[Ids]) -> Ids:
    """Return the documents of all lists, in order."""
    if len(lists) == 1:
        return lists[0]
    every = np.sort(np.concatenate(lists))
    first = np.empty(len(every), bool)
    first[:1] = True
    np.not_equal(every[1:], every[:-1], out=first[1:])
    return every[first]


@dataclass(slots=True, eq=False)
class Weighed:
    """Documents with the sum of what weighs for them; of all documents of the index, `match` tells those that do."""

    selection: Selection
    sums: Sums
    match: Mask | None = None

    def degrees(self, total: float) -> Degrees:
        """Return the sums as shares of `total`."""
        values = (self.sums / self.sums.dtype.type(total)).astype(np.float32, copy=False)
        if self.selection.ids is not None:
            return Degrees(self.selection.ids, values)
        values *= self.match
        return by_number(values)


def weigh(lists: list[tuple[Any, float]], least: float, size: int) -> Weighed:
    """Return the documents for which the lists, each with its weight, sum up to `least`.

    Lists so light that all of them together do not reach `least` bring no document by themselves: the longest
    such lists are only looked up for the documents of the others.
    """
    least = max(least * (1 - SLACK), 1e-9)
    slack = min(ROUNDING * sum(weight for _one, weight in lists), least / 2)
    light = 0.0
    looked_up: list[tuple[Any, float]] = []
    rest: list[tuple[Any, float]] = []
    for one, weight in sorted(lists, key=lambda pair: len(pair[0]), reverse=True):
        if not rest and light + weight < least:
            light += weight
            looked_up.append((one, weight))
        else:
            rest.append((one, weight))
    selection, sums = _sum(rest, least - light - slack, size)
    for one, weight in reversed(looked_up):
        one.add_to(sums, selection, weight)
        light -= weight
        selection, sums = _narrowed(selection, sums, least - light - slack)
    return Weighed(selection, sums, sums >= least - slack if selection.ids is None else None)


def _narrowed(selection: Selection, sums: Sums, least: float) -> tuple[Selection, Sums]:
    """Leave out the documents that do not reach `least`; most of all documents stay as they are."""
    enough = sums >= least
    if selection.ids is None and int(np.count_nonzero(enough)) * MANY > selection.size:
        return selection, sums
    kept = enough.nonzero()[0]
    if len(kept) == len(sums):
        return selection, sums
    return selection.only(kept), sums.take(kept).astype(np.float64, copy=False)


def _sum(lists: list[tuple[Any, float]], least: float, size: int) -> tuple[Selection, Sums]:
    """Return the documents for which the lists sum up to `least`, looking at all."""
    lists = [pair for pair in lists if len(pair[0])]
    if not lists:
        return Selection(size, NO_IDS), np.empty(0)
    if sum(len(one) for one, _weight in lists) * SHORT < size:
        selection = Selection(size, united([one.ids for one, _weight in lists]))
        sums: Sums = np.zeros(len(selection))
        for one, weight in lists:
            one.spread(sums, selection.ids, weight)
    elif len(lists) == 1 and lists[0][0].is_dense:
        selection, sums = Selection(size), lists[0][0].by_number(lists[0][1])
    else:
        selection, sums = Selection(size), np.zeros(size, np.float32)
        for one, weight in lists:
            one.add_to(sums, selection, weight)
    return _narrowed(selection, sums, least)

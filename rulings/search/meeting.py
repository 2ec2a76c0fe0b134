"""Sorted lists of documents: where they meet, and which documents several of them weigh enough together."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[Any]  # int32
Floats = NDArray[np.float64]
Places = NDArray[np.intp]

SHORT = 20  # times all lists, and the index is longer: then they are sorted, else spread over it
FAR_SMALLER = 12  # times: then each number is looked up, else both lists are gone through
COMMON = 4  # a list of one document in so many, or more, is kept by document number
NO_IDS: Ids = np.empty(0, np.int32)
SLACK = 1e-6  # of a threshold: the order of additions does not decide


@dataclass(frozen=True, slots=True)
class Weighed:
    """Documents, each with a value times `weight`; a value is at most 1 where `weigh` is to leave lists out."""

    ids: Ids
    weight: float
    values: NDArray[np.float32] | None = None  # of each of `ids`; none: all 1
    dense: NDArray[np.float32] | None = None  # of each document of the index, instead of `ids` and `values`
    count: int = 0  # of the documents in `dense`

    @classmethod
    def of(cls, ids: Ids, values: NDArray[np.float32], size: int) -> "Weighed":
        """Keep values in the form that takes less memory and time."""
        if len(ids) * COMMON < size:
            return cls(ids, 1.0, values)
        dense = np.zeros(size, np.float32)
        dense[ids] = values
        return cls(NO_IDS, 1.0, None, dense, len(ids))

    def __len__(self) -> int:
        return len(self.ids) if self.dense is None else self.count

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in (self.ids, self.values, self.dense) if part is not None)

    def at(self, places: Places | slice) -> Floats | float:
        return self.weight if self.values is None else self.values[places] * np.float64(self.weight)

    def all(self) -> Floats:
        whole = self.at(slice(None))
        return np.full(len(self.ids), whole) if isinstance(whole, float) else whole


def meet(one: Ids, other: Ids, size: int) -> tuple[Places, Places]:
    """Return the places in `one` and in `other` of the documents that both hold; `size` bounds the numbers."""
    if len(one) > len(other):
        there, here = meet(other, one, size)
        return here, there
    if not len(one):
        return np.empty(0, np.intp), np.empty(0, np.intp)
    if len(one) * FAR_SMALLER < len(other):
        places = np.searchsorted(other, one)
        np.minimum(places, len(other) - 1, out=places)
        here = np.flatnonzero(other[places] == one)
        return here, places[here]
    number: Ids = np.zeros(size, np.int32)
    number[one] = np.arange(1, len(one) + 1, dtype=np.int32)
    there = number[other]
    found = np.flatnonzero(there)
    return there[found] - 1, found


def union(lists: list[Ids], size: int) -> Ids:
    """Return the documents of all lists, in order."""
    lists = [one for one in lists if len(one)]
    if len(lists) < 2:
        return lists[0] if lists else np.empty(0, np.int32)
    if sum(map(len, lists)) * SHORT < size:
        return np.unique(np.concatenate(lists))
    mask = np.zeros(size, bool)
    for one in lists:
        mask[one] = True
    return np.flatnonzero(mask).astype(np.int32)


def weigh(lists: list[Weighed], least: float, size: int) -> tuple[Ids, Floats]:
    """Return the documents whose values sum up to `least`, and the sums.

    Lists so light that all of them together do not reach `least` bring no document by themselves: the longest
    such lists are only looked up for the documents of the others.
    """
    least = max(least * (1 - SLACK), 1e-9)
    light = 0.0
    looked_up: list[Weighed] = []
    rest: list[Weighed] = []
    for one in sorted(lists, key=len, reverse=True):
        if not rest and light + one.weight < least:
            light += one.weight
            looked_up.append(one)
        else:
            rest.append(one)
    ids, sums = _sum(rest, least - light, size)
    for one in reversed(looked_up):
        look_up(one, ids, sums, size)
        light -= one.weight
        kept = np.flatnonzero(sums >= least - light - 1e-12)
        if len(kept) < len(ids):
            ids, sums = ids[kept], sums[kept]
    return ids, sums


def _sum(lists: list[Weighed], least: float, size: int) -> tuple[Ids, Floats]:
    """Return the documents whose values sum up to `least`, looking at all."""
    if not lists:
        return np.empty(0, np.int32), np.empty(0)
    if len(lists) == 1 and lists[0].dense is None:
        ids, sums = lists[0].ids, lists[0].all()
    elif sum(map(len, lists)) * SHORT < size:
        ids, places = np.unique(np.concatenate([one.ids for one in lists]), return_inverse=True)
        sums = np.bincount(places, np.concatenate([one.all() for one in lists]), minlength=len(ids)).astype(np.float64)
    else:
        dense = np.zeros(size)
        for one in lists:
            if one.dense is not None:
                dense += one.dense * np.float64(one.weight)
            else:
                dense[one.ids] += one.at(slice(None))
        found = np.flatnonzero(dense >= least)
        return found.astype(np.int32), dense[found]
    kept = np.flatnonzero(sums >= least)
    return (ids, sums) if len(kept) == len(ids) else (ids[kept], sums[kept])


def look_up(one: Weighed, ids: Ids, sums: Floats, size: int) -> None:
    """Add the values of a list to the sums of the documents `ids`."""
    if one.dense is not None:
        sums += one.dense[ids] * np.float64(one.weight)
        return
    here, there = meet(ids, one.ids, size)
    sums[here] += one.at(there)

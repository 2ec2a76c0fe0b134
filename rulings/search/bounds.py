"""Which of many documents can be among the best: by what their marks let them reach at most.

Scoring a document exactly is dear, so it is done for these only. The bounds are tight: what a mark leaves open is a
255th of the most that its term adds.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.formula import CHAR_SCORE, GRAM_SHARE, LABEL_SCORE, Boosts
from rulings.search.holding import Held, Way
from rulings.search.marks import BOOSTS, LEVELS
from rulings.search.meeting import Selection

BLOCK = 128  # documents, far from each other
ROUNDING = 1 + 1e-5  # of single precision

Bounds = NDArray[np.float32]
Rough = NDArray[np.uint16]


def growth(boosts: Boosts) -> float:
    """Return by how much more a posting may score than with the boosts that the marks were made with."""
    return max(boost / own for boost, own in zip(boosts, BOOSTS, strict=True))


def bounds(held: Sequence[Held], weights: Sequence[float], selection: Selection, boosts: Boosts) -> Bounds:
    """Return at least the score of each selected document, without what depends on no concept."""
    grown = growth(boosts)
    total = np.zeros(len(selection), np.float32)
    for one, weight in zip(held, weights, strict=True):
        best = _of_way(one.ways[0], selection, grown)
        for way in one.ways[1:]:
            np.maximum(best, _of_way(way, selection, grown), out=best)
        best *= one.degrees.of(selection)
        best *= np.float32(weight * ROUNDING)
        total += best
    return total


def _of_way(way: Way, selection: Selection, growth: float) -> Bounds:
    found = np.zeros(len(selection), np.float32)
    for term in way.words:
        term.add_marks(found, selection, growth * way.damping[0] * way.factor)
    for term in way.grams:
        term.add_marks(found, selection, growth * way.damping[1] * way.factor * GRAM_SHARE)
    if way.char is not None:
        way.char.add_to(found, selection, CHAR_SCORE * way.factor)
    if way.labelled is not None:
        found[selection.places(way.labelled)[0]] += np.float32(LABEL_SCORE * way.factor)
    return found


def rough(held: Sequence[Held], weights: Sequence[float], size: int, boosts: Boosts) -> tuple[Rough, float]:
    """Return at least the score of every document of the index, whatever it covers, in units; and such a unit.

    Whole numbers take half the time. What is held by label or character alone is scored as if it were everywhere.
    """
    grown = growth(boosts) * ROUNDING
    parts = [(one.ways, weight * grown) for one, weight in zip(held, weights, strict=True)]
    apart = sum(max(way.most_apart for way in ways) * weight for ways, weight in parts)
    whole = apart + sum(max(way.most for way in ways) * weight for ways, weight in parts)
    count = sum(len(way.words) + len(way.grams) for ways, _weight in parts for way in ways)
    unit = max(whole, 1e-9) / (np.iinfo(np.uint16).max - LEVELS * (count + 1))
    total: Rough | None = None
    for ways, weight in parts:
        best = _rough_way(ways[0], size, weight / unit)
        for way in ways[1:]:
            np.maximum(best, _rough_way(way, size, weight / unit), out=best)
        total = best if total is None else np.add(total, best, out=total)
    if total is None:
        total = np.zeros(size, np.uint16)
    if apart:
        total += np.uint16(math.ceil(apart / unit))
    return total, unit


def _rough_way(way: Way, size: int, weight: float) -> Rough:
    found = np.zeros(size, np.uint16)
    for terms, part in ((way.words, way.damping[0]), (way.grams, way.damping[1] * GRAM_SHARE)):
        for term in terms:
            if len(term):
                term.mark()
                term.add_weighed(found, math.ceil(term.step * part * way.factor * weight))
    return found


def low_threshold(values: NDArray[Any], count: int) -> float:
    """Return a value that at least `count` of the values reach, found in one sweep where there are many; 0 else."""
    if count * 4 * BLOCK >= len(values):
        return 0.0
    whole = len(values) // BLOCK * BLOCK
    tops = values[:whole].reshape(BLOCK, -1).max(axis=0)
    return float(np.partition(tops, len(tops) - count)[len(tops) - count])


def threshold(values: NDArray[Any], count: int) -> float:
    """Return a value that at least `count` of the values reach, not far below the last of them."""
    if count >= len(values):
        return -1.0
    if count * 4 * BLOCK < len(values):
        values = values[values >= low_threshold(values, count)]
    return float(np.partition(values, len(values) - count)[len(values) - count])

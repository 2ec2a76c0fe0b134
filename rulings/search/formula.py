"""The constants of the score, and BM25 over fields as both the engine and the arrays beside it reckon it."""

from collections.abc import Iterable
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

B, K1 = 0.75, 1.2
GRAM_SHARE = 0.4  # of a word's weight
FULL_DEGREE = 0.7  # a concept held to a lesser degree counts half
LEAST_DEGREE = 0.5  # to a lesser one still, it is noise
COVERAGE_POWER = 1.5  # written as a product where it is used, which is faster
LABEL_SCORE = 2.0  # what a document under an alternative's label gets
CHAR_SCORE = 0.5
OTHER_THAN_TYPED = 0.85  # factor for other ways to say what is known as typed
LITERAL_SCORE = 1e-3
UNKNOWN = 0.5  # share of its information of what nothing holds: a query with one unknown word is answered all the same
UNCOVERED = 0.02
TIE = 6  # decimals to which scores are compared
SLACK = 1e-6  # of a threshold: the order of additions does not decide

MOST = 255  # frequency in a field; more adds nothing to a score

Floats = NDArray[np.float64]
Packed = NDArray[Any]  # little-endian uint32: the frequencies of a document's fields, eight bits each
Boosts = tuple[float, ...]  # by field


def of_field(tf: Packed, at: int) -> Packed:
    """Return the frequencies in one field."""
    return (tf >> np.uint32(8 * at)) & np.uint32(MOST)


def idf(size: int, df: NDArray[Any]) -> Floats:
    """Return the weight of terms that stand in `df` of `size` documents."""
    return np.log(size / (df + 1)) + 1


def idfs(size: int, df: Iterable[int]) -> tuple[float, ...]:
    """Return the weight of one term by field, as `idf` does, for which numpy takes longer."""
    return tuple([log(size / (count + 1)) + 1 for count in df])


def halve_partial(degrees: NDArray[Any]) -> None:
    """Let what holds a concept to a lesser degree count half: in sweeps, choosing places takes five times as long."""
    half = degrees.dtype.type(0.5)
    degrees *= (degrees >= FULL_DEGREE - SLACK) * half + half


def informing(size: int, count: int) -> float:
    """Return the information of what `count` of `size` documents hold."""
    return log(1 + size / (count + 0.5))


def norms(lengths: NDArray[np.float32], total: NDArray[Any]) -> NDArray[np.float32]:
    """Return what the length of each field of each document does to its score.

    `lengths`: an array of (fields, documents); `total`: of each field, over all documents of the index. The result
    is one of (documents, fields).
    """
    average = np.maximum(total / (lengths.shape[1] or 1), 1e-9)
    return np.ascontiguousarray(lengths.T) * (K1 * B / average).astype(np.float32) + np.float32(K1 * (1 - B))


def coefficients(idfs: Floats, boosts: Boosts) -> Floats:
    """Return what a term adds at most to a score, by field: the shape is that of `idfs`, (…, fields)."""
    found: Floats = idfs * (np.array(boosts) * (K1 + 1))
    return found


def impacts(packed: Packed, idfs: Floats, norms: NDArray[np.float32], boosts: Boosts) -> Floats:
    """Return the score of postings of the shape (…).

    `idfs` and `norms` have the shape (…, fields) or one that is spread to it, `packed` is contiguous.
    """
    often = packed.view(np.uint8).reshape(*packed.shape, 4)[..., : len(boosts)].astype(np.float64)
    weights = coefficients(idfs, boosts)
    scores: Floats = (often * weights / (often + norms)).sum(axis=-1)
    return scores

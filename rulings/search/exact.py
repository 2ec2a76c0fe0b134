"""The exact scores of some documents: their frequencies are looked up term by term, all else is done at once."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from rulings.search.arrays import IndexArrays
from rulings.search.formula import (
    CHAR_SCORE,
    FULL_DEGREE,
    GRAM_SHARE,
    LABEL_SCORE,
    LEAST_DEGREE,
    SLACK,
    Boosts,
    Floats,
    impacts,
)
from rulings.search.holding import Held, Looked, Way
from rulings.search.meeting import Ids

AT_ONCE = 2_000  # documents, which bounds the memory


def exact(
    index: IndexArrays, held: Sequence[Held], weights: Sequence[float], documents: Ids, boosts: Boosts
) -> tuple[Floats, Floats]:
    """Return score and coverage of `documents` (sorted), without what depends on no concept."""
    if not held:
        return np.zeros(len(documents)), np.zeros(len(documents))
    if len(documents) <= AT_ONCE:
        return _exact(index, held, weights, documents, boosts)
    starts = range(0, len(documents), AT_ONCE)
    parts = [_exact(index, held, weights, documents[start : start + AT_ONCE], boosts) for start in starts]
    scores, coverage = zip(*parts, strict=True)
    return np.concatenate(scores), np.concatenate(coverage)


def _exact(
    index: IndexArrays, held: Sequence[Held], weights: Sequence[float], documents: Ids, boosts: Boosts
) -> tuple[Floats, Floats]:
    degrees, scores = _of_group(index, "words", _joined([one.words for one in held]), documents, boosts)
    by_grams, found = _of_group(index, "grams", _joined([one.grams for one in held]), documents, boosts)
    np.maximum(degrees, by_grams, out=degrees)
    scores += GRAM_SHARE * found
    for at, way in enumerate(chain.from_iterable(one.ways for one in held)):
        if way.char is not None or way.labelled is not None:
            _by_char_and_label(way, degrees[at], scores[at], documents)
    degrees[degrees < LEAST_DEGREE * (1 - SLACK)] = 0.0
    degrees[degrees < FULL_DEGREE - SLACK] *= 0.5
    degrees *= np.array([*chain.from_iterable(one.discounts for one in held)])[:, None]
    scores *= degrees
    if len(scores) > len(held):
        scores *= np.array([*chain.from_iterable(one.factors for one in held)])[:, None]
        first = np.cumsum([0, *(len(one.ways) for one in held[:-1])])
        degrees, scores = np.maximum.reduceat(degrees, first), np.maximum.reduceat(scores, first)
    informing = np.array([weight * one.information for weight, one in zip(weights, held, strict=True)])
    return np.array(weights) @ scores, informing @ degrees / (informing.sum() or 1.0)


def _by_char_and_label(way: Way, degrees: Floats, scores: Floats, documents: Ids) -> None:
    if way.char is not None:
        holding = way.char.held_by(documents)
        np.maximum(degrees, holding, out=degrees)
        scores += CHAR_SCORE * holding
    if way.labelled is not None:
        labelled = np.isin(documents, way.labelled, assume_unique=True)
        degrees[labelled] = 1.0
        scores += LABEL_SCORE * labelled


def _joined(parts: list[Looked]) -> Looked:
    """Return what is looked up for all concepts."""
    if len(parts) == 1:
        return parts[0]
    terms = [term for one in parts for term in one.terms]
    shares, damped = np.zeros((2, sum(len(one.shares) for one in parts), len(terms)))
    way = place = 0
    for one in parts:
        ways, places = slice(way, way := way + len(one.shares)), slice(place, place := place + len(one.terms))
        shares[ways, places], damped[ways, places] = one.shares, one.damped
    return Looked(terms, np.concatenate([one.idfs for one in parts]), shares, damped)


def _of_group(index: IndexArrays, group: str, looked: Looked, documents: Ids, boosts: Boosts) -> tuple[Floats, Floats]:
    """Return degree and score of the documents by the terms of a group: arrays of (ways, documents)."""
    shape = len(looked.terms), len(documents)
    if not looked.terms:
        return np.zeros((len(looked.shares), len(documents))), np.zeros((len(looked.shares), len(documents)))
    codes, held = np.empty(shape, np.uint32), np.empty(shape, bool)
    for one, own_codes, own_held in zip(looked.terms, codes, held, strict=True):
        one.look_up(documents, own_codes, own_held)
    table = looked.terms[0].table
    packed = (codes if table is None else table.take(codes)) * held
    values = impacts(packed, looked.idfs[:, None], index.norms(group).take(documents, axis=0), boosts)
    return looked.shares @ held, looked.damped @ values

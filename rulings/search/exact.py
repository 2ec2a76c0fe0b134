"""The exact scores of some documents: their frequencies are looked up term by term, all else is done at once.

A call into numpy takes as long as its work on a hundred documents: so there are few, and what depends on the query
alone is put together once.
"""

from array import array
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from rulings.search.arrays import IndexArrays
from rulings.search.formula import (
    CHAR_SCORE,
    GRAM_SHARE,
    LABEL_SCORE,
    LEAST_DEGREE,
    SLACK,
    Boosts,
    Floats,
    coefficients,
    halve_partial,
)
from rulings.search.holding import Held, Way
from rulings.search.meeting import Ids

AT_ONCE = 2_000  # documents, which bounds the memory


class Scorer:
    """Scores documents for a query: score and coverage, without what depends on no concept."""

    def __init__(self, index: IndexArrays, held: Sequence[Held], weights: Sequence[float], boosts: Boosts) -> None:
        self._index = index
        self._ways = [*chain.from_iterable(one.ways for one in held)]
        self._apart = [at for at, way in enumerate(self._ways) if way.char is not None or way.labelled is not None]
        self._first = None
        if len(self._ways) > len(held):
            self._first = np.cumsum([0, *(len(one.ways) for one in held[:-1])])
            self._factors = np.array([[way.factor] for way in self._ways])
        self._discounts = None
        if any(way.discount != 1.0 for way in self._ways):
            self._discounts = np.array([[way.discount] for way in self._ways])
        self._weights = np.array(weights)
        informing = [weight * one.information for weight, one in zip(weights, held, strict=True)]
        self._informing = np.array(informing) / (sum(informing) or 1.0)
        self._take_terms(boosts)

    def _take_terms(self, boosts: Boosts) -> None:
        """Number the terms, words before grams, and note their parts in each way: of its information, of its score."""
        words = {id(one): one for way in self._ways for one in way.words if len(one)}
        grams = {id(one): one for way in self._ways for one in way.grams if len(one)}
        self._terms, self._words = [*words.values(), *grams.values()], len(words)
        numbers = {key: number for number, key in enumerate(chain(words, grams))}
        count, width = len(self._ways), len(numbers)
        shares, parts = array("d", bytes(16 * count * width)), array("d", bytes(8 * count * width))
        for at, way in enumerate(self._ways):
            for first, terms, part in (
                (at * width, way.words, way.damping[0]),
                ((count + at) * width, way.grams, way.damping[1] * GRAM_SHARE),
            ):
                total = sum([one.idf for one in terms])
                for one in terms:
                    number = numbers.get(id(one))
                    if number is not None:
                        shares[first + number] = one.idf / total
                        parts[at * width + number] = part
        self._shares = np.frombuffer(shares).reshape(2 * count, width)
        self._damped = np.frombuffer(parts).reshape(count, width)
        idfs = np.array([one.idfs for one in self._terms]).reshape(width, len(boosts))
        self._coefficients = coefficients(idfs, boosts)[:, :, None]

    def __call__(self, documents: Ids) -> tuple[Floats, Floats]:
        """Return score and coverage of `documents`, which are sorted."""
        if not self._ways:
            return np.zeros(len(documents)), np.zeros(len(documents))
        if len(documents) <= AT_ONCE:
            return self._some(documents)
        starts = range(0, len(documents), AT_ONCE)
        scores, coverage = zip(*(self._some(documents[start : start + AT_ONCE]) for start in starts), strict=True)
        return np.concatenate(scores), np.concatenate(coverage)

    def _some(self, documents: Ids) -> tuple[Floats, Floats]:
        degrees, scores = self._by_terms(documents)
        for at in self._apart:
            _by_char_and_label(self._ways[at], degrees[at], scores[at], documents)
        degrees[degrees < LEAST_DEGREE * (1 - SLACK)] = 0.0
        halve_partial(degrees)
        if self._discounts is not None:
            degrees *= self._discounts
        scores *= degrees
        if self._first is not None:
            scores *= self._factors
            degrees, scores = np.maximum.reduceat(degrees, self._first), np.maximum.reduceat(scores, self._first)
        return self._weights @ scores, self._informing @ degrees

    def _by_terms(self, documents: Ids) -> tuple[Floats, Floats]:
        """Return degree and score of the documents by their terms alone: arrays of (ways, documents)."""
        count, words = len(self._ways), self._words
        if not self._terms:
            return np.zeros((count, len(documents))), np.zeros((count, len(documents)))
        packed, held = self._looked_up(documents)
        often = packed.view(np.uint8).reshape(*packed.shape, 4).astype(np.float64)
        over = often.copy()
        if words:
            over[:words] += self._index.norms("words").take(documents, axis=0)
        if words < len(over):
            over[words:] += self._index.norms("grams").take(documents, axis=0)
        often /= over
        shares = self._shares @ held
        return np.maximum(shares[:count], shares[count:]), self._damped @ np.matmul(often, self._coefficients)[:, :, 0]

    def _looked_up(self, documents: Ids) -> tuple[NDArray[np.uint32], Floats]:
        """Return for each term the frequencies in the documents, and whether they hold it: (terms, documents)."""
        shape = len(self._terms), len(documents)
        packed, nearest = np.empty(shape, np.uint32), np.empty(shape, documents.dtype)
        for start, end in ((0, self._words), (self._words, len(self._terms))):
            terms = self._terms[start:end]  # of a group: they share a table
            if terms:
                codes = [term.look_up(documents, near) for term, near in zip(terms, nearest[start:end], strict=True)]
                table = terms[0].table
                packed[start:end] = codes if table is None else table.take(codes, mode="clip")
        held = nearest == documents
        packed *= held
        return packed, held.astype(np.float64)


def _by_char_and_label(way: Way, degrees: Floats, scores: Floats, documents: Ids) -> None:
    if way.char is not None:
        holding = way.char.held_by(documents)
        np.maximum(degrees, holding, out=degrees)
        scores += CHAR_SCORE * holding
    if way.labelled is not None and len(way.labelled):
        labelled = way.labelled.take(way.labelled.searchsorted(documents), mode="clip") == documents
        degrees[labelled] = 1.0
        scores += LABEL_SCORE * labelled

"""Which documents hold a concept, and to which degree: by how much of its terms' information they have."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulings.search.arrays import IndexArrays
from rulings.search.engine import Alternative, Concept
from rulings.search.formula import (
    CHAR_SCORE,
    GRAM_SHARE,
    LABEL_SCORE,
    LEAST_DEGREE,
    OTHER_THAN_TYPED,
    SLACK,
    UNKNOWN,
    halve_partial,
    informing,
)
from rulings.search.meeting import MANY, NO_IDS, Degrees, Ids, by_number, highest, weigh
from rulings.search.postings import TermList

BITS = 8
_SETS = np.unpackbits(np.arange(1 << BITS, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.float64)


@dataclass(slots=True, eq=False)
class Way:
    """An alternative with the lists of its terms."""

    words: list[TermList]
    grams: list[TermList]
    char: TermList | None  # an alternative of one character has no grams
    labelled: Ids | None
    damping: tuple[float, float]  # of words, of grams: a long word is not many words
    discount: float
    factor: float = 1.0

    @property
    def most_apart(self) -> float:
        """At least what its character and its labels add to the score of any document."""
        return (CHAR_SCORE * (self.char is not None) + LABEL_SCORE * (self.labelled is not None)) * self.factor

    @property
    def most(self) -> float:
        """At least the score of any document."""
        words, grams = (
            sum(one.most for one in some) * part
            for some, part in zip((self.words, self.grams), self.damping, strict=True)
        )
        return (words + GRAM_SHARE * grams) * self.factor + self.most_apart


@dataclass(slots=True, eq=False)
class Held:
    """The documents that hold a concept."""

    ways: list[Way]
    degrees: Degrees
    information: float
    terms: int  # how many are looked up for each document that is scored
    _most: float = -1.0

    @property
    def most(self) -> float:
        """At least the score of any document."""
        if self._most < 0:
            self._most = max(way.most for way in self.ways)
        return self._most

    @property
    def nbytes(self) -> int:
        return self.degrees.nbytes + 3_000 * len(self.ways)


def held(index: IndexArrays, concept: Concept) -> Held:
    """Return the documents that hold a concept in any of its ways; kept, because queries share words."""
    key = ("held", concept.alternatives)
    found: Held = index.cache.get(key, lambda: _held(index, concept.alternatives), lambda one: one.nbytes)
    return found


def _held(index: IndexArrays, alternatives: Iterable[Alternative]) -> Held:
    ways: list[Way] = []
    parts: list[Degrees] = []
    as_typed = 1.0
    for alternative in alternatives:
        way = _way(index, alternative)
        way.factor = as_typed if ways else 1.0
        part = _degrees(index, way)
        if not ways and len(part):
            as_typed = OTHER_THAN_TYPED
        ways.append(way)
        parts.append(part)
    degrees = highest(parts, index.size)
    if degrees.is_dense:
        holding = int(np.count_nonzero((degrees.values != 0) & index.alive))
    else:
        holding = int(np.count_nonzero(index.alive.take(degrees.ids)))
    information = informing(index.size, holding) if holding else UNKNOWN * informing(index.size, 1)
    return Held(ways, degrees, information, sum(1 for way in ways for one in (*way.words, *way.grams) if len(one)))


def _way(index: IndexArrays, alternative: Alternative) -> Way:
    is_single = len(alternative.text) == 1
    grams = () if is_single else alternative.grams
    labelled = None
    if alternative.labels:
        labelled = np.flatnonzero(index.labelled(alternative.labels)).astype(np.int32)
    return Way(
        [index.term("words", term) for term in dict.fromkeys(alternative.words)],
        [index.term("grams", term) for term in dict.fromkeys(grams)],
        index.term("chars", alternative.text) if is_single else None,
        labelled,
        (1 / max(1.0, len(alternative.words) ** 0.5), 1 / max(1.0, len(grams) ** 0.5)),
        alternative.discount,
    )


def _degrees(index: IndexArrays, way: Way) -> Degrees:
    if way.char is None and way.labelled is None and _is_common(way, index.size):
        return _by_number(way, index.size)
    parts = [_of_terms(way.words, index.size)]
    parts.append(_of_terms([way.char], index.size) if way.char else _of_terms(way.grams, index.size))
    if way.labelled is not None:
        parts.append(Degrees(way.labelled, np.ones(len(way.labelled), np.float32)))
    found = highest(parts, index.size)
    values = found.values
    halve_partial(values)
    if way.discount != 1.0:
        values *= np.float32(way.discount)
    return found


def _of_terms(terms: list[TermList], size: int) -> Degrees:
    """Return the documents that hold enough of the terms, and to which degree."""
    total = sum(one.idf for one in terms)
    if not total:
        return Degrees(NO_IDS, np.empty(0, np.float32))
    if len(terms) == 1 and len(terms[0]) * MANY <= size:
        return Degrees(terms[0].ids, np.ones(len(terms[0]), np.float32))
    return weigh([(one, one.idf) for one in terms], LEAST_DEGREE * total, size).degrees(total)


# -- ways that many documents say ------------------------------------------------------------------------------------


def _is_common(way: Way, size: int) -> bool:
    """Whether a good part of the index may say it, in few terms."""
    if len(way.words) + len(way.grams) > BITS:
        return False
    return any(_brought(terms) * MANY > size for terms in (way.words, way.grams))


def _brought(terms: list[TermList]) -> int:
    """Return how many documents the terms bring that are not only looked up (see `weigh`)."""
    light, count = 0.0, 0
    least = LEAST_DEGREE * sum(one.idf for one in terms)
    for one in sorted(terms, key=len, reverse=True):
        if not count and light + one.idf < least:
            light += one.idf
        else:
            count += len(one)
    return count


def _by_number(way: Way, size: int) -> Degrees:
    """Return the degrees of all documents: what terms one holds makes a number, under which its degree stands."""
    codes = np.zeros(size, np.uint8)
    terms = [*way.words, *way.grams]
    for at, term in enumerate(terms):
        if term.row is not None:
            codes |= (term.row != 0).view(np.uint8) << np.uint8(at)
        elif len(term):
            codes[term.ids] |= np.uint8(1 << at)
    values = _table(way)[: 1 << len(terms)].take(codes, mode="clip")
    return by_number(values)


def _table(way: Way) -> NDArray[np.float32]:
    """Return the degree for each set of terms that a document may hold."""
    degrees = np.zeros(1 << BITS)
    for terms, held_ones in ((way.words, _SETS), (way.grams, _SETS[:, len(way.words) :])):
        total = sum(one.idf for one in terms)
        if total:
            shares = np.array([one.idf / total for one in terms])
            np.maximum(degrees, held_ones[:, : len(terms)] @ shares, out=degrees)
    degrees[degrees < LEAST_DEGREE * (1 - SLACK)] = 0.0
    halve_partial(degrees)
    return (degrees * way.discount).astype(np.float32)

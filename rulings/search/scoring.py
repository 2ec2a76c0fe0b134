"""Which documents match a query, and how well: BM25 per field, weighed by how much of the query they cover.

A document is no better for holding one word often than for holding most of what was asked: its score is scaled by
its coverage, the share of the query's information (rare concepts carry more) that it holds.

Exact for every document that matches, yet most documents are never looked at: what holds only the common words of a
query cannot cover enough of it (see `meeting.weigh`). A concept's documents are kept, because queries share words.
`tests/search/exhaustive.py` says the same without any of this.
"""

import math
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from rulings.search.arrays import K1, YEAR, Floats, IndexArrays
from rulings.search.dates import FAR_PAST
from rulings.search.engine import FIELDS, Alternative, Concept, EngineQuery
from rulings.search.inverting import of_field
from rulings.search.meeting import SLACK, Ids, Weighed, look_up, meet, union, weigh

GRAM_SHARE = 0.4  # of a word's weight
FULL_DEGREE = 0.7  # a concept held to a lesser degree counts half
LEAST_DEGREE = 0.5  # to a lesser one still, it is noise
COVERAGE_POWER = 1.5  # written as a product below, which is faster
LABEL_SCORE = 2.0  # what a document under an alternative's label gets
CHAR_SCORE = 0.5
OTHER_THAN_TYPED = 0.85  # factor for other ways to say what is known as typed
LITERAL_SCORE = 1e-3
UNCOVERED = 0.02
TIE = 6  # decimals to which scores are compared

Boosts = tuple[float, ...]  # by field


@dataclass(frozen=True, slots=True)
class Held:
    """The documents that hold a concept: to which degree, with which score."""

    degrees: Weighed
    scores: Weighed
    information: float

    @property
    def nbytes(self) -> int:
        return self.degrees.nbytes + self.scores.nbytes


@dataclass(slots=True)
class Evaluation:
    """The documents that match and that the filters let through."""

    ids: Ids
    scores: Floats
    coverage: Floats
    information: tuple[float, ...]
    unfiltered: Ids


def _degrees(index: IndexArrays, group: str, terms: tuple[str, ...]) -> tuple[Ids, Floats]:
    """Return the documents that hold enough of the terms, and to which degree (0 to 1, by idf)."""
    lists, total = [], 0.0
    for term in dict.fromkeys(terms):
        ids, _tf = index.postings(group, term)
        idf = math.log(1 + index.size / (len(ids) + 0.5))
        total += idf
        lists.append(Weighed(ids, idf))
    if not total:
        return np.empty(0, np.int32), np.empty(0)
    ids, sums = weigh(lists, LEAST_DEGREE * total, index.size)
    return ids, sums / total


def _impacts(index: IndexArrays, group: str, terms: tuple[str, ...], ids: Ids, boosts: Boosts) -> Floats:
    """Return the BM25 score of the documents `ids` for the terms, damped: a long word is not many words."""
    if not terms or not len(ids):
        return np.zeros(len(ids))
    rows, packed, weights = [], [], []
    for term in dict.fromkeys(terms):
        holding, tf = index.postings(group, term)
        here, there = meet(ids, holding, index.size)
        rows.append(here)
        packed.append(tf[there])
        weights.append(index.idf(group, term))
    numbers = np.repeat(np.arange(len(rows)), [len(part) for part in rows])
    row, tf = np.concatenate(rows), np.concatenate(packed)
    idf, norms, scores = np.array(weights), index.norms(group), np.zeros(len(ids))
    for at, boost in enumerate(boosts):
        frequency = of_field(tf, at)
        held = np.flatnonzero(frequency)
        if len(held):
            found = row[held]
            often = frequency[held].astype(np.float64)
            values = boost * idf[numbers[held], at] * (often * (K1 + 1)) / (often + norms[at][ids[found]])
            scores += np.bincount(found, values, minlength=len(ids))
    return scores / max(1.0, len(terms) ** 0.5)


def _spread(target: Floats, ids: Ids, part: Ids, values: Floats | float, size: int) -> None:
    """Raise `target`, one value for each of `ids`, to the values of the documents `part` of them."""
    here, there = meet(ids, part, size)
    target[here] = np.maximum(target[here], values if isinstance(values, float) else values[there])


def _alternative(index: IndexArrays, alternative: Alternative, boosts: Boosts) -> tuple[Ids, Floats, Floats]:
    """Return the documents that say an alternative, with degree and score."""
    single = len(alternative.text) == 1
    parts = [_degrees(index, "chars", (alternative.text,)) if single else _degrees(index, "grams", alternative.grams)]
    parts.append(_degrees(index, "words", alternative.words))
    labelled = np.flatnonzero(index.labelled(alternative.labels)).astype(np.int32) if alternative.labels else None
    ids = union([part for part, _degree in parts] + ([] if labelled is None else [labelled]), index.size)
    degree = np.zeros(len(ids))
    for part, degrees in parts:
        _spread(degree, ids, part, degrees, index.size)
    if single:
        scores = CHAR_SCORE * np.isin(ids, parts[0][0], assume_unique=True)
    else:
        scores = GRAM_SHARE * _impacts(index, "grams", alternative.grams, ids, boosts)
    scores += _impacts(index, "words", alternative.words, ids, boosts)
    if labelled is not None:
        here, _there = meet(ids, labelled, index.size)
        degree[here] = 1.0
        scores[here] += LABEL_SCORE
    degree[degree < FULL_DEGREE - SLACK] *= 0.5
    return ids, degree * alternative.discount, scores * degree * alternative.discount


def _held(index: IndexArrays, concept: Concept, boosts: Boosts) -> Held:
    """Return the documents that hold a concept in any of its ways."""
    found = [_alternative(index, alternative, boosts) for alternative in concept.alternatives]
    ids = union([part for part, _degree, _score in found], index.size)
    degrees, scores = np.zeros(len(ids)), np.zeros(len(ids))
    as_typed = 1.0
    for at, (part, degree, score) in enumerate(found):
        _spread(degrees, ids, part, degree, index.size)
        _spread(scores, ids, part, score * as_typed if at else score, index.size)
        if at == 0 and len(part):
            as_typed = OTHER_THAN_TYPED
    holding = max(1, int(index.alive[ids].sum()))  # an unknown word is rare, not more
    information = math.log(1 + index.size / (holding + 0.5))
    return Held(
        Weighed.of(ids, degrees.astype(np.float32), index.size),
        Weighed.of(ids, scores.astype(np.float32), index.size),
        information,
    )


def _kept(index: IndexArrays, concept: Concept, boosts: Boosts) -> Held:
    key = ("held", concept.alternatives, boosts)
    held: Held = index.cache.get(key, lambda: _held(index, concept, boosts), lambda one: one.nbytes)
    return held


def evaluate(index: IndexArrays, query: EngineQuery) -> Evaluation:
    """Return the documents that match, with their scores."""
    boosts = tuple(query.boosts.get(field, 1.0) for field in FIELDS)
    held = [_kept(index, concept, boosts) for concept in query.concepts]
    lists = [
        replace(one.degrees, weight=concept.weight * one.information)
        for one, concept in zip(held, query.concepts, strict=True)
    ]
    total = sum(one.weight for one in lists)
    ids, sums = weigh(lists, query.minimum * total, index.size)
    literal = _literal(index, query.literal)
    ids, sums = _with(literal, ids, sums, lists, index.size)
    let_through = index.allowed(query)[ids]
    if query.only is not None:
        let_through &= np.isin(index.column("entry")[ids], list(query.only))
    allowed, unfiltered = np.flatnonzero(let_through), ids
    ids, coverage = ids[allowed], sums[allowed] / (total or 1.0)
    scores = _scores(query, held, ids, index.size)
    scores[meet(ids, literal, index.size)[0]] += LITERAL_SCORE
    scores *= UNCOVERED + coverage * np.sqrt(coverage)
    if query.label_boosts:
        scores *= index.factors(query.label_boosts)[ids]
    return Evaluation(ids, scores, coverage, tuple(one.information for one in held), unfiltered)


def _scores(query: EngineQuery, held: list[Held], ids: Ids, size: int) -> Floats:
    """Return the scores of the documents `ids` for all concepts."""
    scores = np.zeros(len(ids))
    for one, concept in zip(held, query.concepts, strict=True):
        look_up(replace(one.scores, weight=concept.weight), ids, scores, size)
    return scores


def _literal(index: IndexArrays, grams: tuple[str, ...]) -> Ids:
    """Return the documents that hold all grams."""
    lists = [index.postings("chars" if len(gram) == 1 else "grams", gram)[0] for gram in grams]
    lists.sort(key=len)
    found = lists[0] if lists else np.empty(0, np.int32)
    for other in lists[1:]:
        if not len(found):
            break
        found = found[meet(found, other, index.size)[0]]
    return found


def _with(literal: Ids, ids: Ids, sums: Floats, lists: list[Weighed], size: int) -> tuple[Ids, Floats]:
    """Let documents match that do not cover enough, but hold the query as typed."""
    known, _there = meet(literal, ids, size)
    if len(known) == len(literal):
        return ids, sums
    more = np.delete(literal, known)
    added = np.zeros(len(more))
    for one in lists:
        look_up(one, more, added, size)
    both = np.concatenate([ids, more])
    order = np.argsort(both)
    return both[order], np.concatenate([sums, added])[order]


def count(index: IndexArrays, query: EngineQuery, unfiltered: Ids) -> dict[str, int]:
    """Count what matches under each label that is asked for, as if its own dimension were not filtered."""
    shown: dict[str, Ids] = {}
    counts: dict[str, int] = {}
    for label in query.counted:
        dimension = label.partition(":")[0] + ":"
        if dimension not in shown:
            shown[dimension] = _shown(index, query, unfiltered, dimension)
        counts[label] = int(np.count_nonzero(index.labelled(frozenset((label,)))[shown[dimension]]))
    return counts | (_years(index, _shown(index, query, unfiltered, YEAR)) if query.counted else {})


def _shown(index: IndexArrays, query: EngineQuery, unfiltered: Ids, dimension: str) -> Ids:
    ids = unfiltered[index.allowed(query, dimension)[unfiltered]]
    hidden = query.left_out if dimension != "status:" else frozenset()
    return ids[~index.labelled(hidden)[ids]] if hidden else ids


def _years(index: IndexArrays, ids: Ids) -> dict[str, int]:
    """Count by the year in which a wording took effect; one of unknown beginning counts under none."""
    days, numbers = np.unique(index.column("since")[ids], return_counts=True)
    counts: dict[str, int] = {}
    for day, number in zip(days.tolist(), numbers.tolist(), strict=True):
        if day != FAR_PAST:
            label = f"{YEAR}{date.fromordinal(int(day)).year}"
            counts[label] = counts.get(label, 0) + int(number)
    return counts


def best(scores: Floats, ids: Ids, tie: NDArray[np.int64], limit: int) -> NDArray[np.intp]:
    """Return the places of the best `limit` scores, ties by the `tie` of their documents."""
    if 0 < limit < len(scores):
        last = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        places = np.flatnonzero(scores >= last - 10**-TIE)
    else:
        places = np.arange(len(scores))
    order = np.lexsort((tie[ids[places]], -np.round(scores[places], TIE)))
    return places[order][:limit]

"""Which documents match a query, and how well: BM25 per field, weighed by how much of the query they cover.

A document is no better for holding one word often than for holding most of what was asked: its score is scaled by
its coverage, the share of the query's information (rare concepts carry more) that it holds.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulings.search.arrays import Floats, IndexArrays, Mask
from rulings.search.engine import FIELDS, Alternative, Concept, EngineQuery

WORD_FIELDS = tuple(f"{field}_words" for field in FIELDS)
GRAM_FIELDS = tuple(f"{field}_grams" for field in FIELDS)
CHAR_FIELDS = ("chars",)
GRAM_SHARE = 0.4  # of a word's weight
FULL_DEGREE = 0.7  # a concept held to a lesser degree counts half
LEAST_DEGREE = 0.5  # to a lesser one still, it is noise
COVERAGE_POWER = 1.5
LABEL_SCORE = 2.0  # what a document under an alternative's label gets
CHAR_SCORE = 0.5
OTHER_THAN_TYPED = 0.85  # factor for other ways to say what is known as typed


@dataclass(slots=True)
class Evaluation:
    """One value per document."""

    scores: Floats
    coverage: Floats
    matching: Mask
    matching_all: Mask  # before the filters
    information: tuple[float, ...]


def _degree(index: IndexArrays, fields: tuple[str, ...], terms: tuple[str, ...]) -> Floats:
    """Return to which degree (0 to 1, by idf) each document holds the terms."""
    held = np.zeros(index.size)
    total = 0.0
    for term in dict.fromkeys(terms):
        documents = index.holding(fields, term)
        idf = math.log(1 + index.size / (len(documents) + 0.5))
        held[documents] += idf
        total += idf
    return held / total if total else held


def _impacts(index: IndexArrays, fields: tuple[str, ...], terms: tuple[str, ...], query: EngineQuery) -> Floats:
    """Return the BM25 score of each document for the terms, damped: a long word is not many words."""
    scores = np.zeros(index.size)
    for term in dict.fromkeys(terms):
        for field, name in zip(fields, FIELDS, strict=True):
            ids, impacts = index.impacts(field, term)
            if len(ids):
                scores[ids] += query.boosts.get(name, 1.0) * impacts
    return scores / max(1.0, len(terms) ** 0.5)


def _alternative(index: IndexArrays, alternative: Alternative, query: EngineQuery) -> tuple[Floats, Floats]:
    """Return degree and score of each document for one alternative."""
    scores = np.zeros(index.size)
    if len(alternative.text) == 1:
        degree = _degree(index, CHAR_FIELDS, (alternative.text,))
        scores += CHAR_SCORE * degree
    else:
        degree = _degree(index, GRAM_FIELDS, alternative.grams)
        scores += GRAM_SHARE * _impacts(index, GRAM_FIELDS, alternative.grams, query)
    if alternative.words:
        np.maximum(degree, _degree(index, WORD_FIELDS, alternative.words), out=degree)
        scores += _impacts(index, WORD_FIELDS, alternative.words, query)
    if alternative.labels:
        labelled = index.labelled(alternative.labels)
        degree[labelled] = 1.0
        scores[labelled] += LABEL_SCORE
    degree[degree < LEAST_DEGREE] = 0.0
    degree[degree < FULL_DEGREE] *= 0.5
    return degree * alternative.discount, scores * degree * alternative.discount


def _concept(index: IndexArrays, concept: Concept, query: EngineQuery) -> tuple[Floats, Floats, float]:
    """Return degree, score and information of a concept."""
    degree, score = np.zeros(index.size), np.zeros(index.size)
    known = 1.0
    for at, alternative in enumerate(concept.alternatives):
        one_degree, one_score = _alternative(index, alternative, query)
        if at:
            one_score *= known
        elif one_degree.any():
            known = OTHER_THAN_TYPED
        np.maximum(degree, one_degree, out=degree)
        np.maximum(score, one_score, out=score)
    holding = max(1, int(np.count_nonzero(degree[index.alive] > 0)))  # an unknown word is rare, not more
    return degree, score, math.log(1 + index.size / (holding + 0.5))


def evaluate(index: IndexArrays, query: EngineQuery) -> Evaluation:
    """Score every document."""
    scores, coverage = np.zeros(index.size), np.zeros(index.size)
    total, information = 0.0, []
    for concept in query.concepts:
        degree, score, informs = _concept(index, concept, query)
        weight = concept.weight * informs
        coverage += weight * degree
        scores += concept.weight * score
        total += weight
        information.append(informs)
    if total:
        coverage /= total
    matching = coverage >= max(query.minimum, 1e-9)
    if query.literal:
        literal = np.ones(index.size, bool)
        for gram in query.literal:
            holds = np.zeros(index.size, bool)
            holds[index.holding(CHAR_FIELDS if len(gram) == 1 else GRAM_FIELDS, gram)] = True
            literal &= holds
        matching |= literal
        scores[literal] += 1e-3
    scores *= 0.02 + coverage**COVERAGE_POWER
    for label, boost in query.label_boosts.items():
        scores[index.labelled(frozenset((label,)))] *= boost
    return Evaluation(scores, coverage, matching & _allowed(index, query), matching, tuple(information))


def _allowed(index: IndexArrays, query: EngineQuery, freed: str = "") -> Mask:
    """Return which documents the filters let through, without what is required of the dimension `freed`."""
    mask = index.alive.copy()
    for labels in query.required:
        if not freed or not all(label.startswith(freed) for label in labels):
            mask &= index.labelled(labels)
    if query.excluded:
        mask &= ~index.labelled(query.excluded)
    if query.on is not None:
        on = query.on.toordinal()
        mask &= (index.column("since") <= on) & (index.column("until") > on)
        if query.in_force:
            mask &= index.column("held_until") > on
    return mask


def count(index: IndexArrays, query: EngineQuery, evaluation: Evaluation) -> dict[str, int]:
    """Count what matches under each label that is asked for, as if its own dimension were not filtered."""
    shown: dict[str, Mask] = {}
    hidden = index.labelled(query.left_out)
    counts = {}
    for label in query.counted:
        dimension = label.partition(":")[0] + ":"
        if dimension not in shown:
            shown[dimension] = evaluation.matching_all & _allowed(index, query, dimension)
            if dimension != "status:":
                shown[dimension] &= ~hidden
        counts[label] = int((shown[dimension] & index.labelled(frozenset((label,)))).sum())
    return counts


def best(evaluation: Evaluation, shown: Mask, tie: NDArray[np.int64], limit: int) -> list[int]:
    """Return the document numbers of the best `limit`, ties by `tie`."""
    numbers = np.flatnonzero(shown)
    order = np.lexsort((tie[numbers], -np.round(evaluation.scores[numbers], 9)))
    return [int(number) for number in numbers[order[:limit]]]

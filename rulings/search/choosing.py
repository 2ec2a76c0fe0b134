"""The best of the documents that match, in exact order, without scoring most of them.

First some that are likely are scored exactly: then it is known what a document must reach. Of the others, those that
their bounds let reach it are scored too. Which bounds are cheap depends on how many documents there are: by rough
marks where they are a good part of the index, else by how much of the query they cover.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rulings.search import bounds
from rulings.search.arrays import IndexArrays
from rulings.search.engine import FIELDS, EngineQuery
from rulings.search.exact import Scorer
from rulings.search.formula import COVERAGE_POWER, LITERAL_SCORE, TIE, UNCOVERED, Boosts, Floats
from rulings.search.matched import Matched
from rulings.search.meeting import Ids, Mask

CHEAP = 8_000  # times a term and a document: scored exactly without a look at bounds
MARGIN = 0.995  # of the bound of the last that is wanted: what may well be among the best
ROUGH_MARGIN = 0.97
LOW_MARGIN = 0.9  # what is below is looked at again only where it turns out that it may be among the best
WORTH_PARTING = 4  # times as many as are wanted: what is not among the best is left out before they are put in order
STEPS = 100  # in which it is looked for how much a document must cover

Places = NDArray[np.intp]


@dataclass(slots=True, eq=False)
class Best:
    """The best documents, in order."""

    ids: Ids
    scores: Floats
    coverage: Floats


def best(index: IndexArrays, query: EngineQuery, found: Matched, shown: Mask, count: int) -> Best:
    """Return the best `query.limit` of the `count` documents shown (places in the selection), ties by their ids."""
    boosts = tuple(query.boosts.get(name, 1.0) for name in FIELDS)
    weights = [concept.weight for concept in query.concepts]
    score = Scorer(index, found.held, weights, boosts)
    choice = _Choice(index, query, query.limit if query.limit > 0 else count, boosts, weights, score)
    choice.choose(found, shown, count)
    scored = choice.scored()
    keys = np.rint(scored.scores * -(10.0**TIE))
    if len(keys) > WORTH_PARTING * choice.limit:
        among = (keys <= np.sort(keys)[choice.limit]).nonzero()[0]  # parting them takes long where many are alike
        numbers = index.column("id").take(scored.ids.take(among))
        order = among.take(np.lexsort((numbers, keys.take(among)))[: choice.limit])
    else:
        order = np.lexsort((index.column("id").take(scored.ids), keys))[: choice.limit]
    return Best(scored.ids.take(order), scored.scores.take(order), scored.coverage.take(order))


@dataclass(slots=True, eq=False)
class _Choice:
    index: IndexArrays
    query: EngineQuery
    limit: int
    boosts: Boosts
    weights: list[float]
    score: Scorer
    known: list[Best] = field(default_factory=list)

    @property
    def highest_factor(self) -> float:
        return math.prod(max(1.0, boost) for boost in self.query.label_boosts.values())

    def choose(self, found: Matched, shown: Mask, count: int) -> None:
        """Score what is among the best, and little else."""
        if count <= self.limit or count * found.terms <= CHEAP:
            self._score(found, shown.nonzero()[0])
            return
        if found.selection.ids is None:
            left = self._by_rough_marks(found, shown)
        elif len(self.query.concepts) > 1:
            left = self._by_coverage(found, shown)
        else:
            left = shown.nonzero()[0]
        if len(left) * found.terms <= CHEAP:
            if len(left):
                self._score(found, left)
        else:
            self._by_bounds(found.only(left))

    def scored(self) -> Best:
        if len(self.known) == 1:
            return self.known[0]
        columns = [[one.ids, one.scores, one.coverage] for one in self.known]
        return Best(*(np.concatenate(column) for column in zip(*columns, strict=True)))

    def _score(self, found: Matched, places: Places) -> None:
        """Score the documents at some places of the selection exactly."""
        ids = found.ids_at(places)
        scores, coverage = self.score(ids)
        scores[found.as_typed(ids)] += LITERAL_SCORE
        scores *= UNCOVERED + coverage * np.sqrt(coverage)
        if self.query.label_boosts:
            scores *= self.index.factors(self.query.label_boosts).take(ids)
        self.known.append(Best(ids, scores, coverage))

    def _last(self) -> float:
        """Return what a document must reach to be among the best of those scored, ties included."""
        scores = np.concatenate([one.scores for one in self.known])
        if len(scores) < self.limit:
            return 0.0
        place = len(scores) - self.limit
        return float(np.partition(scores, place)[place]) - 2 * 10**-TIE

    # -- what may be among the best ------------------------------------------------------------------------------------

    def _by_rough_marks(self, found: Matched, shown: Mask) -> Places:
        """Score the likeliest of many documents; return the places of the others that may be as good."""
        rough, unit = bounds.rough(found.held, self.weights, self.index.size, self.boosts)
        rough *= shown.view(np.uint8).astype(np.uint16)  # a product with what is no number of its kind takes long
        floor = _units(bounds.low_threshold(rough, self.limit) * LOW_MARGIN)
        among = (rough >= floor).nonzero()[0] if floor else shown.nonzero()[0]
        reached = rough.take(among)
        is_likely = reached >= _units(bounds.threshold(reached, self.limit) * ROUGH_MARGIN)
        likely = among[is_likely]
        self._score(found, likely)
        most = (1 + UNCOVERED) * self.highest_factor
        needed = _units((self._last() / most - LITERAL_SCORE) / unit)
        if needed >= floor:
            return among[(reached >= needed) & ~is_likely]
        left = (rough >= needed) & shown
        left[likely] = False
        return left.nonzero()[0]

    def _by_coverage(self, found: Matched, shown: Mask) -> Places:
        """Score those that cover the most of the query; return the places of the others that may be as good."""
        likely = ((found.sums >= bounds.threshold(found.sums * shown, self.limit)) & shown).nonzero()[0]
        if len(likely) * found.terms > CHEAP:
            return shown.nonzero()[0]
        self._score(found, likely)
        left = shown & (found.sums >= self._least_sum(found))
        left[likely] = False
        return left.nonzero()[0]

    def _least_sum(self, found: Matched) -> float:
        """Return how much a document must cover at least to be among the best, whatever it holds.

        What covers so much and no more scores the most when it holds the concepts that give most for what they cover.
        """
        grown = bounds.growth(self.boosts) * bounds.ROUNDING
        pairs = [
            (one.information * weight, one.most * weight * grown)
            for one, weight in zip(found.held, self.weights, strict=True)
        ]
        pairs.sort(key=lambda pair: pair[1] / pair[0], reverse=True)
        covered, given = np.cumsum([(0.0, 0.0), *pairs], axis=0).T
        sums = np.linspace(0.0, found.total, STEPS + 1)
        most = np.interp(sums, covered, given) + LITERAL_SCORE
        most *= (UNCOVERED + (sums / found.total) ** COVERAGE_POWER) * self.highest_factor
        return float(sums[max(0, int(np.searchsorted(most, self._last())) - 1)])

    def _by_bounds(self, found: Matched) -> None:
        """Score the documents whose bounds let them be among the best."""
        most = self._bounds(found)
        last = self._last() if self.known else 0.0
        enough = max(bounds.threshold(most, self.limit) * MARGIN, last)
        self._score(found, (most >= enough).nonzero()[0])
        last = self._last()
        if last < enough:
            self._score(found, ((most >= last) & (most < enough)).nonzero()[0])

    def _bounds(self, found: Matched) -> bounds.Bounds:
        """Return at least the score of each document."""
        most = bounds.bounds(found.held, self.weights, found.selection, self.boosts)
        most += np.float32(LITERAL_SCORE)
        coverage = found.sums.astype(np.float32) * np.float32(bounds.ROUNDING / found.total)
        most *= coverage * np.sqrt(coverage) + np.float32(UNCOVERED)
        if self.query.label_boosts:
            most *= found.selection.of(self.index.factors(self.query.label_boosts, np.float32))
        return most


def _units(value: float) -> np.uint16:
    """Return a bound as rough marks are compared with, which are whole numbers: comparing with others takes long."""
    return np.uint16(min(max(math.floor(value), 0), np.iinfo(np.uint16).max))

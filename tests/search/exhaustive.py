"""The search in the plainest way: every posting read through Whoosh's own reader, every document scored.

Shares nothing with the engine but the table of constants: neither its arrays nor what it leaves out.
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh import index

from rulings.search import formula as scoring
from rulings.search.engine import FIELDS, Alternative, Concept, EngineQuery

B, K1 = 0.75, 1.2
SLACK = 1e-6
Floats = NDArray[np.float64]


@dataclass
class Answer:
    total: int
    left_out: int
    information: list[float]
    entries: list[int]  # of what matches, the best first
    scores: list[float]
    counts: dict[str, int]


@dataclass
class Exhaustive:
    """All documents of an index, living and deleted."""

    folder: Path
    size: int = 0
    _lists: dict[tuple[str, str], tuple[NDArray[Any], NDArray[Any]]] = field(default_factory=dict)
    _lengths: dict[str, Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        reader = index.open_dir(str(self.folder)).reader()
        self.leaves = [leaf for leaf, _offset in reader.leaf_readers() if leaf.doc_count_all()]
        self.size = sum(leaf.doc_count_all() for leaf in self.leaves)
        deleted = [number in leaf.deleted_docs_set for leaf in self.leaves for number in range(leaf.doc_count_all())]
        self.alive = ~np.array(deleted, bool)
        self.columns = {name: self._column(name) for name in ("id", "since", "until", "held_until")}
        self.entries = np.zeros(self.size, np.int64)
        for name in {term for leaf in self.leaves for term in leaf.lexicon("entry")}:
            text = name.decode() if isinstance(name, bytes) else name
            self.entries[self.postings("entry", text)[0]] = int(text)

    def _column(self, name: str) -> NDArray[np.int64]:
        readers = [(leaf.column_reader(name), leaf.doc_count_all()) for leaf in self.leaves]
        return np.array([reader[number] for reader, size in readers for number in range(size)], np.int64)

    def postings(self, name: str, term: str) -> tuple[NDArray[Any], NDArray[Any]]:
        if (name, term) not in self._lists:
            ids, weights, offset = [], [], 0
            for leaf in self.leaves:
                if (name, term) in leaf:
                    matcher = leaf._terms.matcher(name, term.encode(), leaf.schema[name].format)
                    while matcher.is_active():
                        ids.append(matcher.id() + offset)
                        weights.append(matcher.weight())
                        matcher.next()
                offset += leaf.doc_count_all()
            self._lists[name, term] = np.array(ids, np.int64), np.array(weights, np.float64)
        return self._lists[name, term]

    def lengths(self, name: str) -> Floats:
        if name not in self._lengths:
            self._lengths[name] = np.array(
                [leaf.doc_field_length(at, name) or 0 for leaf in self.leaves for at in range(leaf.doc_count_all())],
                np.float64,
            )
        return self._lengths[name]

    def impacts(self, name: str, term: str) -> Floats:
        ids, tf = self.postings(name, term)
        scores = np.zeros(self.size)
        if len(ids):
            average = sum(leaf.field_length(name) for leaf in self.leaves) / self.size
            idf = math.log(self.size / (len(ids) + 1)) + 1
            scores[ids] = idf * tf * (K1 + 1) / (tf + K1 * ((1 - B) + B * self.lengths(name)[ids] / average))
        return scores

    def holds(self, group: str, term: str) -> NDArray[np.bool_]:
        mask = np.zeros(self.size, bool)
        for name in [group] if group in ("chars", "labels") else [f"{one}_{group}" for one in FIELDS]:
            mask[self.postings(name, term)[0]] = True
        return mask

    def labelled(self, labels: frozenset[str]) -> NDArray[np.bool_]:
        return np.any([np.zeros(self.size, bool), *(self.holds("labels", label) for label in labels)], axis=0)

    def degree(self, group: str, terms: tuple[str, ...]) -> Floats:
        held, total = np.zeros(self.size), 0.0
        for term in dict.fromkeys(terms):
            mask = self.holds(group, term)
            idf = math.log(1 + self.size / (int(mask.sum()) + 0.5))
            held[mask] += idf
            total += idf
        return held / total if total else held

    def bm25(self, group: str, terms: tuple[str, ...], boosts: dict[str, float]) -> Floats:
        scores = np.zeros(self.size)
        for term in dict.fromkeys(terms):
            for name in FIELDS:
                scores += boosts.get(name, 1.0) * self.impacts(f"{name}_{group}", term)
        return scores / max(1.0, len(terms) ** 0.5)

    def alternative(self, one: Alternative, boosts: dict[str, float]) -> tuple[Floats, Floats]:
        if len(one.text) == 1:
            degree = self.degree("chars", (one.text,))
            scores = scoring.CHAR_SCORE * degree
        else:
            degree = self.degree("grams", one.grams)
            scores = scoring.GRAM_SHARE * self.bm25("grams", one.grams, boosts)
        degree = np.maximum(degree, self.degree("words", one.words))
        scores = scores + self.bm25("words", one.words, boosts)
        if one.labels:
            labelled = self.labelled(one.labels)
            degree[labelled] = 1.0
            scores[labelled] += scoring.LABEL_SCORE
        degree[degree < scoring.LEAST_DEGREE * (1 - SLACK)] = 0.0
        degree[degree < scoring.FULL_DEGREE - SLACK] *= 0.5
        return degree * one.discount, scores * degree * one.discount

    def concept(self, concept: Concept, boosts: dict[str, float]) -> tuple[Floats, Floats, float]:
        degree, score, known = np.zeros(self.size), np.zeros(self.size), 1.0
        for at, one in enumerate(concept.alternatives):
            one_degree, one_score = self.alternative(one, boosts)
            score = np.maximum(score, one_score * known if at else one_score)
            degree = np.maximum(degree, one_degree)
            if at == 0 and one_degree.any():
                known = scoring.OTHER_THAN_TYPED
        holding = int(np.count_nonzero(degree[self.alive] > 0))
        informs = math.log(1 + self.size / (max(1, holding) + 0.5))
        return degree, score, informs if holding else scoring.UNKNOWN * informs

    def allowed(self, query: EngineQuery, freed: str = "?") -> NDArray[np.bool_]:
        mask = self.alive & ~self.labelled(query.excluded)
        for labels in query.required:
            if not all(label.startswith(freed) for label in labels):
                mask &= self.labelled(labels)
        if query.on is not None and query.ahead:
            mask &= self.next_after(query.on.toordinal())
        elif query.on is not None:
            on = query.on.toordinal()
            mask &= (self.columns["since"] <= on) & (self.columns["until"] > on)
            mask &= (self.columns["held_until"] > on) | (not query.in_force)
        if query.year is not None and freed != "year:":
            mask &= self.years == query.year
        if query.only is not None and freed == "?":
            mask &= np.array([entry in query.only for entry in self.entries.tolist()], bool)
        return mask

    @cached_property
    def years(self) -> NDArray[np.int64]:
        """The year in which each document took effect; 0 where that is unknown."""
        return np.array([date.fromordinal(int(day)).year if day else 0 for day in self.columns["since"]], np.int64)

    def count_years(self, query: EngineQuery, matching: NDArray[np.bool_]) -> dict[str, int]:
        shown = matching & self.allowed(query, "year:") & ~self.labelled(query.left_out)
        return {f"year:{year}": number for year, number in Counter(self.years[shown].tolist()).items() if year}

    def next_after(self, on: int) -> NDArray[np.bool_]:
        first: dict[int, tuple[int, int]] = {}
        for at in np.flatnonzero(self.alive & (self.columns["since"] > on)).tolist():
            known = first.get(self.entries[at])
            if known is None or self.columns["since"][at] < known[0]:
                first[self.entries[at]] = int(self.columns["since"][at]), at
        mask = np.zeros(self.size, bool)
        mask[[at for _since, at in first.values()]] = True
        return mask

    def count(self, label: str, query: EngineQuery, matching: NDArray[np.bool_]) -> int:
        dimension = label.split(":")[0] + ":"
        shown = matching & self.allowed(query, dimension) & self.holds("labels", label)
        return int((shown if dimension == "status:" else shown & ~self.labelled(query.left_out)).sum())

    def search(self, query: EngineQuery) -> Answer:
        scores, coverage, weights, information = np.zeros(self.size), np.zeros(self.size), 0.0, []
        for concept in query.concepts:
            degree, score, informs = self.concept(concept, query.boosts)
            coverage += concept.weight * informs * degree
            scores += concept.weight * score
            weights += concept.weight * informs
            information.append(informs)
        matching = coverage >= max(query.minimum * weights * (1 - SLACK), 1e-9)
        if query.literal:
            group = ["chars" if len(gram) == 1 else "grams" for gram in query.literal]
            literal = np.all([self.holds(*pair) for pair in zip(group, query.literal, strict=True)], axis=0)
            matching |= literal
            scores[literal] += scoring.LITERAL_SCORE
        scores *= scoring.UNCOVERED + (coverage / (weights or 1.0)) ** scoring.COVERAGE_POWER
        for label, boost in query.label_boosts.items():
            scores[self.holds("labels", label)] *= boost
        counts = {label: self.count(label, query, matching) for label in query.counted}
        counts |= self.count_years(query, matching) if query.counted else {}
        matching &= self.allowed(query)
        shown = np.flatnonzero(matching & ~self.labelled(query.left_out))
        order = shown[np.lexsort((self.columns["id"][shown], -scores[shown]))]
        return Answer(
            len(shown),
            int(matching.sum()) - len(shown),
            information,
            self.entries[order].tolist(),
            scores[order].tolist(),
            counts,
        )

"""The engine against the plainest search there is, on generated documents and queries.

RULINGS_LONG=1 makes it thousands of queries; `make test-long` does.
"""

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from rulings.search import choosing, marks
from rulings.search.engine import EngineAnswer, EngineQuery
from rulings.search.whoosh_index import WhooshEngine, open_engine
from tests.bench.asking import ask
from tests.bench.corpus import RULESETS, Corpus
from tests.search.exhaustive import Answer, Exhaustive

LONG = bool(os.environ.get("RULINGS_LONG"))
COUNTED = ("kind:faq", "kind:section", "status:current", "status:superseded", "ruleset:dm-cr", "ruleset:ygo-zexal")
DOCUMENTS, QUERIES = (5_000, 3_000) if LONG else (600, 150)


@pytest.fixture(scope="module", autouse=True)
def marked() -> Iterator[None]:
    """Small segments are marked when they are written, as large ones are; the smallest are not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(marks, "WORTH", 20)
        yield


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(DOCUMENTS)


@pytest.fixture(scope="module")
def fresh(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index as a full build leaves it."""
    folder = tmp_path_factory.mktemp("fresh")
    open_engine(folder, create=True).build(corpus.documents())
    return folder


@pytest.fixture(scope="module")
def lived_in(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index after saves and deletions: several segments, dead documents in them."""
    folder = tmp_path_factory.mktemp("lived-in")
    engine = open_engine(folder, create=True)
    engine.build(corpus.document(number) for number in range(DOCUMENTS // 2))
    rng = random.Random(3)
    number = DOCUMENTS // 2
    while number < DOCUMENTS:
        size = rng.choice((1, 1, 1, 2, 40))
        gone = [rng.randrange(number) + 1 for _ in range(rng.randrange(3))]
        engine.update(gone, [corpus.document(at) for at in range(number, min(number + size, DOCUMENTS))])
        number += size
    assert len(engine._snapshot().segments) > 2
    assert not engine._snapshot().alive.all()
    return folder


def queries(corpus: Corpus) -> list[EngineQuery]:
    rng = random.Random(5)
    found = []
    for _kind, text in corpus.queries(QUERIES):
        options = rng.choice(
            [
                {},
                {},
                {"required": (frozenset((f"ruleset:{rng.choice(RULESETS)}",)),)},
                {"excluded": frozenset((f"ruleset:{rng.choice(RULESETS)}",))},
                {"on": date(rng.randint(2001, 2025), 6, 1), "in_force": True},
                {"left_out": frozenset(), "on": None},
                {"year": rng.randint(2001, 2025)},
                {"only": frozenset(rng.sample(range(1, DOCUMENTS + 1), DOCUMENTS // 4))},
                {"boosts": {"title": 0.5, "examples": 2.0}},
            ]
        )
        found.append(replace(ask(text, limit=rng.choice((1, 20, 100)), counted=COUNTED), **options))
    return found


@pytest.mark.timeout(3_600 if LONG else 300)
@pytest.mark.parametrize("state", ["fresh", "lived_in"])
def test_answers_equal_the_exhaustive_search(
    state: str, corpus: Corpus, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether every document that matches is scored, or only those whose marks say that they may be among the best."""
    folder = request.getfixturevalue(state)
    engine, plain = WhooshEngine(folder), Exhaustive(folder)
    hits = 0
    for query in queries(corpus):
        expected = plain.search(query)
        for cheap in (0, 10**9):  # bounded; all scored
            monkeypatch.setattr(choosing, "CHEAP", cheap)
            agree(engine.search(query), expected, query)
        hits += expected.total
    assert hits > 10 * QUERIES


def agree(answer: EngineAnswer, expected: Answer, query: EngineQuery) -> None:
    assert (answer.total, answer.left_out) == (expected.total, expected.left_out), query
    assert answer.information == pytest.approx(expected.information)
    assert answer.counts == expected.counts
    assert len(answer.found) == min(query.limit, expected.total)
    scores = [one.score for one in answer.found]
    assert scores == pytest.approx(expected.scores[: query.limit], rel=1e-6, abs=1e-6), query
    by_entry = dict(zip(expected.entries, expected.scores, strict=True))
    for place, one in enumerate(answer.found):
        assert one.score == pytest.approx(by_entry[one.entry], rel=1e-6, abs=1e-6)
        if one.entry != expected.entries[place]:  # only where scores tie, to what is compared
            assert one.score == pytest.approx(expected.scores[place], rel=2e-6, abs=2e-6)

"""Queries that nobody means well are answered as soon as others, in the same memory.

How soon is asked among 100,000 entries, with RULINGS_LONG=1 (`make test-long`), in a process of its own, in processor
time: in one that holds a thousand other tests, looking for cycles alone takes longer.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulings.search import SearchRequest, search
from tests.bench import corpus, database, hostile
from tests.makers import make_card, make_section
from tests.search.hostile import HOSTILE

LONG = bool(os.environ.get("RULINGS_LONG"))
LONGEST = 300.0  # milliseconds
FLAT = 32  # megabytes: what the allocator keeps here or there


@pytest.mark.django_db
@pytest.mark.parametrize("q", HOSTILE, ids=range(len(HOSTILE)))
def test_each_is_answered(q: str) -> None:
    make_card("デーモン・ハンド")
    make_section("101.1", body="山札からカードを引く。")
    page = search(SearchRequest(q=q))
    assert page.count >= len(page.hits) >= 0


@pytest.mark.django_db
def test_in_flat_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    few = [f"試験用カード{number}号" for number in range(400)]
    monkeypatch.setattr(corpus, "names", lambda _rng: few)
    database.fill(1_000)
    held = hostile.measured(lambda q: search(SearchRequest(q=q)))
    assert held.after - held.before < FLAT, str(held)


@pytest.mark.skipif(not LONG, reason="RULINGS_LONG is not set")
@pytest.mark.timeout(3_600)
def test_soon_and_in_flat_memory_among_100_000_entries() -> None:
    """In a process of its own, on the database of the bench (made if need be, and kept)."""
    command = [sys.executable, "-m", "tests.bench.bench_http", "--hostile", "100000"]
    told = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parents[2]).stdout
    held = hostile.Held(**json.loads(told.splitlines()[-1]))
    assert held.longest < LONGEST, str(held)
    assert held.after - held.before < FLAT, str(held)

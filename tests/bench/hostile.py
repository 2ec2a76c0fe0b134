"""How long hostile queries hold a search, and whether its memory stays flat: for a bench and for a test."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.bench.alone import memory
from tests.search.hostile import HOSTILE

ROUNDS = 5


@dataclass
class Held:
    """The longest of all queries, in milliseconds of processor time, and memory of no file, in megabytes."""

    longest: float
    query: str
    before: int
    after: int

    def __str__(self) -> str:
        return (
            f"{len(HOSTILE)} hostile queries, {ROUNDS} rounds: at most {self.longest:.0f} ms of processor time "
            f"({self.query!r}), memory of no file {self.before} MB after the first round, {self.after} MB at the end"
        )


def measured(search: Callable[[str], object]) -> Held:
    """Ask the hostile queries, then others like them, so that nothing kept of a query helps."""
    longest, slowest, before = 0.0, "", 0
    search("山札")  # what a first search sets up is measured elsewhere
    for number in range(ROUNDS):
        for query in HOSTILE:
            began = time.thread_time()
            search(f"{query} {number}" if number else query)
            if (taken := (time.thread_time() - began) * 1000) > longest:
                longest, slowest = taken, query[:20]
        before = before or memory()["anonymous"]
    return Held(longest, slowest, before, memory()["anonymous"])

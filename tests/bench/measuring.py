"""How benches measure and say what they measured."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any


def sizes() -> list[int]:
    """The sizes asked for: arguments, else RULINGS_BENCH_SIZE (`10000,100000`), else one that anybody can wait for."""
    given = [one for one in sys.argv[1:] if one.isdigit()]
    return [int(one) for one in given or os.environ.get("RULINGS_BENCH_SIZE", "10000").split(",")]


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def cpu(work: Callable[[], Any], seconds: Callable[[], float] = time.thread_time) -> float:
    """Processor time of `work`, by default of this thread, in milliseconds."""
    began = seconds()
    work()
    return (seconds() - began) * 1000


def at(times: Sequence[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def spread(values: Sequence[float], form: str = ".2f") -> str:
    """The middle of several runs, and their range."""
    middle = sorted(values)[len(values) // 2]
    return f"{middle:{form}} ({min(values):{form}} to {max(values):{form}})"

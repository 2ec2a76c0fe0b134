"""The engine in a process of its own: its first query, its memory, hostile queries. Started by `bench_engines`.

What it imports is what a web process has: Django, the site's models, the analysis.
"""

import pickle
import sys
import time
from pathlib import Path
from typing import Any


def memory(process: int | str = "self") -> dict[str, int]:
    """Megabytes of a process: all, those of no file, those that no other process shares."""
    with Path(f"/proc/{process}/smaps_rollup").open(encoding="ascii") as file:
        rows = {line.split(":")[0]: int(line.split()[1]) // 1024 for line in file if line.endswith("kB\n")}
    return {
        "resident": rows["Rss"],
        "anonymous": rows["Anonymous"],
        "private": rows["Private_Dirty"] + rows["Private_Clean"],
    }


def _timed(engine: Any, query: Any) -> tuple[float, float]:
    began, used = time.perf_counter(), time.thread_time()
    engine.search(query)
    return (time.perf_counter() - began) * 1000, (time.thread_time() - used) * 1000


def main() -> None:
    from tests.bench.database import set_up

    set_up(None)
    folder, queries = Path(sys.argv[1]), Path(sys.argv[2])
    from rulings.search.whoosh_index import WhooshEngine

    first, usual, hostile = pickle.loads(queries.read_bytes())  # noqa: S301 - written by the bench
    found: dict[str, Any] = {"memory at the start": memory()}
    began, used = time.perf_counter(), time.thread_time()
    engine = WhooshEngine(folder)
    engine.search(first)
    found["first"] = (time.perf_counter() - began) * 1000, (time.thread_time() - used) * 1000
    for query in usual:
        engine.search(query)
    found[f"memory after {len(usual)} queries"] = memory()
    found["hostile"] = max(_timed(engine, query)[1] for query in hostile)
    for _ in range(5):
        for query in hostile:
            engine.search(query)
    found["memory after hostile queries"] = memory()
    sys.stdout.buffer.write(pickle.dumps(found))


if __name__ == "__main__":
    main()

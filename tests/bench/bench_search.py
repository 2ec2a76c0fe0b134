"""How long searches take on the content of a database: `python -m tests.bench.bench_search [QUERIES.jsonl]`.

RULINGS_DATA_DIR names its folder; without it the content that ships is loaded into one of its own. Without a file of
queries, words of the content itself are asked for. The ratio is against the plainest search there is: one LIKE over
all wordings.
"""

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.database import set_up

OWN = None if os.environ.get("RULINGS_DATA_DIR") else tempfile.TemporaryDirectory(prefix="rulings-bench-")
set_up(Path(OWN.name) if OWN else None)

from django.core.management import call_command  # noqa: E402 - the models need a set-up Django

from rulings.models import Card, Entry, Revision  # noqa: E402
from rulings.search import SearchRequest, indexing, search, suggest  # noqa: E402
from rulings.search.names import table  # noqa: E402


def queries(path: str | None) -> list[str]:
    """The queries of a file (`q` of each line), or stretches of titles, bodies and card names."""
    if path:
        return [json.loads(line)["q"] for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    rng = random.Random(1)
    texts = [text for pair in Revision.objects.values_list("title", "body") for text in pair if len(text) > 10]
    names = list(Card.objects.values_list("name", flat=True)[:2_000])
    stretches = []
    for _ in range(100):
        text = rng.choice(texts)
        at = rng.randrange(len(text) - 8)
        stretches.append(text[at : at + rng.randint(4, 25)])
    return [*stretches, *rng.sample(names, min(50, len(names)))]


def timed(work: Callable[[str], object], asked: Sequence[str]) -> list[float]:
    times = []
    for q in asked:
        began = time.perf_counter()
        work(q)
        times.append((time.perf_counter() - began) * 1000)
    return sorted(times)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def row(name: str, times: list[float]) -> str:
    middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
    return f"{name:<22}{middle:>9.1f}{late:>9.1f}{times[-1]:>9.1f}"


def main() -> None:
    if OWN:
        call_command("migrate", verbosity=0)
        call_command("load_content", verbosity=0)
    asked = queries(sys.argv[1] if len(sys.argv) > 1 else None)
    began = time.perf_counter()
    indexing.catch_up()
    table()
    search(SearchRequest(q="準備"))
    say(f"{Entry.objects.count()} entries, {Card.objects.count()} cards, ready in {time.perf_counter() - began:.1f} s")
    say(f"{'ms':<22}{'p50':>9}{'p95':>9}{'max':>9}")
    say(row("search", timed(lambda q: search(SearchRequest(q=q)), asked)))
    say(row("search, again", timed(lambda q: search(SearchRequest(q=q)), asked)))
    say(row("suggest", timed(lambda q: suggest(q[:3]), asked)))
    say(row("one LIKE", timed(lambda q: list(Revision.objects.filter(body__contains=q)[:20]), asked)))


if __name__ == "__main__":
    main()

"""The memory of web processes over a database, after a long mixed load: `RULINGS_BENCH_SIZE=100000 make bench`.

Served as `make run` serves: one worker, then two. Asked for are words, questions, names, their beginnings, numbers,
filters, facets, suggestions, entries and cards, as JSON and as pages; the database is that of `bench_http`. "Shared
out" (PSS) counts a page that several processes hold once, in equal shares.
"""

import http.client
import os
import random
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode

from tests.bench.bench_http import CLIENTS, kept, served
from tests.bench.database import set_up
from tests.bench.measuring import say, sizes

STEPS = (1, 1_000, 3_000)  # requests after which one worker is looked at
OF_TWO = 1_000  # requests to two workers
VARIANTS: list[dict[str, str | int]] = [
    {},
    {"facets": 1},
    {"page_size": 50},
    {"status": "all"},
    {"as_of": "2022-06-01"},
    {"kind": "section"},
    {"kind": "card"},
    {"game": "dm", "facets": 1},
]


def paths(size: int, count: int) -> list[str]:
    """`count` different requests, the same in every run."""
    from tests.bench.corpus import Corpus

    rng = random.Random(3)
    found = []
    for at, (_kind, text) in enumerate(Corpus(size).queries(count, seed=11)):
        if at % 16 == 5:
            found.append(f"/api/v1/entries/{rng.randint(1, size)}/")
        elif at % 16 == 11:
            found.append(f"/faq/{rng.randint(size // 40, size)}/")
        elif at % 32 == 15:
            found.append(f"/cards/{rng.randint(1_000, 20_000)}/")
        elif at % 16 == 7:
            number = f"{rng.randint(101, 105)}.{rng.randint(1, 39)}"
            found.append("/api/v1/search/?" + urlencode({"q": rng.choice((number, f"ルール{number} {text[:6]}"))}))
        elif at % 4 == 2:
            found.append("/api/v1/suggest/?" + urlencode({"q": text[: rng.randint(1, 6)]}))
        elif at % 4 == 1:
            found.append("/search/?" + urlencode({"q": text}))
        else:
            found.append("/api/v1/search/?" + urlencode({"q": text, **rng.choice(VARIANTS)}))
    return found


def ask(port: int, asked: list[str]) -> Counter[int]:
    """Ask with several clients at once; return how often each status came."""
    statuses: Counter[int] = Counter()
    lock = threading.Lock()

    def ask_some(some: list[str]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for path in some:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            with lock:
                statuses[answer.status] += 1
        connection.close()

    threads = [threading.Thread(target=ask_some, args=(asked[first::CLIENTS],)) for first in range(CLIENTS)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return statuses


def megabytes(process: str) -> dict[str, int]:
    """What a process holds: all of it, its own, that of files, its share of all."""
    rows: dict[str, int] = {}
    for line in Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]:
        name, size = line.split(":")
        rows[name] = int(size.split()[0]) // 1024
    resident, own = rows["Rss"], rows["Anonymous"]
    return {"resident": resident, "own": own, "of files": resident - own, "shared out": rows["Pss"]}


def largest_files(process: str, count: int = 4) -> dict[str, int]:
    """The files of which a process holds most, in megabytes."""
    sizes_: Counter[str] = Counter()
    name = ""
    for line in Path(f"/proc/{process}/smaps").read_text(encoding="utf-8").splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            name = Path(rest[4]).suffix.strip(".") + " " + Path(rest[4]).name[-24:] if len(rest) > 4 else ""
        elif first == "Rss:" and name and not name.endswith("]"):
            sizes_[name] += int(rest[0])
    return {name: size // 1024 for name, size in sizes_.most_common(count)}


def children(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()


def told(process: str) -> str:
    return ", ".join(f"{name} {size}" for name, size in megabytes(process).items()) + " MB"


def measure(size: int, folder: Path) -> None:
    asked = paths(size, STEPS[-1])
    with served(folder, workers=1) as (port, server):
        before = 0
        for step in STEPS:
            statuses = ask(port, asked[before:step])
            (worker,) = children(server)
            say(f"one worker, {step:5} requests: {told(worker)}   {dict(statuses)}")
            before = step
        say("  most of: " + ", ".join(f"{name} {of_it} MB" for name, of_it in largest_files(worker).items()))
    with served(folder, workers=2) as (port, server):
        ask(port, asked[:OF_TWO])
        for worker in children(server):
            say(f"one of two, {OF_TWO} requests to both: {told(worker)}")
        say(f"  what started them: {told(str(server))}")


def main() -> None:
    for size in sizes():
        folder = kept(size)
        say(f"\n-- {size} entries; load of the machine {os.getloadavg()[0]:.1f}")
        if not (folder / "rulings.sqlite3").exists():
            made = ["--size", str(size), "--data-dir", str(folder)]
            subprocess.run([sys.executable, "-m", "tests.bench.database", *made], check=True)
        set_up(folder)
        measure(size, folder)


if __name__ == "__main__":
    main()

"""The whole HTTP search (API, 20 results) over a database: `RULINGS_BENCH_SIZE=100000 make bench`.

RULINGS_BENCH_DATABASE names the folder of a database made before (`tests.bench.database`); else one is made in the
temporary folder and kept there. In this process through Django's whole stack, then on two gunicorn workers.
"""

import http.client
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlencode

from tests.bench.alone import memory
from tests.bench.hostile import Held, measured
from tests.bench.measuring import at, say, sizes

# As on a site: no debugging, which keeps every database query.
SITE = {"RULINGS_DEBUG": "0", "RULINGS_SECRET_KEY": secrets.token_urlsafe(50), "RULINGS_ALLOWED_HOSTS": "*"}
QUERIES = 200
SECONDS, CLIENTS, WORKERS = 15.0, 8, 2


def in_process(size: int, folder: Path) -> None:
    """Ask through Django's test client; started as a process of its own, because settings name one database."""
    from tests.bench.database import fill, set_up

    os.environ.update(SITE)
    set_up(folder)
    fill(size, say)
    from django.test import Client

    from rulings.search.warming import warm
    from tests.bench.corpus import Corpus

    corpus, client = Corpus(size), Client()
    warm()  # as a web process does
    for seed, name in ((1, "first round"), (2, "new queries"), (2, "again")):
        walls, used = [], []
        for _kind, text in corpus.queries(QUERIES, seed=seed):
            began, before = time.perf_counter(), time.thread_time()
            answer = client.get("/api/v1/search/", {"q": text})
            walls.append((time.perf_counter() - began) * 1000)
            used.append((time.thread_time() - before) * 1000)
            assert answer.status_code == 200, answer.content
        row = "  ".join(
            f"{kind} p50 {at(one, 0.5):6.1f} p95 {at(one, 0.95):6.1f}"
            for kind, one in (("wall", walls), ("processor", used))
        )
        say(f"in process, {name:<12} {row} ms")
    say(str(hostile(size, folder)))


def hostile(size: int, folder: Path) -> Held:
    """Hostile queries through the whole search; in a process of its own as well."""
    from tests.bench.database import fill, set_up

    set_up(folder)
    fill(size)
    from rulings.search import SearchRequest, search

    return measured(lambda q: search(SearchRequest(q=q)))


@contextmanager
def served(folder: Path, workers: int = WORKERS) -> Iterator[tuple[int, int]]:
    """A server: its port, its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "rulings.wsgi",
        "--bind",
        f"127.0.0.1:{port}",
        "--workers",
        str(workers),
        "--worker-class",
        "gthread",
        "--threads",
        "4",
        "--no-control-socket",
        "--log-level",
        "warning",
    ]
    environment = os.environ | {"RULINGS_DATA_DIR": str(folder)} | SITE
    with subprocess.Popen(command, env=environment) as server:
        try:
            until = time.monotonic() + 120
            while _status(port, "/api/v1/search/?q=a") != 200:
                if time.monotonic() > until or server.poll() is not None:
                    raise SystemExit("the server does not answer")
                time.sleep(0.2)
            yield port, server.pid
        finally:
            server.terminate()


def _status(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def throughput(folder: Path, queries: list[str]) -> None:
    with served(folder) as (port, process):
        times: list[float] = []
        until = time.monotonic() + SECONDS

        def ask_on(first: int) -> None:
            connection, number = http.client.HTTPConnection("127.0.0.1", port, timeout=30), first
            while time.monotonic() < until:
                began = time.perf_counter()
                connection.request("GET", "/api/v1/search/?" + urlencode({"q": queries[number % len(queries)]}))
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200
                times.append((time.perf_counter() - began) * 1000)
                number += CLIENTS
            connection.close()

        threads = [threading.Thread(target=ask_on, args=(first,)) for first in range(CLIENTS)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        workers = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
        for number, worker in enumerate(workers, 1):
            say(f"worker {number}: " + ", ".join(f"{name} {size} MB" for name, size in memory(worker).items()))
    say(f"{WORKERS} workers, {CLIENTS} clients on the same machine: {len(times) / SECONDS:.0f} searches a second, ")
    say(f"  wall p50 {at(times, 0.5):.0f} p95 {at(times, 0.95):.0f} ms")


def kept(size: int) -> Path:
    """The folder of a database made before, or for one to be made."""
    folder = os.environ.get("RULINGS_BENCH_DATABASE")
    path = Path(folder) if folder else Path(tempfile.gettempdir()) / f"rulings-bench-database-{size}"
    path.mkdir(parents=True, exist_ok=True)
    return path


def main() -> None:
    for size in sizes():
        path = kept(size)
        say(f"\n-- {size} entries; load of the machine {os.getloadavg()[0]:.1f}")
        command = [sys.executable, "-m", "tests.bench.bench_http", "--in-process", str(size), str(path)]
        subprocess.run(command, check=True)
        from tests.bench.database import set_up

        set_up(path)
        from tests.bench.corpus import Corpus

        throughput(path, [text for _kind, text in Corpus(size).queries(QUERIES, seed=4)])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in-process"]:
        in_process(int(sys.argv[2]), Path(sys.argv[3]))
    elif sys.argv[1:2] == ["--hostile"]:
        sys.stdout.write(json.dumps(asdict(hostile(int(sys.argv[2]), kept(int(sys.argv[2]))))) + "\n")
    else:
        main()

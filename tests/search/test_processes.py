"""Four processes that save, and eight readers of a site of two more: nobody meets an error, nothing is lost.

RULINGS_LONG=1 lets them run for a minute, and kills one that saves in the middle of it; `make test-long` does.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.live import MANAGE, ROOT, environment, fetch, own_copy, shipped, site  # noqa: F401 - fixtures
from tests.search.test_crash import LONG

SECONDS = 60 if LONG else 3
WRITERS, READERS = 4, 8
ASKED = ["山札", "クリーチャーの効果", "進化クリーチャーは使えますか", "305.2", "zw"]


class Writer:
    """A process that saves, and what it says to have saved."""

    def __init__(self, name: str, folder: Path) -> None:
        self.saved: list[str] = []
        self.log = (folder / f"writer-{name}.log").open("w+")
        command = [sys.executable, "-m", "tests.search.saving", name]
        self.process = subprocess.Popen(  # noqa: S603
            command,
            cwd=ROOT,
            env=environment(folder, DJANGO_SETTINGS_MODULE="rulings.settings"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        assert self.process.stdout
        assert self.process.stdout.readline() == "ready\n", self.said()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        self.saved += map(str.strip, self.process.stdout or ())

    def said(self) -> str:
        self.log.seek(0)
        return self.log.read()

    def end(self) -> None:
        """Let it end its round, or be dead, and have all that it said."""
        if self.process.poll() is None:
            assert self.process.stdin
            self.process.stdin.write("stop\n")
            self.process.stdin.flush()
        self.process.wait(timeout=120)
        self._thread.join(timeout=120)


@contextmanager
def reading(address: str, errors: list[str]) -> Iterator[list[int]]:
    """Ask the site from all readers at once until the block ends; counts the answers."""
    stop, counts = threading.Event(), [0] * READERS

    def read(reader: int) -> None:
        while not stop.is_set():
            q = ASKED[(reader + counts[reader]) % len(ASKED)]
            try:
                reply = fetch(f"{address}/api/v1/search/?q={quote(q)}")
                warned = [one["code"] for one in reply.json().get("warnings", [])] if reply.status == 200 else []
                if reply.status != 200 or {"degraded", "degraded_cut"} & set(warned):
                    errors.append(f"{q}: {reply.status} {warned} {reply.body[:300]!r}")
            except Exception as error:  # noqa: BLE001 - told below
                errors.append(f"{q}: {error!r}")
            counts[reader] += 1

    threads = [threading.Thread(target=read, args=(reader,)) for reader in range(READERS)]
    for thread in threads:
        thread.start()
    try:
        yield counts
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def run(folder: Path, *command: str) -> str:
    own = environment(folder, DJANGO_SETTINGS_MODULE="rulings.settings")
    done = subprocess.run(command, check=True, cwd=ROOT, env=own, capture_output=True, text=True)  # noqa: S603
    return done.stdout


def write_for(seconds: float, folder: Path, writers: list[Writer]) -> None:
    """Let them save; in the long form one is killed in the middle while it does, and another begun in its place."""
    began = time.monotonic()
    living = list(writers)
    if LONG:
        time.sleep(seconds / 2)
        killed = living.pop(0)
        killed.process.kill()
        killed.end()
        living.append(Writer("9", folder))
        writers.append(living[-1])
    while time.monotonic() < began + seconds or not all(one.saved for one in living):
        assert [one.said() for one in living if one.process.poll() is not None] == []
        time.sleep(0.05)


@pytest.mark.timeout(600 + 5 * SECONDS)
def test_processes_that_save_and_read(own_copy: Path) -> None:  # noqa: F811
    errors: list[str] = []
    writers: list[Writer] = []
    with site(own_copy) as address, ExitStack() as ending:
        ending.callback(lambda: [one.process.kill() for one in writers])
        assert fetch(f"{address}/api/v1/search/?q=zw").status == 200
        with reading(address, errors) as counts:
            writers += [Writer(str(name), own_copy) for name in range(WRITERS)]
            write_for(SECONDS, own_copy, writers)
            for one in writers:
                one.end()
        assert errors == []
        assert min(counts) > 1
        assert [one.said() for one in writers if one.process.returncode > 0 or "Traceback" in one.said()] == []
        words = [word for one in writers for word in one.saved]
        assert len(words) >= WRITERS
        for word in words:
            page = fetch(f"{address}/api/v1/search/?q={word}").json()
            assert word in str(page["results"][:1]), (word, page)
    held = run(own_copy, sys.executable, "-m", "tests.search.saving", "dump")
    run(own_copy, *MANAGE, "rebuild_index")
    assert held == run(own_copy, sys.executable, "-m", "tests.search.saving", "dump")
    assert held.endswith(" []\n")

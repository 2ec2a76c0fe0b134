"""Analysed texts, kept: a text is analysed once, however often the index is built.

Kept in a file beside the index, by the hash of the text and the version of the analysis: not in the database, because
it is derived, is thrown away with a new analysis, and holds headings and merged texts that no revision has. A damaged
file costs a new analysis, nothing else. Only who holds the index's write lock uses it.
"""

import contextlib
import hashlib
import json
import logging
import os
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path

from rulings.search import analysis, manifest
from rulings.search.analysis import Terms, grams
from rulings.text.fold import squeeze

logger = logging.getLogger(__name__)

NAME = "tokens.sqlite3"
AT_ONCE = 500  # texts looked up in one go
WORTH_WORKERS = 3_000  # texts: starting processes takes a second

Analysed = tuple[Terms, str]  # terms and the squeezed text
_Kept = tuple[list[str], str]  # words and the squeezed text
_WORKER = "import django; django.setup(); from rulings.search.tokens import work; work()"


def analysed(text: str) -> Analysed:
    """Analyse one text anew."""
    return _whole(_reduced(text))


def _reduced(text: str) -> _Kept:
    return list(analysis.words(text)), squeeze(text).text


def _whole(kept: _Kept) -> Analysed:
    words, squeezed = kept
    return Terms(tuple(words), tuple(grams(squeezed))), squeezed


class TokenStore:
    """The kept texts; a context manager. Without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._path = folder / NAME if folder else None
        self._database: sqlite3.Connection | None = None
        self._workers: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> "TokenStore":
        if self._path:
            try:
                self._database = self._open(self._path)
            except sqlite3.DatabaseError as error:
                logger.warning("kept tokens dropped: %r", error)
                self._database = self._begin_anew(self._path)
        return self

    def _begin_anew(self, path: Path) -> sqlite3.Connection | None:
        """Put an empty file in the place of a damaged one; None where that cannot be, for then nothing is kept."""
        try:
            for one in (path, path.with_name(f"{NAME}-wal"), path.with_name(f"{NAME}-shm")):
                manifest.make_way(one)
                one.unlink(missing_ok=True)
            return self._open(path)
        except (OSError, sqlite3.DatabaseError) as error:
            logger.warning("no tokens are kept: %r", error)
            return None

    def __exit__(self, *_error: object) -> None:
        for worker in self._workers:
            with contextlib.suppress(OSError):
                worker.communicate(timeout=10)
        if self._database:
            self._database.close()

    def _open(self, path: Path) -> sqlite3.Connection:
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=OFF")
        version = str(analysis.VERSION)
        database.execute("CREATE TABLE IF NOT EXISTS version (value TEXT)")
        if database.execute("SELECT value FROM version").fetchone() != (version,):
            database.execute("DROP TABLE IF EXISTS texts")
            database.execute("DELETE FROM version")
            database.execute("INSERT INTO version VALUES (?)", (version,))
        database.execute(
            "CREATE TABLE IF NOT EXISTS texts (hash BLOB PRIMARY KEY, kept TEXT, crc INTEGER) WITHOUT ROWID"
        )
        return database

    def analyse(self, texts: Collection[str]) -> dict[str, Analysed]:
        """Return the analysis of each of the texts."""
        by_hash = {hashlib.blake2b(text.encode(), digest_size=16).digest(): text for text in texts}
        try:
            kept = self._look_up(by_hash)
        except sqlite3.DatabaseError as error:  # found damaged while reading
            logger.warning("kept tokens not used: %r", error)
            kept, self._database = {}, None
        missing = [text for key, text in by_hash.items() if key not in kept]
        fresh = dict(zip(missing, self._anew(missing), strict=True))
        if self._database and fresh:
            self._keep({key: fresh[text] for key, text in by_hash.items() if text in fresh})
        return {text: _whole(fresh[text] if text in fresh else kept[key]) for key, text in by_hash.items()}

    def _look_up(self, by_hash: dict[bytes, str]) -> dict[bytes, _Kept]:
        found: dict[bytes, _Kept] = {}
        keys = iter(by_hash)
        while self._database and (some := list(islice(keys, AT_ONCE))):
            marks = ",".join("?" * len(some))
            rows = self._database.execute(f"SELECT hash, kept, crc FROM texts WHERE hash IN ({marks})", some)  # noqa: S608
            found |= {key: tuple(json.loads(kept)) for key, kept, crc in rows if crc == zlib.crc32(kept.encode())}
        return found

    def _keep(self, fresh: dict[bytes, _Kept]) -> None:
        rows = []
        for key, value in fresh.items():
            kept = json.dumps(value, ensure_ascii=False)
            rows.append((key, kept, zlib.crc32(kept.encode())))
        assert self._database  # noqa: S101 - said by the caller
        try:
            self._database.execute("BEGIN")
            self._database.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", rows)
            self._database.execute("COMMIT")
        except sqlite3.DatabaseError as error:  # a full disk
            logger.warning("no more tokens are kept: %r", error)
            self._database.close()  # which takes back what was begun
            self._database = None

    # -- several processes -----------------------------------------------------------------------------------------

    def _anew(self, texts: list[str]) -> list[_Kept]:
        count = os.cpu_count() or 1
        if len(texts) < WORTH_WORKERS or count < 2:
            return [_reduced(text) for text in texts]
        while len(self._workers) < count:
            command = [sys.executable, "-c", _WORKER]
            self._workers.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))  # noqa: S603
        shares = [texts[at::count] for at in range(count)]
        for worker, share in zip(self._workers, shares, strict=True):
            assert worker.stdin  # noqa: S101 - asked for above
            worker.stdin.write(json.dumps(share).encode() + b"\n")
            worker.stdin.flush()
        found: list[_Kept] = [([], "")] * len(texts)
        for at, worker in enumerate(self._workers):
            assert worker.stdout  # noqa: S101 - asked for above
            found[at::count] = [tuple(one) for one in json.loads(worker.stdout.readline())]
        return found


def work() -> None:
    """Analyse lists of texts, one per line, until there are no more."""
    for line in _lines():
        sys.stdout.write(json.dumps([_reduced(text) for text in json.loads(line)]) + "\n")
        sys.stdout.flush()


def _lines() -> Iterator[bytes]:
    yield from sys.stdin.buffer

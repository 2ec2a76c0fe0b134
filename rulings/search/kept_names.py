"""The names as they were last read, in a file beside the index: a new process starts with it.

Derived data: where its checksum is not that of this state of the cards, of this program and of what it holds, the names
are read from the database again. `marshal` holds plain values only and is read at once.
"""

import contextlib
import hashlib
import marshal
import os
import sys
from pathlib import Path

from rulings.search import analysis, manifest
from rulings.search.name_table import NameTable
from rulings.search.writings import Writings

NAME = "names.bin"
VERSION = 2  # of what is kept
DIGEST = 32  # bytes

Mark = list[int | str]


def read(path: Path, mark: Mark) -> tuple[int, NameTable] | None:
    """Return what is kept under `mark`: the change of the entries, and the names; None where there is none."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if _digest(mark, content[DIGEST:]) != content[:DIGEST]:
        return None
    kept = marshal.loads(content[DIGEST:])  # noqa: S302 - written here, as the checksum says
    entries, writings, games, ruled, numbers, vocabulary, openings, aloud = kept
    table = NameTable(Writings(writings), games, ruled, numbers, vocabulary, openings, Writings(aloud))
    return entries, table


def write(path: Path, mark: Mark, entries: int, table: NameTable) -> None:
    """Keep the names; where the file cannot be written, the next process reads them from the database."""
    table.warm()
    aloud = table.spoken().writings
    content = marshal.dumps(
        (
            entries,
            table.writings.plain(),
            table.games,
            table.ruled,
            table.numbers,
            table.vocabulary,
            table.openings,
            aloud.plain(),
        )
    )
    fresh = path.with_name(f"{NAME}.{os.getpid()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        manifest.make_way(path)
        fresh.write_bytes(_digest(mark, content) + content)
        fresh.replace(path)
    with contextlib.suppress(OSError):
        fresh.unlink(missing_ok=True)


def _digest(mark: Mark, content: bytes) -> bytes:
    """Return the checksum of what is kept, of the state it shows, and of what decides how names are kept and read."""
    whole = (VERSION, analysis.VERSION, sys.version, *mark)
    return hashlib.sha256(repr(whole).encode() + content).digest()

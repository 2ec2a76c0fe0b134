"""Exports on the disk: built a part at a time (a ruleset, the cards of a game), in constant memory, joined to wholes.

A part is built anew only when the change log has moved for what it holds; gzip files joined are a gzip file.
"""

import fcntl
import gzip
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db.models import Max
from django.utils import timezone
from rest_framework.utils.encoders import JSONEncoder

from rulings.api.conditional import build
from rulings.models import Change, ChangeCounter, Game, Ruleset

BLOCK = 64 * 1024
Rows = Callable[[], Iterable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A finished export: gzip on the disk, sizes in bytes, checksums of the lines and of the file."""

    path: str
    count: int
    size: int
    sha256: str
    gzip_size: int
    gzip_sha256: str

    def lines(self) -> Iterator[bytes]:
        """The lines, in blocks."""
        with gzip.open(self.path) as file:
            while block := file.read(BLOCK):
                yield block

    def packed(self) -> Iterator[bytes]:
        with Path(self.path).open("rb") as file:
            while block := file.read(BLOCK):
                yield block


def ruleset_part(ruleset: Ruleset, base: str, rows: Rows) -> ExportFile:
    """The entries of a ruleset; `base`: where the site is, for the rows hold addresses."""
    facts = (_moved(entry__ruleset=ruleset), ruleset.slug, ruleset.authority, ruleset.position, ruleset.game.slug)
    rows_of = (*facts, timezone.localdate())
    return _kept(f"ruleset-{ruleset.slug}", base, rows_of, lambda path: _write(path, rows()))


def cards_part(game: Game, base: str, rows: Rows) -> ExportFile:
    """The cards of a game."""
    facts = (_moved(card__game=game), game.slug)
    return _kept(f"cards-{game.slug}", base, facts, lambda path: _write(path, rows()))


def _moved(**what: Any) -> str:
    """The last change of what a part holds, told from that of another database."""
    last = Change.objects.filter(**what).aggregate(last=Max("number"))["last"] or 0
    return Change.objects.mark_of(last, ChangeCounter.objects.state().database)


def joined(name: str, base: str, parts: list[ExportFile]) -> ExportFile:
    """Several parts as one."""
    facts = tuple(part.gzip_sha256 for part in parts)
    return _kept(name, base, facts, lambda path: _join(path, parts))


def _kept(name: str, base: str, facts: tuple[Any, ...], make: Callable[[Path], ExportFile]) -> ExportFile:
    """The export under these facts, from the disk or made; older ones of that name and base go."""
    folder = Path(settings.EXPORTS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    prefix = f"{name}@{sha256(base.encode()).hexdigest()[:8]}@"
    state = sha256("\n".join([build(), *map(str, facts)]).encode()).hexdigest()[:24]
    path, note = folder / f"{prefix}{state}.ndjson.gz", folder / f"{prefix}{state}.json"
    if found := _read(note, path):
        return found
    with _locked(folder / f"{prefix}lock"):
        if found := _read(note, path):
            return found
        beside = folder / f"{prefix}{state}.new"
        made = make(beside)
        beside.replace(path)
        final = ExportFile(**(asdict(made) | {"path": str(path)}))
        beside.write_text(json.dumps(asdict(final)), encoding="utf-8")
        beside.replace(note)
        for old in folder.glob(f"{prefix}*.*"):
            if old not in (path, note):
                old.unlink(missing_ok=True)  # whoever streams it keeps it open
    return final


def _read(note: Path, path: Path) -> ExportFile | None:
    try:
        found = ExportFile(**json.loads(note.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return found if path.is_file() and path.stat().st_size == found.gzip_size else None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class _Digesting:
    """Counts and digests what is written."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.size, self.digest = file, 0, sha256()

    def write(self, data: bytes) -> int:
        self.size += len(data)
        self.digest.update(data)
        return self.file.write(data)

    def flush(self) -> None:
        self.file.flush()


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> ExportFile:
    count = 0
    with path.open("wb") as raw:
        packed = _Digesting(raw)
        with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as zipped:
            lines = _Digesting(zipped)  # type: ignore[arg-type]
            for row in rows:
                lines.write(json.dumps(row, ensure_ascii=False, cls=JSONEncoder).encode() + b"\n")
                count += 1
        raw.flush()
        os.fsync(raw.fileno())
    return ExportFile(str(path), count, lines.size, lines.digest.hexdigest(), packed.size, packed.digest.hexdigest())


def _join(path: Path, parts: list[ExportFile]) -> ExportFile:
    digest = sha256()
    with path.open("wb") as raw:
        packed = _Digesting(raw)
        for part in parts:
            for block in part.packed():
                packed.write(block)
            for block in part.lines():
                digest.update(block)
    return ExportFile(
        str(path),
        sum(part.count for part in parts),
        sum(part.size for part in parts),
        digest.hexdigest(),
        packed.size,
        packed.digest.hexdigest(),
    )

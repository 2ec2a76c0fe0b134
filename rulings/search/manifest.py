"""What a generation of the index was built with, what it holds, and what each of its files must be.

Files of an index are never changed once they are there (a commit adds some and removes some), so a checksum is
reckoned once per file. The manifest carries a checksum of itself.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulings.search.engine import IndexUnusable

NAME = "manifest.json"
_TOC = re.compile(r"_MAIN_(\d+)\.toc$")
_OURS = re.compile(r"_?MAIN_[0-9a-z]+\.[A-Za-z0-9_.]+$")  # no locks, no temporary files

Files = dict[str, tuple[int, str]]  # name → size in bytes, SHA-256


@dataclass(frozen=True, slots=True)
class Manifest:
    """The last change that a generation holds, and its files."""

    format: str
    number: int
    mark: str
    files: Files = field(default_factory=dict)

    def to_text(self) -> str:
        body = {"format": self.format, "number": self.number, "mark": self.mark, "files": self.files}
        return json.dumps({"check": _digest(body), **body}, indent=1)

    @classmethod
    def read(cls, folder: Path) -> "Manifest":
        """Read the manifest of a generation; raise IndexUnusable where it is damaged."""
        try:
            body: dict[str, Any] = json.loads((folder / NAME).read_text(encoding="utf-8"))
            if body.pop("check") != _digest(body):
                raise IndexUnusable(f"{folder}: the manifest is damaged")
            files = {str(name): (int(size), str(digest)) for name, (size, digest) in body["files"].items()}
            return cls(str(body["format"]), int(body["number"]), str(body["mark"]), files)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise IndexUnusable(f"{folder}: {error!r}") from error


def _digest(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def files_of(folder: Path, known: Files) -> Files:
    """Return size and checksum of each file of an index; those known already are not read again."""
    found: Files = {}
    for path in sorted(folder.iterdir()):
        if _OURS.match(path.name) and not path.name.endswith(".new"):
            found[path.name] = known.get(path.name) or _sum_of(path)
    return found


def _sum_of(path: Path) -> tuple[int, str]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest


def is_behind_files(folder: Path, manifest: Manifest) -> bool:
    """Whether a commit has passed the manifest: one under way, or one whose process died before it could note it."""
    tables = {int(found[1]): found[0] for path in folder.iterdir() if (found := _TOC.match(path.name))}
    return bool(tables) and tables[max(tables)] not in manifest.files


def wrong_sizes(folder: Path, manifest: Manifest) -> list[str]:
    """Return the files that are missing or not as long as they were: quick, for every opening."""
    wrong = [name for name, (size, _digest) in manifest.files.items() if _size(folder / name) != size]
    return wrong if wrong and not _is_superseded(folder, manifest) else []


def damaged(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Yield the files that are not what they were, byte by byte."""
    for name, expected in manifest.files.items():
        try:
            intact = _sum_of(folder / name) == expected
        except OSError:
            intact = False
        if not intact and not (_size(folder / name) is None and _is_superseded(folder, manifest)):
            yield name


def _is_superseded(folder: Path, manifest: Manifest) -> bool:
    """Whether another commit has taken files away since the manifest was read."""
    try:
        return is_behind_files(folder, manifest) or Manifest.read(folder).files != manifest.files
    except (OSError, IndexUnusable):
        return False


def make_way(path: Path) -> None:
    """Remove a folder that stands where a file of the index should."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None

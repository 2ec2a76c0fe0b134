"""Where the index lives: each full build in a folder of its own, and a pointer to the one in use.

INDEX_DIR/CURRENT            the name of the generation in use
INDEX_DIR/gen-…/manifest.json  what it was built with, and the last change it holds
INDEX_DIR/write.lock         held by whoever writes; the kernel frees it when its process dies
"""

import contextlib
import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

from rulings.search import analysis, whoosh_index
from rulings.search.engine import IndexUnusable

FORMAT = f"{whoosh_index.VERSION}.{analysis.VERSION}"
POINTER, MANIFEST, LOCK = "CURRENT", "manifest.json", "write.lock"
PREFIX = "gen-"


def new_folder(root: Path) -> Path:
    """Make a folder for a new generation; owner only, because index files are trusted like code."""
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = root / f"{PREFIX}{time.time_ns():x}-{uuid4().hex[:6]}"
    folder.mkdir(mode=0o700)
    return folder


def current_folder(root: Path) -> Path:
    """Return the generation in use."""
    try:
        name = (root / POINTER).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise IndexUnusable(f"{root}: {error!r}") from error
    folder = root / name
    if not name.startswith(PREFIX) or "/" in name or not folder.is_dir():
        raise IndexUnusable(f"{root}: {name!r}")
    return folder


def read_manifest(folder: Path) -> tuple[int, str]:
    """Return the last change that a generation holds, and its mark; raise IndexUnusable where it is not ours."""
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        known, number, mark = manifest["format"], int(manifest["number"]), str(manifest["mark"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise IndexUnusable(f"{folder}: {error!r}") from error
    if known != FORMAT:
        raise IndexUnusable(f"{folder}: {known} is not {FORMAT}")
    return number, mark


def write_manifest(folder: Path, number: int, mark: str) -> None:
    """Note the last change that a generation holds. Older than the truth is safe: a change applies twice alike.

    `mark` tells that change from one under the same number in another database.
    """
    _write(folder / MANIFEST, json.dumps({"format": FORMAT, "number": number, "mark": mark}))


def put_in_use(root: Path, folder: Path) -> None:
    """Point to `folder`, once its files are on the disk; remove the generations before it."""
    for path in folder.iterdir():
        _sync(path)
    _sync(folder)
    _write(root / POINTER, folder.name)
    for old in root.glob(f"{PREFIX}*"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)


def sync(folder: Path, since: float) -> None:
    """Bring the files changed after `since` to the disk."""
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_mtime >= since - 1:
                _sync(path)
    _sync(folder)


@contextlib.contextmanager
def writing(root: Path, wait: float) -> Iterator[bool]:
    """Hold the write lock of the index; yield whether it was got within `wait` seconds."""
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (root / LOCK).open("w") as lock:
        until = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= until:
                    yield False
                    return
                time.sleep(0.02)
        yield True


def _write(path: Path, text: str) -> None:
    """Write a small file so that readers see the old text or the new one, also after a power cut."""
    beside = path.with_name(f".{path.name}-{uuid4().hex[:8]}")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

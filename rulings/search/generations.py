"""Where the index lives: each full build in a folder of its own, and a pointer to the one in use.

INDEX_DIR/CURRENT            the name of the generation in use
INDEX_DIR/gen-…/manifest.json  what it was built with, the last change it holds, what its files must be
INDEX_DIR/gen-…/DAMAGED        stands there when it is out of use
INDEX_DIR/write.lock         held by whoever writes; the kernel frees it when its process dies
"""

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO
from uuid import uuid4

from rulings.search import analysis, manifest, whoosh_index
from rulings.search.engine import IndexMissing, IndexNotWritable, IndexUnusable
from rulings.search.manifest import Manifest

FORMAT = f"{whoosh_index.VERSION}.{analysis.VERSION}"
POINTER, LOCK, CONDEMNED = "CURRENT", "write.lock", "DAMAGED"
PREFIX = "gen-"


def new_folder(root: Path) -> Path:
    """Make a folder for a new generation; owner only, because index files are trusted like code."""
    _make_root(root)
    folder = root / f"{PREFIX}{time.time_ns():x}-{uuid4().hex[:6]}"
    folder.mkdir(mode=0o700)
    return folder


@contextlib.contextmanager
def telling() -> Iterator[None]:
    """Tell what cannot be written as a state of the index."""
    try:
        yield
    except FileNotFoundError as error:  # taken away meanwhile
        raise IndexUnusable(repr(error)) from error
    except OSError as error:
        raise IndexNotWritable(f"検索索引を書けません（{error.strerror}）。") from error


@contextlib.contextmanager
def building(root: Path) -> Iterator[Path]:
    """Give a folder for a new generation; gone again where it does not come into use."""
    with telling():
        folder = new_folder(root)
        try:
            yield folder
        except BaseException:
            if _named(root) != folder.name:
                shutil.rmtree(folder, ignore_errors=True)
            raise


def clear_away(root: Path) -> None:
    """Remove what killed processes have left; for who holds the write lock, under which nobody else builds."""
    named = _named(root)
    if named and (root / named).is_dir():
        _remove_others(root, named)


def _remove_others(root: Path, named: str) -> None:
    for path in root.iterdir():
        if path.name.startswith(PREFIX) and path.name != named:
            shutil.rmtree(path, ignore_errors=True)
        elif path.name.startswith(f".{POINTER}-"):
            path.unlink(missing_ok=True)


def _named(root: Path) -> str:
    """Return the generation that the pointer names, be it there or not."""
    try:
        return (root / POINTER).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _make_root(root: Path) -> None:
    try:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (FileExistsError, NotADirectoryError) as error:
        raise IndexUnusable(f"{root} はフォルダーではありません。このファイルをどけてください。") from error
    except OSError as error:
        raise IndexNotWritable(f"{root} を作れません（{error.strerror}）。") from error


def current_folder(root: Path) -> Path:
    """Return the generation in use."""
    try:
        name = (root / POINTER).read_text(encoding="ascii").strip()
    except FileNotFoundError as error:
        raise IndexMissing(f"{root}: 索引はまだありません。") from error
    except (OSError, UnicodeDecodeError) as error:
        raise IndexUnusable(f"{root}: {error!r}") from error
    folder = root / name
    if not name.startswith(PREFIX) or "/" in name or not folder.is_dir() or _is_condemned(folder):
        raise IndexUnusable(f"{root}: {name!r}")
    return folder


_condemned: set[tuple[int, int]] = set()  # folders that no mark can be written to, as `_state` tells them


def condemn(folder: Path, reason: str) -> None:
    """Take a damaged generation out of use, for every process."""
    try:
        (folder / CONDEMNED).write_text(reason, encoding="utf-8")
    except OSError:
        with contextlib.suppress(OSError):
            _condemned.add(_state(folder))


def _is_condemned(folder: Path) -> bool:
    if (folder / CONDEMNED).exists():
        return True
    return bool(_condemned) and _state(folder) in _condemned


def _state(folder: Path) -> tuple[int, int]:
    stat = folder.stat()
    return stat.st_ino, stat.st_mtime_ns


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a generation; raise IndexUnusable where it is damaged, or of another engine."""
    found = _read(folder)
    if found.format.partition(".")[0] != FORMAT.partition(".")[0]:
        raise IndexUnusable(f"{folder}: {found.format} is not {FORMAT}")
    return found


_known: dict[Path, tuple[tuple[int, int, int], Manifest]] = {}


def _read(folder: Path) -> Manifest:
    """Read a manifest, once as long as its file is the same: every search asks for it."""
    try:
        stat = (folder / manifest.NAME).stat()
    except OSError as error:
        raise IndexUnusable(f"{folder}: {error!r}") from error
    same = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
    known = _known.get(folder)
    if known is None or known[0] != same:
        known = (same, Manifest.read(folder))
        if len(_known) > 4:
            _known.clear()
        _known[folder] = known
    return known[1]


def is_stale(found: Manifest) -> bool:
    """Whether a generation was analysed in another way: good to search until it is built anew."""
    return found.format != FORMAT


def write_manifest(folder: Path, number: int, mark: str) -> None:
    """Note the last change that a generation holds, and its files as they are.

    An older number than the truth is safe: a change applies twice alike. `mark` tells that change from one under the
    same number in another database.
    """
    try:
        known = Manifest.read(folder).files
    except IndexUnusable:
        known = {}
    _write(folder / manifest.NAME, Manifest(FORMAT, number, mark, manifest.files_of(folder, known)).to_text())


def put_in_use(root: Path, folder: Path) -> None:
    """Point to `folder`, once its files are on the disk; remove the generations before it."""
    for path in folder.iterdir():
        _sync(path)
    _sync(folder)
    _write(root / POINTER, folder.name)
    _remove_others(root, folder.name)


def sync(folder: Path, since: float) -> None:
    """Bring the files changed after `since` to the disk."""
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_mtime >= since - 1:
                _sync(path)
    _sync(folder)


def note(folder: Path, since: float, number: int, mark: str) -> None:
    """Bring what was written after `since` to the disk, then note the last change that it holds."""
    sync(folder, since)
    write_manifest(folder, number, mark)


@contextlib.contextmanager
def writing(root: Path, wait: float) -> Iterator[bool]:
    """Hold the write lock of the index; yield whether it was got within `wait` seconds."""
    with _lock_file(root) as lock:
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


def _lock_file(root: Path) -> TextIO:
    _make_root(root)
    manifest.make_way(root / LOCK)
    try:
        return (root / LOCK).open("w")
    except OSError as error:
        raise IndexNotWritable(f"{root} に書き込めません（{error.strerror}）。") from error


def _write(path: Path, text: str) -> None:
    """Write a small file so that readers see the old text or the new one, also after a power cut."""
    manifest.make_way(path)
    beside = path.with_name(f".{path.name}-{uuid4().hex[:8]}")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    _sync(path.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

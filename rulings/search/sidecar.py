"""Numpy arrays in one file, mapped into memory: open costs nothing, processes share the pages.

Layout: magic, length of the directory, the directory (JSON: name → dtype, shape, offset), the arrays, each aligned.
Only derived data is kept so; the file goes with what it was derived from. Linux maps from sixteen to five hundred pages
where one is read, so a process would hold nearly the whole file after some searches: `relieve` gives the pages back.
"""

import json
import mmap
import os
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"RLARR001"
ALIGNMENT = 64
MOST_MAPPED = 64 << 20  # bytes of files that a process maps anew before pages are given back

Arrays = Mapping[str, NDArray[Any]]


class NotASidecar(Exception):  # noqa: N818 - a state of a file
    """The file is not one of ours, or not whole."""


def write(path: Path, arrays: Arrays) -> None:
    """Write `arrays` beside `path`, bring them to the disk and put them there whole."""
    directory, offset = {}, 0
    for name, array in arrays.items():
        directory[name] = (array.dtype.str, list(array.shape), offset)
        offset += _aligned(array.nbytes)
    head = json.dumps(directory).encode()
    start = _aligned(len(MAGIC) + 16 + len(head))
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as file:
        file.write(MAGIC + len(head).to_bytes(8, "little") + (start + offset).to_bytes(8, "little") + head)
        for array, (_dtype, _shape, at) in zip(arrays.values(), directory.values(), strict=True):
            file.seek(start + at)
            np.ascontiguousarray(array).tofile(file)
        file.truncate(start + offset)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


class Mapped(dict[str, NDArray[Any]]):
    """The arrays of a file, mapped, by name."""

    def __init__(self, path: Path) -> None:
        """Raise OSError, ValueError or TypeError where the file is not ours."""
        self.path, self._file = path, os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        data = mmap.mmap(self._file, 0, access=mmap.ACCESS_READ)
        _relief.add(data)
        size = os.fstat(self._file).st_size
        length, whole = (int.from_bytes(data[at : at + 8], "little") for at in (8, 16))
        if data[:8] != MAGIC or whole != size:
            raise ValueError(f"{size} bytes")
        directory = json.loads(data[24 : 24 + length])
        self._start = _aligned(24 + length)
        self._offsets = {name: offset for name, (_dtype, _shape, offset) in directory.items()}
        for name, (dtype, shape, offset) in directory.items():
            self[name] = np.frombuffer(data, dtype, int(np.prod(shape)), self._start + offset).reshape(shape)

    def piece(self, name: str, start: int, end: int) -> bytes:
        """Return bytes of an array without mapping their page, which takes ten times as long where no page comes again.

        Raise NotASidecar where they are not there any more.
        """
        found = os.pread(self._file, end - start, self._start + self._offsets[name] + start)
        if len(found) != end - start:
            raise NotASidecar(f"{self.path}: shorter than it was")
        return found


def read(path: Path) -> Mapped:
    """Map the arrays of a file; raise NotASidecar where it is damaged in a way that shows."""
    try:
        return Mapped(path)
    except (OSError, ValueError, TypeError) as error:
        raise NotASidecar(f"{path}: {error!r}") from error


class _Relief:
    """Gives the pages of mapped files back: they stay in the kernel's cache, the next look at one maps it again.

    That costs a millisecond or two and is asked after whole searches; where nothing tells how much is mapped, never.
    """

    def __init__(self) -> None:
        self._maps: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._least = -1  # bytes mapped when pages were last given back, or fewer since; so first of all they are

    def add(self, data: mmap.mmap) -> None:
        with self._lock:
            self._maps.add(data)

    def look(self) -> None:
        if not self._lock.acquire(blocking=False):
            return
        try:
            mapped = _mapped()
            if self._least < 0 or mapped - self._least > MOST_MAPPED:
                for data in self._maps if mapped else ():
                    data.madvise(mmap.MADV_DONTNEED)
                self._least = _mapped()
            self._least = min(self._least, mapped)
        finally:
            self._lock.release()


_relief = _Relief()


def relieve() -> None:
    """Give pages back where many were mapped since; to be called after each search."""
    _relief.look()


def _mapped() -> int:
    """Return how many bytes of files this process has mapped in memory; 0 where that is not told."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - no path, a question
            return int(file.read().split()[2]) * mmap.PAGESIZE
    except OSError:
        return 0


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT

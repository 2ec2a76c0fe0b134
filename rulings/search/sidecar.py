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
MOST_MAPPED = 48 << 20  # bytes of files that a process maps anew before pages are given back

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


def read(path: Path) -> dict[str, NDArray[Any]]:
    """Map the arrays of a file; raise NotASidecar where it is damaged in a way that shows."""
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            size = os.fstat(file.fileno()).st_size
        _relief.add(data)
        length, whole = (int.from_bytes(data[at : at + 8], "little") for at in (8, 16))
        if data[:8] != MAGIC or whole != size:
            raise NotASidecar(f"{path}: {size} bytes")
        directory = json.loads(data[24 : 24 + length])
        start = _aligned(24 + length)
        return {
            name: np.frombuffer(data, dtype, int(np.prod(shape)), start + offset).reshape(shape)
            for name, (dtype, shape, offset) in directory.items()
        }
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

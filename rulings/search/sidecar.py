"""Numpy arrays in one file, mapped into memory: open costs nothing, processes share the pages.

Layout: magic, length of the directory, the directory (JSON: name → dtype, shape, offset), the arrays, each aligned.
Only derived data is kept so; the file goes with what it was derived from.
"""

import json
import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"RLARR001"
ALIGNMENT = 64

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


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT

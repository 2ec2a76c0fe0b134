"""Counters that the processes of one machine share: a small file of fixed size, locked for the moment of a count."""

import fcntl
import os
import struct
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from django.conf import settings

SLOTS = 65_536
PROBES = 16
_SLOT = struct.Struct("<Qdq")  # key, end of its window (Unix seconds), count


@dataclass(frozen=True, slots=True)
class Count:
    """How often a key was counted in its window, and the seconds until that ends."""

    count: int
    reset: float


def hit(key: str, window: float, path: Path | None = None) -> Count:
    """Count `key` once; its window (seconds) begins with the first count. Raise OSError when the file fails.

    When all places of a key are taken the one that ends first is given up: a flood of keys loosens limits, no more.
    """
    name = int.from_bytes(sha256(key.encode("utf-8", "backslashreplace")).digest()[:8], "little") or 1
    file = path or Path(settings.COUNTERS_FILE)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_size != SLOTS * _SLOT.size:
            os.ftruncate(descriptor, SLOTS * _SLOT.size)
        return _count(descriptor, name, window)
    finally:
        os.close(descriptor)


def _count(descriptor: int, name: int, window: float) -> Count:
    now = time.time()
    first = (name % (SLOTS - PROBES)) * _SLOT.size
    slots = list(_SLOT.iter_unpack(os.pread(descriptor, PROBES * _SLOT.size, first)))
    own = next((at for at, slot in enumerate(slots) if slot[0] == name), None)
    at = min(range(PROBES), key=lambda each: slots[each][1]) if own is None else own
    _name, ends, count = slots[at]
    if own is None or not now < ends <= now + window:
        ends, count = now + window, 0
    count += 1
    os.pwrite(descriptor, _SLOT.pack(name, ends, count), first + at * _SLOT.size)
    return Count(count, ends - now)

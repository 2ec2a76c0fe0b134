"""The permissions of files hold for this thread and those that it starts, though the tests run as the superuser."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

VERSION = 0x20080522
OVERRIDE = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Sets(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable")]


@contextmanager
def held_by_permissions() -> Iterator[None]:
    """Do without the right to read and write everything, until the block ends."""
    if os.geteuid():
        yield
        return
    libc, header, sets = ctypes.CDLL(None, use_errno=True), _Header(VERSION, 0), (_Sets * 2)()
    if libc.capget(ctypes.byref(header), sets):
        pytest.skip("the rights of this process are not known")
    before = sets[0].effective
    sets[0].effective &= ~OVERRIDE
    libc.capset(ctypes.byref(header), sets)
    try:
        yield
    finally:
        sets[0].effective = before
        libc.capset(ctypes.byref(header), sets)

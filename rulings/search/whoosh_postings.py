"""Writes the terms of a field and their postings as Whoosh's `W3FieldWriter` does, byte for byte, without its layers.

Whoosh spends a dozen Python calls on a term and more on a block of postings; here whatever can be is reckoned for all
blocks of a field at once.
"""

# ruff: noqa: SLF001 - Whoosh's public way takes one posting at a time

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pickle import dumps
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.whoosh3 import WHOOSH3_HEADER_MAGIC, W3TermInfo
from whoosh.filedb.filetables import _lengths
from whoosh.util.numeric import byte_to_length

BLOCK = 128
PROTOCOL = 2  # of pickle
LENGTHS = np.array([byte_to_length(byte) for byte in range(256)], np.float32)
FLUSHED = 1 << 20  # bytes gathered before they are written
_BOUNDS = LENGTHS.astype(np.int64)
_EXTENT = struct.Struct("!qi")
_NUMBER, _SHORT = struct.Struct("!i"), struct.Struct("!H")

_Told = tuple[int, int, float, int, int, int]  # of a block: postings, last document, highest frequency, compression, …


def as_bytes(lengths: NDArray[Any]) -> NDArray[np.int64]:
    """Return field lengths as the bytes in which Whoosh keeps them."""
    return np.minimum(np.searchsorted(_BOUNDS, lengths), 255)


@dataclass(slots=True, eq=False)
class Blocks:
    """The postings of a field in blocks: those of the first term, of the second, …"""

    ids: NDArray[np.int64]
    frequencies: NDArray[np.uint32]
    lower: NDArray[np.int64]  # where the postings of each term begin
    upper: NDArray[np.int64]
    counts: NDArray[np.int64]  # blocks of each term
    starts: NDArray[np.int64]  # of each block
    ends: NDArray[np.int64]
    least: NDArray[np.uint32]  # frequency
    most: NDArray[np.uint32]
    shortest: NDArray[np.int64]  # field, as a byte; 0 where lengths are not kept
    longest: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        lower: NDArray[Any],
        upper: NDArray[Any],
        ids: NDArray[np.int64],
        frequencies: NDArray[np.uint32],
        lengths: NDArray[np.int32],
    ) -> "Blocks":
        counts = -(-(upper - lower) // BLOCK)
        first = np.cumsum(counts) - counts
        starts = np.repeat(lower - first * BLOCK, counts) + np.arange(counts.sum()) * BLOCK
        ends = np.minimum(starts + BLOCK, np.repeat(upper, counts))
        longest = np.maximum.reduceat(lengths, starts)
        shortest = np.minimum.reduceat(np.where(lengths > 0, lengths, np.iinfo(np.int32).max), starts)
        least, most = np.minimum.reduceat(frequencies, starts), np.maximum.reduceat(frequencies, starts)
        bytes_ = as_bytes(np.where(longest > 0, shortest, 0)), as_bytes(longest)
        return cls(ids, frequencies, lower, upper, counts, starts, ends, least, most, *bytes_)

    def written(self, fixed: int, compression: int) -> Iterator[tuple[_Told, bytes]]:
        """Give what is told of each block, and the block as it is written."""
        steps = np.diff(self.ids, prepend=0)
        steps[self.starts] = self.ids[self.starts]
        payload = self.frequencies.astype(">u4").tobytes()
        weights = self.frequencies.astype(np.float64)
        columns = (self.starts, self.ends, self.ids[self.ends - 1], self.least, self.most, self.shortest, self.longest)
        for start, end, last, least, most, shortest, longest in zip(*(one.tolist() for one in columns), strict=True):
            own: Any = tuple(weights[start:end].tolist()) if least != most else None if most == 1 else float(most)
            values = payload[4 * start : 4 * end] if fixed else None
            data = zlib.compress(dumps((tuple(steps[start:end].tolist()), own, values), PROTOCOL), compression)
            yield (end - start, last, float(most), compression, shortest, longest), data

    def told(self) -> Iterator[tuple[float, int, int, int, float, int, int]]:
        """Give what is told of each term: weight, documents, shortest, longest, highest frequency, first and last."""
        first = np.cumsum(self.counts) - self.counts
        columns = (
            np.add.reduceat(self.frequencies.astype(np.float64), self.lower),
            self.upper - self.lower,
            np.minimum.reduceat(self.shortest, first),
            np.maximum.reduceat(self.longest, first),
            np.maximum.reduceat(self.most, first).astype(np.float64),
            self.ids[self.lower],
            self.ids[self.upper - 1],
        )
        return zip(*(one.tolist() for one in columns), strict=True)


class _Gathered:
    """Bytes for a file of Whoosh's, written in large pieces."""

    def __init__(self, file: Any) -> None:
        self._file, self._parts, self.at = file, list[bytes](), int(file.tell())
        self._flushed = self.at

    def add(self, *parts: bytes) -> None:
        self._parts += parts
        self.at += sum(map(len, parts))
        if self.at - self._flushed > FLUSHED:
            self.flush()

    def flush(self) -> None:
        self._file.write(b"".join(self._parts))
        self._parts, self._flushed = [], self.at


def write_terms(fields: Any, terms: Sequence[bytes], blocks: Blocks) -> None:
    """Write terms, sorted, and their postings into the field that a field writer of Whoosh's has begun."""
    table, writer = fields._tindex, fields._postwriter
    posts, rows = _Gathered(fields._postfile), _Gathered(table.dbfile)
    written = blocks.written(fields._fieldobj.format.fixed_value_size(), writer._compression)
    prefix = _SHORT.pack(fields._fieldid)
    for term, count, told in zip(terms, blocks.counts.tolist(), blocks.told(), strict=True):
        begin = posts.at
        posts.add(WHOOSH3_HEADER_MAGIC)
        for left in range(count, 0, -1):
            of_block, data = next(written)
            head = dumps(of_block, PROTOCOL)
            size = len(head) + len(data)
            posts.add(_NUMBER.pack(size if left > 1 else -size), head, data)  # the last has a negative size
        key = prefix + term
        value = W3TermInfo._struct.pack(False, *told) + _EXTENT.pack(begin, posts.at - begin)
        hashed = table.hashfn(key)
        table.index.append(rows.at)
        table.buckets[hashed & 255].append((hashed, rows.at))
        rows.add(_lengths.pack(len(key), len(value)), key, value)
    table.lastkey = prefix + terms[-1]
    posts.flush()
    rows.flush()

"""Writes an inverted segment in Whoosh's own format, block by block instead of posting by posting.

Stock writing takes each posting by itself through several Python calls and a sort; here a block of 128 is handed
over at once. What it writes is what stock writing would have written, which a test compares.
"""

# ruff: noqa: SLF001 - Whoosh's public way takes one posting at a time

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.util.numeric import byte_to_length

from rulings.search.engine import FIELDS
from rulings.search.formula import of_field
from rulings.search.inverting import COLUMNS, COUNTED, Inverted, Postings

BLOCK = 128
_ROUNDED = np.array([byte_to_length(byte) for byte in range(256)], np.float32)
_BOUNDS = np.array([byte_to_length(byte) for byte in range(256)], np.int64)


def rounded(lengths: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return field lengths as Whoosh keeps them, in one byte each."""
    return np.where(lengths > 0, _ROUNDED[np.minimum(np.searchsorted(_BOUNDS, lengths), 255)], 0).astype(np.float32)


def write_segment(writer: Any, inverted: Inverted) -> None:
    """Write `inverted` as the new segment of a Whoosh writer; its commit makes it visible."""
    _write_documents(writer, inverted)
    fields = writer.fieldwriter
    for name in sorted([f"{field}_{group}" for field in FIELDS for group in COUNTED] + ["chars", "labels", "entry"]):
        fields.start_field(name, writer.schema[name])
        field, _, group = name.rpartition("_")
        if group in COUNTED:
            at = FIELDS.index(field)
            postings = inverted.groups[group]
            _write_field(fields, postings, of_field(postings.tf, at), inverted.lengths[group][at])
        elif name == "entry":
            _write_entries(fields, inverted.columns["entry"])
        else:
            postings = inverted.groups[name]
            ones = np.ones(len(postings.ids), np.uint32)
            _write_field(fields, postings, ones, np.zeros(inverted.size, np.int32))
        fields.finish_field()


def _write_documents(writer: Any, inverted: Inverted) -> None:
    documents, schema = writer.perdocwriter, writer.schema
    columns = {name: values.tolist() for name, values in inverted.columns.items()}
    lengths = [
        (f"{field}_{group}", inverted.lengths[group][at].tolist())
        for group in COUNTED
        for at, field in enumerate(FIELDS)
    ]
    for number in range(inverted.size):
        documents.start_doc(number)
        for name, values in lengths:
            if values[number]:
                documents.add_field(name, schema[name], None, values[number])
        for name in COLUMNS:
            if name != "entry":
                documents.add_column_value(name, schema[name].column_type, columns[name][number])
        documents.finish_doc()
    writer.docnum = inverted.size
    writer._added = inverted.size > 0  # what add_document sets


def _write_field(fields: Any, postings: Postings, tf: NDArray[np.uint32], lengths: NDArray[np.int32]) -> None:
    """Write one field of a group: the postings in which the field has the term."""
    held = np.flatnonzero(tf)
    if not len(held):
        return
    bounds = np.searchsorted(held, postings.starts).tolist()
    ids, frequencies = postings.ids[held].astype(np.uint32), tf[held]
    starts = [start for lower, upper in pairwise(bounds) for start in range(lower, upper, BLOCK)]
    blocks = iter(zip(starts, *_of_blocks(frequencies, lengths[ids], starts), strict=True))
    packed = ids.tobytes(), frequencies.astype(np.float32).tobytes(), frequencies.astype(">u4").tobytes()
    writer = fields._postwriter
    for term, (lower, upper) in zip(postings.terms, pairwise(bounds), strict=True):
        if lower < upper:
            fields.start_term(term)
            for end in [*range(lower + BLOCK, upper, BLOCK), upper]:
                start, most, shortest, longest = next(blocks)
                _fill(writer, [part[4 * start : 4 * end] for part in packed], most, shortest, longest)
            fields.finish_term()


def _of_blocks(
    frequencies: NDArray[np.uint32], sizes: NDArray[np.int32], starts: list[int]
) -> tuple[list[float], list[int], list[int]]:
    """Return the highest frequency, the shortest and the longest field of each block; 0 where lengths are not kept."""
    known = np.where(sizes > 0, sizes, np.iinfo(np.int32).max)
    longest = np.maximum.reduceat(sizes, starts)
    shortest = np.where(longest > 0, np.minimum.reduceat(known, starts), 0)
    return np.maximum.reduceat(frequencies, starts).astype(float).tolist(), shortest.tolist(), longest.tolist()


def _write_entries(fields: Any, entries: NDArray[np.int64]) -> None:
    """Write which documents an entry has."""
    order = np.argsort(entries, kind="stable")
    values, starts = np.unique(entries[order], return_index=True)
    ends = [*starts[1:].tolist(), len(order)]
    rows = zip([str(value).encode() for value in values.tolist()], starts.tolist(), ends, strict=True)
    for term, start, end in sorted(rows):
        fields.start_term(term)
        for number in order[start:end].tolist():
            fields.add(number, 1.0, b"", None)
        fields.finish_term()


def _fill(block: Any, packed: list[bytes], most: float, shortest: int, longest: int) -> None:
    """Hand a block over to Whoosh's posting writer, as its `add_posting` would have filled it."""
    if block._ids:
        block._write_block()
    ids, weights, payload = packed
    block._ids.frombytes(ids)
    block._weights.frombytes(weights)
    block._values.append(payload)
    block._maxweight = most
    if longest:
        block._minlength, block._maxlength = shortest, longest

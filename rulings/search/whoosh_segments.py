"""Writes an inverted segment in Whoosh's own format, block by block instead of posting by posting.

Stock writing takes each posting by itself through several Python calls and a sort; here a block of 128 is handed
over at once. What it writes is what stock writing would have written, which a test compares.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.util.numeric import byte_to_length

from rulings.search.engine import FIELDS
from rulings.search.inverting import COLUMNS, COUNTED, Inverted, Postings, of_field

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
    writer._added = inverted.size > 0  # noqa: SLF001 - what add_document sets


def _write_field(fields: Any, postings: Postings, tf: NDArray[np.uint32], lengths: NDArray[np.int32]) -> None:
    """Write one field of a group: the postings in which the field has the term."""
    held = np.flatnonzero(tf)
    starts = np.searchsorted(held, postings.starts)
    ids, frequencies = postings.ids[held].astype(np.uint32), tf[held]
    weights, payload = frequencies.astype(np.float32), frequencies.astype(">u4")
    sizes = lengths[ids]
    bounds = starts.tolist()
    for at, term in enumerate(postings.terms):
        if bounds[at] < bounds[at + 1]:
            fields.start_term(term)
            for start in range(bounds[at], bounds[at + 1], BLOCK):
                block = slice(start, min(start + BLOCK, bounds[at + 1]))
                _fill(fields._postwriter, ids[block], weights[block], payload[block].tobytes(), sizes[block])  # noqa: SLF001
            fields.finish_term()


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


def _fill(
    block: Any, ids: NDArray[np.uint32], weights: NDArray[np.float32], payload: bytes, sizes: NDArray[np.int32]
) -> None:
    """Hand a block over to Whoosh's posting writer, as its `add_posting` would have filled it."""
    if block._ids:  # noqa: SLF001
        block._write_block()  # noqa: SLF001
    block._ids.frombytes(ids.tobytes())  # noqa: SLF001
    block._weights.frombytes(weights.tobytes())  # noqa: SLF001
    block._values.append(payload)  # noqa: SLF001
    block._maxweight = float(weights.max())  # noqa: SLF001
    known = sizes[sizes > 0]
    if len(known):
        block._minlength, block._maxlength = int(known.min()), int(known.max())  # noqa: SLF001

"""Writes an inverted segment in Whoosh's own format, a field at a time instead of posting by posting.

Stock writing takes each posting by itself through several Python calls and a sort. What is written here is what stock
writing would have written, which a test compares.
"""

# ruff: noqa: SLF001 - Whoosh's public way takes one posting at a time

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.engine import FIELDS
from rulings.search.formula import of_field
from rulings.search.inverting import COLUMNS, COUNTED, Inverted, Postings
from rulings.search.whoosh_postings import LENGTHS, Blocks, as_bytes, write_terms

AT_ONCE = 1 << 20  # postings


def rounded(lengths: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return field lengths as Whoosh keeps them, in one byte each."""
    return np.where(lengths > 0, LENGTHS[as_bytes(lengths)], 0).astype(np.float32)


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
            _write_field(fields, postings, at, inverted.lengths[group][at])
        elif name == "entry":
            _write_entries(fields, inverted.columns["entry"])
        else:
            postings = inverted.groups[name]
            _write_field(fields, postings, None, np.zeros(inverted.size, np.int32))
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


def _write_field(fields: Any, postings: Postings, at: int | None, lengths: NDArray[np.int32]) -> None:
    """Write one field of a group, the postings in which it has the term; without `at` all postings, each once.

    A bounded number of postings at once: what is reckoned of them takes ten times their room.
    """
    for first, last in _ranges(postings.starts):
        starts = postings.starts[first : last + 1]
        some = slice(starts[0], starts[-1])
        ids = postings.ids[some]
        tf = np.ones(len(ids), np.uint32) if at is None else of_field(postings.tf[some], at)
        held = np.flatnonzero(tf)
        if len(held):
            bounds = np.searchsorted(held, starts - starts[0])
            used = np.flatnonzero(np.diff(bounds))
            documents, frequencies = ids[held].astype(np.int64), tf[held]
            blocks = Blocks.of(bounds[used], bounds[used + 1], documents, frequencies, lengths[documents])
            write_terms(fields, [postings.terms[first + one] for one in used.tolist()], blocks)


def _ranges(starts: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Give ranges of terms: as many as have AT_ONCE postings together, or a single one that has more."""
    first, last = 0, len(starts) - 1
    while first < last:
        end = max(first + 1, int(np.searchsorted(starts, starts[first] + AT_ONCE, side="right")) - 1)
        yield first, end
        first = end


def _write_entries(fields: Any, entries: NDArray[np.int64]) -> None:
    """Write which documents an entry has."""
    order = np.argsort(entries, kind="stable")
    values, starts = np.unique(entries[order], return_index=True)
    ends = np.append(starts[1:], len(order))
    terms = [str(value).encode() for value in values.tolist()]
    by_term = np.array(sorted(range(len(terms)), key=terms.__getitem__), np.int64)
    counts = (ends - starts)[by_term]
    bounds = np.append(0, np.cumsum(counts))
    ids = order[np.repeat(starts[by_term] - bounds[:-1], counts) + np.arange(len(order))]
    ones, none = np.ones(len(ids), np.uint32), np.zeros(len(ids), np.int32)
    write_terms(fields, [terms[at] for at in by_term.tolist()], Blocks.of(bounds[:-1], bounds[1:], ids, ones, none))

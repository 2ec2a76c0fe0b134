"""What is reckoned of a segment's postings once, when it is written, so that no query has to.

Marks say how much a posting can add to a score, in 255ths of the most that its term adds, rounded up: they choose the
few documents that are scored exactly. A term that many documents hold has a row: its marks by document number, 0 where
it is not. Frequencies are kept as numbers into a table of those that occur, some hundred. Keys are the first eight
bytes of each term.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.engine import FIELDS
from rulings.search.formula import Boosts, Packed, idf, impacts, norms
from rulings.search.ranking import FIELD_BOOSTS

WORTH = 1_000  # documents: the postings of smaller segments are marked when they are asked for
COMMON = 8  # a term that one document in so many holds has a row
LEVELS = 255
BATCH = 1 << 18  # postings at once
BOOSTS: Boosts = tuple(max(FIELD_BOOSTS.get(field, 1.0), 0.05) for field in FIELDS)  # a query may have others

Marks = NDArray[np.uint8]


def coded(tf: Packed) -> tuple[Packed, NDArray[Any]]:
    """Return the different frequencies, and the place of each posting's among them."""
    table = np.unique(tf)
    codes = np.empty(len(tf), np.uint8 if len(table) <= 256 else np.uint16 if len(table) <= 65_536 else np.uint32)
    for start in range(0, len(tf), BATCH):
        codes[start : start + BATCH] = np.searchsorted(table, tf[start : start + BATCH])
    return table, codes


def keys(terms: list[bytes]) -> NDArray[np.uint64]:
    """Return the beginnings of terms as numbers of the same order."""
    return np.frombuffer(b"".join(term[:8].ljust(8, b"\0") for term in terms), ">u8").astype(np.uint64)


def scored(
    starts: NDArray[np.int64], ids: NDArray[np.int32], tf: Packed, df: NDArray[np.int32], norms_: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the score of each posting of a group."""
    weights, scores = idf(len(norms_), df), np.empty(len(ids), np.float32)
    terms = np.repeat(np.arange(len(df), dtype=np.int32), np.diff(starts))
    for start in range(0, len(ids), BATCH):
        some = slice(start, start + BATCH)
        scores[some] = impacts(tf[some], weights[terms[some]], norms_[ids[some]], BOOSTS)
    return scores


def marked(starts: NDArray[np.int64], scores: NDArray[np.float32]) -> tuple[Marks, NDArray[np.float32]]:
    """Return the mark of each posting, and what one is worth, by term."""
    most = np.maximum.reduceat(scores, starts[:-1]) if len(scores) else np.zeros(0, np.float32)
    steps = np.maximum(most * np.float32((1 + 1e-6) / LEVELS), np.float32(1e-12))
    marks = np.empty(len(scores), np.uint8)
    counts = np.diff(starts)
    every = np.repeat(steps, counts)
    for start in range(0, len(scores), BATCH):
        some = slice(start, start + BATCH)
        marks[some] = np.clip(np.ceil(scores[some] / every[some]), 1, LEVELS)
    return marks, steps


def rows_of(starts: NDArray[np.int64], ids: NDArray[np.int32], marks: Marks, size: int) -> tuple[Any, Any]:
    """Return the terms that have rows, and the rows."""
    common = np.flatnonzero(np.diff(starts) * COMMON >= size).astype(np.int32)
    rows = np.zeros((len(common), size), np.uint8)
    for row, term in zip(rows, common.tolist(), strict=True):
        held = slice(starts[term], starts[term + 1])
        row[ids[held]] = marks[held]
    return common, rows


def derived(
    group: str,
    starts: NDArray[np.int64],
    ids: NDArray[np.int32],
    tf: Packed,
    df: NDArray[np.int32],
    lengths: NDArray[np.float32],
    counts: NDArray[np.int32],
) -> dict[str, NDArray[Any]]:
    """Return marks, what they are worth and the rows of a group's postings, as named arrays."""
    size = lengths.shape[1]
    if size < WORTH:
        return {}
    scores = scored(starts, ids, tf, df, norms(lengths, counts.sum(axis=1, dtype=np.int64)))
    marks, steps = marked(starts, scores)
    common, rows = rows_of(starts, ids, marks, size)
    return {f"{group}.marks": marks, f"{group}.steps": steps, f"{group}.common": common, f"{group}.rows": rows}

"""Which documents match a query, and how well: BM25 per field, weighed by how much of the query they cover.

A document is no better for holding one word often than for holding most of what was asked: its score is scaled by
its coverage, the share of the query's information (rare concepts carry more) that it holds.

Exact, yet few documents are scored: which ones match follows from lists alone (`matched`; what holds only the common
words of a query cannot cover enough of it), which of them can be among the best from their marks (`choosing`).
`tests/search/exhaustive.py` says the same without any of this.
"""

import numpy as np

from rulings.search.arrays import YEAR, IndexArrays
from rulings.search.choosing import best
from rulings.search.engine import EngineAnswer, EngineQuery, Found
from rulings.search.matched import Matched, match
from rulings.search.meeting import Mask
from rulings.search.ranking import looked_at

NO_TEXTS: dict[str, str] = {}


def answer(index: IndexArrays, query: EngineQuery) -> EngineAnswer:
    """Return the best documents, and how many match."""
    found = match(index, query)
    shown, passing = found.that(index.shown(query)), found.that(index.allowed(query))
    if query.only is not None:
        among = found.selection.of(np.isin(index.column("entry"), list(query.only)))
        shown, passing = shown & among, passing & among
    total = int(np.count_nonzero(shown))
    left_out = int(np.count_nonzero(passing)) - total
    listed = _found(index, query, found, shown, total) if total else []
    return EngineAnswer(total, left_out, listed, found.information, count(index, query, found))


def _found(index: IndexArrays, query: EngineQuery, found: Matched, shown: Mask, total: int) -> list[Found]:
    ranked = best(index, query, found, shown, total)
    columns = [index.column(name).take(ranked.ids).tolist() for name in ("id", "entry")]
    scores, count = ranked.scores.tolist(), len(ranked.ids)
    read = count if query.texts == "all" else looked_at(scores) if query.texts == "looked_at" else 0
    texts = [*index.texts(ranked.ids[:read]), *[NO_TEXTS] * (count - read)]
    return list(map(Found, *columns, scores, ranked.coverage.tolist(), texts))


def count(index: IndexArrays, query: EngineQuery, found: Matched) -> dict[str, int]:
    """Count what matches under each label that is asked for, as if its own dimension were not filtered."""
    shown: dict[str, Mask] = {}
    counts: dict[str, int] = {}
    for label in query.counted:
        dimension = label.partition(":")[0] + ":"
        if dimension not in shown:
            shown[dimension] = _shown(index, query, found, dimension)
        held_there = found.selection.of(index.labelled(frozenset((label,))))
        counts[label] = int(np.count_nonzero(held_there & shown[dimension]))
    return counts | (_years(index, query, found) if query.counted else {})


def _shown(index: IndexArrays, query: EngineQuery, found: Matched, dimension: str) -> Mask:
    shown = found.that(index.allowed(query, dimension))
    if query.left_out and dimension != "status:":
        shown &= ~found.selection.of(index.labelled(query.left_out))
    return shown


def _years(index: IndexArrays, query: EngineQuery, found: Matched) -> dict[str, int]:
    """Count by the year in which a wording took effect; one of unknown beginning counts under none."""
    years = found.selection.of(index.years())[_shown(index, query, found, YEAR)]
    return {f"{YEAR}{year}": number for year, number in enumerate(np.bincount(years).tolist()) if year and number}

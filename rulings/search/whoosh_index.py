"""The engine on Whoosh: its files, its writer, its postings. The only module that knows Whoosh.

Whoosh keeps the inverted index; scores are reckoned here on arrays of its postings (see `scoring`), because stock
top-k loses true hits. Never used: the query parser, `Searcher.refresh()`, compound segments, `AsyncWriter`.
"""

import contextlib
import os
import random
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from whoosh import fields, index
from whoosh.columns import NumericColumn

from rulings.search import scoring
from rulings.search.arrays import IndexArrays, SegmentArrays, since_ordinal, until_ordinal
from rulings.search.engine import FIELDS, Document, EngineAnswer, EngineQuery, Found, IndexUnusable

VERSION = 1  # of the schema


def _schema() -> fields.Schema:
    schema = fields.Schema(
        entry=fields.ID,
        labels=fields.KEYWORD,
        chars=fields.KEYWORD,
        id=fields.COLUMN(NumericColumn("q")),
        since=fields.COLUMN(NumericColumn("i")),
        until=fields.COLUMN(NumericColumn("i")),
        held_until=fields.COLUMN(NumericColumn("i")),
        stored=fields.STORED,
    )
    for field in FIELDS:
        schema.add(f"{field}_words", fields.KEYWORD(scorable=True))
        schema.add(f"{field}_grams", fields.KEYWORD(scorable=True))
    return schema


@contextlib.contextmanager
def _own_randomness() -> Iterator[None]:
    """Whoosh names its files by the global `random`; a seeded program would name two alike."""
    state = random.getstate()
    random.seed(os.urandom(16))
    try:
        yield
    finally:
        random.setstate(state)


def _values(document: Document) -> dict[str, Any]:
    values: dict[str, Any] = {
        "entry": str(document.entry),
        "labels": sorted(document.labels),
        "chars": sorted(set("".join(document.texts.values()))),
        "id": document.id,
        "since": since_ordinal(document.since),
        "until": until_ordinal(document.until),
        "held_until": until_ordinal(document.held_until),
        "stored": (document.id, document.entry, document.texts),
    }
    for field, terms in document.terms.items():
        if terms.words:
            values[f"{field}_words"] = list(terms.words)
        if terms.grams:
            values[f"{field}_grams"] = list(terms.grams)
    return values


class WhooshEngine:
    """A Whoosh index in a folder."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self._lock = threading.Lock()
        self._arrays: tuple[int, IndexArrays] | None = None
        self._segments: dict[str, SegmentArrays] = {}
        try:
            if create:
                folder.mkdir(parents=True, exist_ok=True)
                self._index = index.create_in(str(folder), _schema())
            else:
                self._index = index.open_dir(str(folder))
        except Exception as error:  # whatever a damaged file makes Whoosh raise
            raise IndexUnusable(f"{folder}: {error!r}") from error

    # -- writing ---------------------------------------------------------------------------------------------------

    def build(self, documents: Iterable[Document]) -> int:
        """Fill an empty folder; return the number of documents."""
        with _own_randomness(), self._writer(limitmb=128) as writer:
            for document in documents:
                writer.add_document(**_values(document))
        return self.doc_count()

    def update(self, gone: Sequence[int], documents: Iterable[Document]) -> None:
        """Replace all documents of the entries `gone` by `documents`, in one commit."""
        fresh = list(documents)  # whatever fails there is no fault of the index
        with _own_randomness(), self._writer() as writer:
            for entry in gone:
                writer.delete_by_term("entry", str(entry))
            for document in fresh:
                writer.add_document(**_values(document))

    @contextlib.contextmanager
    def _writer(self, **options: Any) -> Iterator[Any]:
        try:
            writer = self._index.writer(compound=False, timeout=5, **options)
        except Exception as error:
            raise IndexUnusable(repr(error)) from error
        try:
            yield writer
            writer.commit()
        except Exception as error:
            with contextlib.suppress(Exception):
                writer.cancel()
            raise IndexUnusable(repr(error)) from error

    # -- reading ---------------------------------------------------------------------------------------------------

    def doc_count(self) -> int:
        """Return how many documents the index holds."""
        return int(self._snapshot().alive.sum())

    def search(self, query: EngineQuery) -> EngineAnswer:
        """Return the best documents, ties by document id."""
        try:
            return self._search(query)
        except FileNotFoundError:  # a merge took a segment away between listing and opening
            self._arrays = None
        try:
            return self._search(query)
        except Exception as error:
            raise IndexUnusable(repr(error)) from error

    def _search(self, query: EngineQuery) -> EngineAnswer:
        arrays = self._snapshot()
        evaluation = scoring.evaluate(arrays, query)
        left_out = evaluation.matching & arrays.labelled(query.left_out)
        shown = evaluation.matching & ~left_out
        numbers = scoring.best(evaluation, shown, arrays.column("id"), query.limit)
        found = [self._found(arrays, evaluation, number) for number in numbers]
        counts = scoring.count(arrays, query, evaluation)
        return EngineAnswer(int(shown.sum()), int(left_out.sum()), found, evaluation.information, counts)

    def _found(self, arrays: IndexArrays, evaluation: scoring.Evaluation, number: int) -> Found:
        segment, within = arrays.locate(number)
        document, entry, texts = segment.reader.stored_fields(within)["stored"]
        return Found(document, entry, float(evaluation.scores[number]), float(evaluation.coverage[number]), texts)

    def _snapshot(self) -> IndexArrays:
        """Return the arrays of the latest commit."""
        try:
            with self._lock:
                generation = self._index.latest_generation()
                if self._arrays is None or self._arrays[0] != generation:
                    self._arrays = (generation, self._read())
                return self._arrays[1]
        except FileNotFoundError:
            raise
        except Exception as error:
            raise IndexUnusable(repr(error)) from error

    def _read(self) -> IndexArrays:
        reader = self._index.refresh().reader()
        leaves = [leaf for leaf, _offset in reader.leaf_readers() if leaf.doc_count_all()]
        segments, alive = {}, []
        for leaf in leaves:
            name = leaf.segment().segment_id()
            segments[name] = self._segments.get(name) or SegmentArrays(leaf)
            living = np.ones(leaf.doc_count_all(), bool)
            living[list(leaf.deleted_docs_set)] = False
            alive.append(living)
        self._segments = segments
        return IndexArrays(list(segments.values()), np.concatenate([np.empty(0, bool), *alive]))


def open_engine(folder: Path, *, create: bool = False) -> WhooshEngine:
    """Open the index in a folder; raise IndexUnusable where there is none to open."""
    return WhooshEngine(folder, create=create)

"""Other engines over the same terms: tantivy, SQLite FTS5, stock Whoosh. Each is asked for the same terms, best 20."""

import sqlite3
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rulings.search.engine import FIELDS, Alternative, Document, EngineQuery
from rulings.search.formula import GRAM_SHARE

GROUPS = {"words": 1.0, "grams": GRAM_SHARE}
COLUMNS = [f"{field}_{group}" for field in FIELDS for group in GROUPS]
WANTED = 20


def terms_of(document: Document, column: str) -> tuple[str, ...]:
    field, group = column.split("_")
    terms = document.terms.get(field)
    return getattr(terms, group) if terms else ()


def asked(alternative: Alternative) -> Iterator[tuple[str, str, float]]:
    """(group, term, weight) of each term of an alternative."""
    for group, weight in GROUPS.items():
        for term in getattr(alternative, group):
            yield group, term, weight


def token(group: str, term: str) -> str:
    """A term in letters that no tokenizer of a peer splits or folds."""
    return group[0] + term.encode().hex()


def tokens(document: Document, field: str) -> Iterator[str]:
    for group in GROUPS:
        yield from (token(group, term) for term in terms_of(document, f"{field}_{group}"))


def tokens_asked(query: EngineQuery) -> list[str]:
    """Each token of a query once."""
    return sorted(
        {
            token(group, term)
            for concept in query.concepts
            for one in concept.alternatives
            for group, term, _weight in asked(one)
        }
    )


class MissingPeerError(Exception):
    """A peer that cannot be had here: what to install."""


class Peer:
    """Another engine in a folder of its own, opened or (`build`) filled."""

    name: str
    every, rounds = 1, 3  # who takes seconds is asked one in so many of the queries, in so many rounds

    def seconds(self) -> float:
        """Processor time that the peer has taken; of this thread, because most work in it."""
        return time.thread_time()

    def build(self, documents: Iterable[Document]) -> None:
        raise NotImplementedError

    def prepared(self, query: EngineQuery) -> Any:
        """The query as the peer wants it; not measured."""
        raise NotImplementedError

    def search(self, prepared: Any) -> list[int]:
        raise NotImplementedError

    def close(self) -> None:
        """Let go of what is not the process's own."""


class Tantivy(Peer):
    name = "tantivy"

    def __init__(self, folder: Path) -> None:
        import tantivy

        self.library = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("id", stored=True, indexed=True, fast=True)
        for column in COLUMNS:
            builder.add_text_field(column, stored=False, tokenizer_name="whitespace", index_option="freq")
        self.schema = builder.build()
        self.index = tantivy.Index(self.schema, path=str(folder))
        self.searcher = self.index.searcher()

    def build(self, documents: Iterable[Document]) -> None:
        writer = self.index.writer(heap_size=256 << 20, num_threads=2)
        for one in documents:
            row = self.library.Document()
            row.add_integer("id", one.id)
            for column in COLUMNS:
                row.add_text(column, " ".join(terms_of(one, column)))
            writer.add_document(row)
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def prepared(self, query: EngineQuery) -> Any:
        kind = self.library.Query
        should = self.library.Occur.Should
        concepts = []
        for concept in query.concepts:
            ways = []
            for one in concept.alternatives:
                parts = [
                    (should, kind.boost_query(kind.term_query(self.schema, f"{field}_{group}", term, "freq"), boost))
                    for group, term, weight in asked(one)
                    for field in FIELDS
                    if (boost := weight * query.boosts.get(field, 1.0))
                ]
                if parts:
                    ways.append(kind.boost_query(kind.boolean_query(parts), one.discount))
            if ways:
                concepts.append((should, kind.boost_query(kind.disjunction_max_query(ways), concept.weight)))
        return kind.boolean_query(concepts)

    def search(self, prepared: Any) -> list[int]:
        hits = self.searcher.search(prepared, WANTED, count=True).hits
        return [self.searcher.doc(address)["id"][0] for _score, address in hits]


class Fts5(Peer):
    """FTS5 as it comes (`detail=full`)."""

    name = "SQLite FTS5"
    detail = "full"
    every, rounds = 2, 2

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.database = sqlite3.connect(folder / "fts.sqlite3")
        self.database.execute("PRAGMA cache_size=-64000")

    def build(self, documents: Iterable[Document]) -> None:
        columns = ", ".join(FIELDS)
        self.database.execute(f"CREATE VIRTUAL TABLE docs USING fts5({columns}, content='', detail='{self.detail}')")
        rows = ((one.id, *(" ".join(tokens(one, field)) for field in FIELDS)) for one in documents)
        self.database.executemany(
            f"INSERT INTO docs (rowid, {columns}) VALUES ({', '.join('?' * (1 + len(FIELDS)))})",  # noqa: S608
            rows,
        )
        self.database.execute("INSERT INTO docs (docs) VALUES ('optimize')")
        self.database.commit()

    def prepared(self, query: EngineQuery) -> str:
        return " OR ".join(tokens_asked(query)) or "nothing"

    def search(self, prepared: str) -> list[int]:
        rows = self.database.execute(
            "SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY bm25(docs, 1.7, 1.0, 0.6, 0.2) LIMIT ?",
            (prepared, WANTED),
        )
        return [row[0] for row in rows]


class Fts5Bare(Fts5):
    """FTS5 without positions, which ranks nothing: to its `bm25` no term stands anywhere, all documents score 0."""

    name = "FTS5, no ranks"
    detail = "none"


class StockWhoosh(Peer):
    """Whoosh's own search, with its default top-k, on the index that the site writes."""

    name = "stock Whoosh"
    every, rounds = 5, 1

    def __init__(self, folder: Path) -> None:
        from whoosh import index

        self.searcher = index.open_dir(str(folder)).searcher()

    def prepared(self, query: EngineQuery) -> Any:
        from whoosh.query import Or, Term

        return Or(
            [
                Term(f"{field}_{group}", term, boost=weight * query.boosts.get(field, 1.0) * concept.weight)
                for concept in query.concepts
                for one in concept.alternatives
                for group, term, weight in asked(one)
                for field in FIELDS
            ]
        ).normalize()

    def search(self, prepared: Any) -> list[int]:
        return [hit.docnum for hit in self.searcher.search(prepared, limit=WANTED)]

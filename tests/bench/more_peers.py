"""Peers that are no wheels: Xapian (apt-get install python3-xapian) and PostgreSQL (RULINGS_BENCH_POSTGRES, psycopg).

Each raises MissingPeerError where it cannot be had; the bench says so and goes on.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rulings.search.engine import FIELDS, Document, EngineQuery
from tests.bench.peers import GROUPS, WANTED, asked, terms_of

SYSTEM = "/usr/lib/python3/dist-packages"


class MissingPeerError(Exception):
    """What to install."""


class Xapian:
    """One list of terms per document, BM25 with Xapian's own defaults, repeated by weight of field as FTS5's are."""

    name = "Xapian"
    every = 1

    def __init__(self, folder: Path) -> None:
        self.library, self.folder = self._library(), folder
        known = (folder / "iamglass").exists()
        self.database = self.library.Database(str(folder)) if known else None

    @staticmethod
    def _library() -> Any:
        try:
            import xapian
        except ImportError:
            sys.path.append(SYSTEM)
            try:
                import xapian
            except ImportError as error:
                raise MissingPeerError("apt-get install python3-xapian, for the Python of the system") from error
            finally:
                sys.path.remove(SYSTEM)
        return xapian

    def build(self, documents: Iterable[Document]) -> None:
        database = self.library.WritableDatabase(str(self.folder), self.library.DB_CREATE_OR_OVERWRITE)
        for one in documents:
            row = self.library.Document()
            for field in FIELDS:
                for group in GROUPS:
                    for term in terms_of(one, f"{field}_{group}"):
                        row.add_term(group[0] + term)
            row.set_data(str(one.id))
            database.add_document(row)
        database.commit()
        database.close()
        self.database = self.library.Database(str(self.folder))

    def prepared(self, query: EngineQuery) -> Any:
        kind = self.library.Query
        parts = [
            kind(kind.OP_SCALE_WEIGHT, kind(group[0] + term), weight * concept.weight)
            for concept in query.concepts
            for one in concept.alternatives
            for group, term, weight in asked(one)
        ]
        return kind(kind.OP_OR, parts)

    def search(self, prepared: Any) -> list[int]:
        enquire = self.library.Enquire(self.database)
        enquire.set_query(prepared)
        return [int(hit.document.get_data()) for hit in enquire.get_mset(0, WANTED)]


class PostgreSQL:
    """tsvector of the same terms with weights A to D for the fields, GIN, ts_rank."""

    name = "PostgreSQL"
    every = 5

    def __init__(self, folder: Path) -> None:
        address = os.environ.get("RULINGS_BENCH_POSTGRES")
        if not address:
            raise MissingPeerError("set RULINGS_BENCH_POSTGRES to the address of an empty database")
        try:
            import psycopg
        except ImportError as error:
            raise MissingPeerError("pip install 'psycopg[binary]'") from error
        self.folder, self.table = folder, f"bench_{folder.parent.name.replace('-', '_')}"
        self.database = psycopg.connect(address, autocommit=True)

    def build(self, documents: Iterable[Document]) -> None:
        run = self.database.execute
        run(f"DROP TABLE IF EXISTS {self.table}")  # type: ignore[arg-type]
        run(f"CREATE TABLE {self.table} (id integer PRIMARY KEY, terms tsvector)")  # type: ignore[arg-type]
        with self.database.cursor().copy(f"COPY {self.table} FROM STDIN") as copy:  # type: ignore[arg-type]
            for one in documents:
                copy.write_row((one.id, self._vector(one)))
        run(f"CREATE INDEX ON {self.table} USING gin (terms)")  # type: ignore[arg-type]
        run(f"VACUUM ANALYZE {self.table}")  # type: ignore[arg-type]
        (self.folder / "table").write_text(self.table, encoding="ascii")

    def _vector(self, one: Document) -> str:
        found: dict[str, list[str]] = {}
        place = 0
        for field, weight in zip(FIELDS, "ABCD", strict=True):
            for term in self._tokens(one, field):
                place += 1
                found.setdefault(term, []).append(f"{min(place, 16_383)}{weight}")
        return " ".join(f"{term}:{','.join(places[:250])}" for term, places in found.items())

    @staticmethod
    def _tokens(one: Document, field: str) -> Iterator[str]:
        for group in GROUPS:
            for term in terms_of(one, f"{field}_{group}"):
                yield group[0] + term.encode().hex()

    def prepared(self, query: EngineQuery) -> str:
        terms = {
            group[0] + term.encode().hex()
            for concept in query.concepts
            for one in concept.alternatives
            for group, term, _weight in asked(one)
        }
        return " | ".join(sorted(terms)) or "nothing"

    def search(self, prepared: str) -> list[int]:
        rows = self.database.execute(
            f"SELECT id FROM {self.table}, to_tsquery('simple', %s) asked WHERE terms @@ asked "  # type: ignore[arg-type]  # noqa: S608
            "ORDER BY ts_rank('{0.12, 0.35, 0.59, 1.0}', terms, asked) DESC LIMIT 20",
            (prepared,),
        )
        return [row[0] for row in rows]

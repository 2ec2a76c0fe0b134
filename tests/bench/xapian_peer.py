"""Xapian over the same terms. No wheel has it: apt-get install python3-xapian, for Pythons of its version."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rulings.search.engine import FIELDS, Document, EngineQuery
from tests.bench.peers import GROUPS, WANTED, MissingPeerError, Peer, asked, terms_of

SYSTEM = "/usr/lib/python3/dist-packages"


class Xapian(Peer):
    """One list of terms per document, whatever their field; BM25 with Xapian's own defaults; totals are estimates."""

    name = "Xapian"

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

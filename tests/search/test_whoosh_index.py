import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from whoosh import index
from whoosh.query import Or, Term

from rulings.search import sidecar, whoosh_index
from rulings.search.dates import since_ordinal, until_ordinal
from rulings.search.engine import Document, Engine
from rulings.search.whoosh_index import WhooshEngine, _schema, open_engine
from tests.search.engine_contract import EngineContract, document, query
from tests.search.exhaustive import Exhaustive

# What Whoosh keeps of a term beside its postings.
TOLD = ("_weight", "_df", "_minlength", "_maxlength", "_maxweight", "_minid", "_maxid")


def stock_values(one: Document) -> dict[str, Any]:
    """A document as stock Whoosh takes it."""
    values: dict[str, Any] = {
        "entry": str(one.entry),
        "labels": sorted(one.labels),
        "chars": sorted(set("".join(one.texts.values()))),
        "id": one.id,
        "since": since_ordinal(one.since),
        "until": until_ordinal(one.until),
        "held_until": until_ordinal(one.held_until),
    }
    for field, terms in one.terms.items():
        values |= {f"{field}_words": list(terms.words), f"{field}_grams": list(terms.grams)}
    return {name: value for name, value in values.items() if value != []}


class TestWhoosh(EngineContract):
    def open(self, folder: Path, *, create: bool = False) -> Engine:
        return open_engine(folder, create=create)

    def test_a_seeded_program_writes_on(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, document(1, "山札"))
        for pk in (2, 3, 4):
            random.seed(7)
            engine.update([pk], [document(pk, "墓地")])
        assert engine.doc_count() == 4

    def test_an_index_built_in_runs_is_one_segment_as_if_built_at_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        documents = [document(pk, f"山札の話{pk % 7}", title=f"題{pk}" * (pk % 3)) for pk in range(1_100)]
        self.filled(tmp_path / "whole", *documents)
        monkeypatch.setattr(whoosh_index, "RUN", 300)
        self.filled(tmp_path / "runs", *documents)
        whole, runs = ([sidecar.read(path) for path in (tmp_path / name).glob("*.arr")] for name in ("whole", "runs"))
        assert len(whole) == len(runs) == 1
        assert whole[0].keys() == runs[0].keys()
        for name, array in whole[0].items():
            assert np.array_equal(array, runs[0][name]), name

    def test_what_was_replaced_often_is_dropped(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(whoosh_index, "LARGEST_MERGED", 300)
        engine = self.filled(tmp_path, *(document(pk, f"山札の話{pk}") for pk in range(1_400)))
        for start in range(0, 600, 100):
            engine.update(
                range(start, start + 100), [document(pk, f"墓地の話{pk}") for pk in range(start, start + 100)]
            )
        asked = query("話", limit=2_000)
        before = engine.search(asked)
        assert engine.is_wasteful()
        assert engine.tidy() == 600
        after = engine.search(asked)
        assert not engine.is_wasteful()
        assert engine.tidy() == 0
        assert engine.doc_count() == 1_400
        assert {one.entry for one in after.found} == {one.entry for one in before.found} == set(range(1_400))
        assert self.open(tmp_path).search(asked) == after

    def test_scores_equal_the_stock_scores(self, tmp_path: Path) -> None:
        engine = WhooshEngine(tmp_path, create=True)
        engine.build(document(pk, f"{'山札 ' * (pk % 4 + 1)}{'墓地 ' * (pk % 3)}竜{pk}") for pk in range(1, 30))
        engine.update([5, 6], [document(5, "山札と墓地")])
        plain = Exhaustive(tmp_path)
        with engine._index.searcher() as searcher:
            for term in ("山札", "墓地"):
                stock = searcher.search(Or([Term("body_words", term)]), limit=None, optimize=False)
                ours = plain.impacts("body_words", term)
                assert {hit.docnum for hit in stock} == set(np.flatnonzero((ours > 0) & plain.alive).tolist())
                for hit in stock:
                    assert abs(hit.score - ours[hit.docnum]) < 1e-6

    @pytest.mark.parametrize("at_once", [1, 200, 1 << 20])
    def test_segments_are_what_stock_writing_writes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
    ) -> None:
        monkeypatch.setattr("rulings.search.whoosh_segments.AT_ONCE", at_once)
        documents = [
            document(pk, f"{'山札 ' * (pk % 4)}墓地と竜{pk % 7}", title="の話" * (pk % 3)) for pk in range(300)
        ]
        open_engine(tmp_path / "ours", create=True).build(documents)
        (tmp_path / "stock").mkdir()
        with index.create_in(str(tmp_path / "stock"), _schema()).writer(compound=False) as writer:
            for one in documents:
                writer.add_document(**stock_values(one))
        ours, stock = (index.open_dir(str(tmp_path / name)).reader() for name in ("ours", "stock"))
        terms = list(stock.all_terms())
        assert len(terms) > 50
        assert list(ours.all_terms()) == terms
        for field, term in terms:
            infos = [vars(one.term_info(field, term)) for one in (ours, stock)]
            told = [[info[name] for name in TOLD] for info in infos]
            assert told[0] == told[1]
            lists = [list(one.postings(field, term).items_as("weight")) for one in (ours, stock)]
            assert lists[0] == lists[1]
        for field in ("title_words", "body_grams"):
            assert ours.field_length(field) == stock.field_length(field)
            lengths = [[one.doc_field_length(number, field) for number in range(300)] for one in (ours, stock)]
            assert lengths[0] == lengths[1]


WORDS = [
    "山札",
    "墓地",
    "クリーチャー",
    "を",
    "に",
    "置く",
    "S・トリガー",
    "ぶろっく",
    "0枚",
    "VAN",
    "竜",
    "、",
    "デュエル",
]


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=6), st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_written_is_missed(tmp_path_factory, texts: list[list[str]], data: st.DataObject) -> None:
    """Against brute force: every document that holds the query, of two characters and more, is found."""
    from rulings.search.concepts import literal_of
    from rulings.text.fold import squeeze

    bodies = ["".join(words) for words in texts]
    engine = WhooshEngine(tmp_path_factory.mktemp("index"), create=True)
    engine.build(document(pk, body) for pk, body in enumerate(bodies, 1))
    whole = squeeze(data.draw(st.sampled_from(bodies))).text
    if len(whole) < 2:
        return
    start = data.draw(st.integers(0, len(whole) - 2))
    asked = whole[start : data.draw(st.integers(start + 2, len(whole)))]
    found = {one.entry for one in engine.search(query(asked, literal=literal_of(asked), minimum=1.0)).found}
    assert {pk for pk, body in enumerate(bodies, 1) if asked in squeeze(body).text} <= found

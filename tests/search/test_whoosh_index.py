import random
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from whoosh.query import Or, Term

from rulings.search.engine import Engine
from rulings.search.whoosh_index import WhooshEngine, open_engine
from tests.search.engine_contract import EngineContract, document, query


class TestWhoosh(EngineContract):
    def open(self, folder: Path, *, create: bool = False) -> Engine:
        return open_engine(folder, create=create)

    def test_a_seeded_program_writes_on(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, document(1, "山札"))
        for pk in (2, 3, 4):
            random.seed(7)
            engine.update([pk], [document(pk, "墓地")])
        assert engine.doc_count() == 4

    def test_impacts_equal_the_stock_scores(self, tmp_path: Path) -> None:
        engine = WhooshEngine(tmp_path, create=True)
        engine.build(document(pk, f"{'山札 ' * (pk % 4 + 1)}{'墓地 ' * (pk % 3)}竜{pk}") for pk in range(1, 30))
        engine.update([5, 6], [document(5, "山札と墓地")])
        arrays = engine._snapshot()
        with engine._index.refresh().searcher() as searcher:
            for term in ("山札", "墓地"):
                stock = searcher.search(Or([Term("body_words", term)]), limit=None, optimize=False)
                ids, impacts = arrays.impacts("body_words", term)
                ours = {int(pk): score for pk, score in zip(ids, impacts, strict=True) if arrays.alive[pk]}
                assert {hit.docnum for hit in stock} == set(ours)
                for hit in stock:
                    assert abs(hit.score - ours[hit.docnum]) < 1e-6


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

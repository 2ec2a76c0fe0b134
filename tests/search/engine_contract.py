"""What every engine must do. An adapter's tests inherit `EngineContract` and say how it is opened."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from rulings.search.analysis import analyse
from rulings.search.concepts import alternative, literal_of
from rulings.search.engine import Concept, Document, Engine, EngineQuery, IndexUnusable
from rulings.text.fold import squeeze


def document(pk: int, body: str, *, title: str = "", labels: frozenset[str] = frozenset(), **dates: date) -> Document:
    texts = {"title": title, "body": body}
    return Document(
        id=pk,
        entry=pk,
        terms={field: analyse(text) for field, text in texts.items() if text},
        texts={field: squeeze(text).text for field, text in texts.items() if text},
        labels=labels,
        **dates,
    )


def query(*words: str, **options: object) -> EngineQuery:
    concepts = tuple(Concept((alternative(word),)) for word in words)
    return EngineQuery(concepts, **options)  # type: ignore[arg-type]


class EngineContract:
    def open(self, folder: Path, *, create: bool = False) -> Engine:
        raise NotImplementedError

    def filled(self, folder: Path, *documents: Document) -> Engine:
        engine = self.open(folder, create=True)
        engine.build(documents)
        return engine

    def ids(self, engine: Engine, *words: str, **options: object) -> list[int]:
        return [found.entry for found in engine.search(query(*words, **options)).found]

    def test_an_empty_index_answers(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path)
        assert engine.doc_count() == 0
        assert engine.search(query("闇")).total == 0

    def test_what_was_built_is_found(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, document(1, "山札からカードを引く"), document(2, "墓地に置く"))
        assert engine.doc_count() == 2
        assert self.ids(engine, "山札") == [1]
        assert engine.search(query("墓地")).total == 1

    def test_words_that_nothing_holds_hide_little(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, document(1, "山札からカードを引く"), document(2, "墓地に置く"))
        assert self.ids(engine, "墓地", "侵略", "覚醒", minimum=0.35) == [2]
        assert self.ids(engine, "侵略", "覚醒", minimum=0.35) == []

    def test_it_tells_how_many_documents_hold_a_word(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, document(1, "山札を引く"), document(2, "山札", title="山札"))
        engine.update([3], [document(3, "墓地と山札")])
        holding = engine.holding()
        assert [holding(word) for word in ("札", "墓地", "引ク", "盾")] == [3, 1, 1, 0]

    def test_the_texts_of_the_best_are_read_where_they_are_wanted(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, document(1, "墓地に置く"), document(2, "墓地", title="山札"))
        read, unread = (engine.search(query("墓地", texts=wanted)) for wanted in ("all", "none"))
        assert {one.id: one.texts for one in read.found} == {
            1: {"body": "墓地ニ置ク"},
            2: {"title": "山札", "body": "墓地"},
        }
        assert unread.found == [one._replace(texts={}) for one in read.found]

    def test_a_title_weighs_more_than_a_body(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, document(1, "召喚酔いの話"), document(2, "別の話", title="召喚酔い"))
        assert self.ids(engine, "召喚酔い", boosts={"title": 3.0}) == [2, 1]

    def test_ties_stand_by_id(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, *(document(pk, "同じ文") for pk in (5, 3, 4)))
        assert self.ids(engine, "同じ") == [3, 4, 5]

    def test_labels_filter(self, tmp_path: Path) -> None:
        engine = self.filled(
            tmp_path,
            document(1, "破壊", labels=frozenset(("kind:faq", "game:dm"))),
            document(2, "破壊", labels=frozenset(("kind:section", "game:dm"))),
            document(3, "破壊", labels=frozenset(("kind:faq", "game:ygo"))),
        )
        both = (frozenset(("kind:faq",)), frozenset(("game:dm",)))
        assert self.ids(engine, "破壊", required=both) == [1]
        assert self.ids(engine, "破壊", excluded=frozenset(("game:dm",))) == [3]
        answer = engine.search(query("破壊", left_out=frozenset(("game:ygo",))))
        assert (answer.total, answer.left_out) == (2, 1)

    def test_a_wording_is_shown_on_its_days(self, tmp_path: Path) -> None:
        old = document(1, "破壊", since=date(2020, 1, 1), until=date(2024, 1, 1), held_until=date(2023, 1, 1))
        engine = self.filled(tmp_path, old, document(2, "破壊", since=date(2024, 1, 1)))
        assert self.ids(engine, "破壊", on=date(2019, 12, 31)) == []
        assert self.ids(engine, "破壊", on=date(2022, 1, 1)) == [1]
        assert self.ids(engine, "破壊", on=date(2023, 6, 1)) == [1]
        assert self.ids(engine, "破壊", on=date(2023, 6, 1), in_force=True) == []
        assert self.ids(engine, "破壊", on=date(2024, 1, 1)) == [2]

    def test_the_next_wording_to_come(self, tmp_path: Path) -> None:
        soon, later = date(2030, 1, 1), date(2031, 1, 1)
        engine = self.filled(tmp_path, document(1, "破壊", until=soon), document(2, "破壊"))
        engine.update(
            [1], [replace(document(1, "破壊", until=soon), id=10), replace(document(1, "墓地", since=soon), id=11)]
        )
        again = replace(document(3, "破壊", since=soon, until=later), id=30)
        engine.update([3], [again, replace(document(3, "破壊", since=later), id=31)])
        before = date(2029, 1, 1)
        assert sorted(self.ids(engine, "破壊", on=before)) == [1, 2]
        assert [one.id for one in engine.search(query("破壊", on=before, ahead=True)).found] == [30]
        assert [one.id for one in engine.search(query("墓地", on=before, ahead=True)).found] == [11]
        assert [one.id for one in engine.search(query("破壊", on=soon, ahead=True)).found] == [31]
        assert self.ids(engine, "墓地", on=soon) == [1]

    def test_only_some_entries_are_asked_for_and_scored_as_among_all(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, *(document(pk, "破壊する" if pk < 9 else "破壊") for pk in range(1, 10)))
        scores = {found.entry: found.score for found in engine.search(query("破壊")).found}
        answer = engine.search(query("破壊", only=frozenset((3, 9, 77))))
        assert answer.total == 2
        assert {found.entry: found.score for found in answer.found} == {3: scores[3], 9: scores[9]}
        assert engine.search(query("破壊", only=frozenset())).total == 0

    def test_coverage_decides_what_matches(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, document(1, "革命チェンジと侵略"), document(2, "革命チェンジ"))
        assert self.ids(engine, "革命チェンジ", "侵略") == [1, 2]
        assert self.ids(engine, "革命チェンジ", "侵略", minimum=0.9) == [1]

    def test_half_a_word_is_noise(self, tmp_path: Path) -> None:
        documents = [document(pk, "デッキは40枚です") for pk in range(1, 6)]
        engine = self.filled(tmp_path, *documents, document(9, "エクストラターン"))
        assert self.ids(engine, "エクストラデッキ", minimum=0.35) == []

    def test_the_literal_query_always_matches(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, document(1, "それはない"), document(2, "あれもある"))
        assert self.ids(engine, "侵略", literal=literal_of("はな"), minimum=1.0) == [1]
        assert self.ids(engine, "侵略", literal=literal_of("あ"), minimum=1.0) == [2]

    def test_updates_replace_and_delete(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, document(1, "山札"), document(2, "山札"), document(3, "墓地"))
        engine.update([1, 2], [document(1, "墓地")])
        assert engine.doc_count() == 2
        assert self.ids(engine, "山札") == []
        assert self.ids(engine, "墓地") == [1, 3]
        assert self.ids(self.open(tmp_path), "墓地") == [1, 3]

    def test_many_updates_stay_exact(self, tmp_path: Path) -> None:
        engine = self.filled(tmp_path, *(document(pk, f"山札{pk}") for pk in range(1, 21)))
        for pk in range(1, 21):
            engine.update([pk], [document(pk, f"墓地{pk}")])
        assert engine.doc_count() == 20
        assert engine.search(query("墓地")).total == 20
        assert engine.search(query("山札")).total == 0

    @pytest.mark.parametrize("damage", ["missing", "emptied", "cut", "scribbled"])
    def test_what_cannot_be_read_is_said_so(self, tmp_path: Path, damage: str) -> None:
        self.filled(tmp_path, document(1, "山札"))
        for path in sorted(tmp_path.iterdir()):
            if damage == "missing":
                path.unlink()
            else:
                path.write_bytes({"emptied": b"", "cut": path.read_bytes()[:20], "scribbled": b"?" * 40}[damage])
        with pytest.raises(IndexUnusable):
            self.open(tmp_path).search(query("山札"))

"""Words near rare ones: the table, how it is made, what is asked."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from rulings.search import SearchRequest, neighbour_making, neighbours, search, sidecar, widening
from rulings.search.concepts import alternative
from rulings.search.engine import Concept
from rulings.search.highlighting import needles_of
from rulings.search.neighbours import Neighbours
from tests.makers import make_section


def holding(**counts: int) -> Callable[[str], int]:
    return lambda word: counts.get(word, 0)


def vocabulary(folder: Path, words: dict[str, list[float]]) -> Path:
    """Write vectors as spaCy keeps them; each word has a row of its own."""
    folder.mkdir()
    pairs = b"".join(
        b"\xcf" + neighbour_making._hash(word.encode()).to_bytes(8, "big") + bytes([row])
        for row, word in enumerate(words)
    )
    (folder / "key2row").write_bytes(b"\xdf" + len(words).to_bytes(4, "big") + pairs)
    (folder / "strings.json").write_text(json.dumps([*words, "ベクトルのない語"]))
    with (folder / "vectors").open("wb") as file:
        np.save(file, np.array(list(words.values()), np.float32))
    return folder


@pytest.mark.parametrize(("text", "found"), [("coffee", 3197928453018144401), ("apple", 8566208034543834098)])
def test_strings_are_known_by_the_hash_of_spacy(text: str, found: int) -> None:
    assert neighbour_making._hash(text.encode()) == found


def test_a_table_is_made_from_vectors(tmp_path: Path) -> None:
    words = {
        "猫": [1.0, 0, 0.1],
        "犬": [1.0, 0.1, 0.1],
        "車": [0, 1.0, 0],
        "東京": [1.0, 0, 0],
        "走りゃあ": [1.0, 0, 0],
    }
    folder = vocabulary(tmp_path / "vocab", words | {"遠い": [-1.0, -1.0, -1.0]})
    call_command("make_neighbours", str(folder), to=tmp_path / "made.arr", verbosity=0)
    made = Neighbours(sidecar.read(tmp_path / "made.arr"))
    near = dict(made.of("猫"))
    assert list(near) == ["犬"]  # no names, nothing that is no word, nothing far away
    assert 0.4 <= near["犬"] <= 1
    assert list(made.of("狐")) == []


def test_a_folder_without_vectors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="単語ベクトルを読めません"):
        call_command("make_neighbours", str(tmp_path), to=tmp_path / "made.arr")


class TestTheTableThatShips:
    def test_it_knows_the_language(self) -> None:
        table = neighbours.table()
        assert table is not None
        assert len(table) > 40_000
        assert dict(table.of("蘇ル"))["復活"] > 0.4

    def test_near_words_are_those_that_documents_hold(self) -> None:
        table = neighbours.table()
        assert table is not None
        assert table.held("蘇生", holding(墓地=9, 墓守=1, 生キ返リ=2), 2, 5) == [
            ("生キ返リ", pytest.approx(0.56, abs=0.05)),
            ("墓地", pytest.approx(0.46, abs=0.05)),
        ]
        assert len(table.held("蘇生", lambda _word: 9, 2, 5)) == 5

    def test_its_licence_lies_beside_it(self) -> None:
        folder = neighbours.FILE.parent
        assert "Apache License" in (folder / "LICENSE.chiVe").read_text()
        assert "chiVe" in (folder / "NOTICE").read_text()

    def test_searches_do_without_a_damaged_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "damaged.arr").write_bytes(b"RLARR001")
        monkeypatch.setattr(neighbours, "FILE", tmp_path / "damaged.arr")
        neighbours.table.cache_clear()
        concepts = (Concept((alternative("蘇生"),)),)
        assert widening.widened(concepts, lambda _word: 9) == concepts
        monkeypatch.undo()
        neighbours.table.cache_clear()


class TestWidening:
    def widened(self, concept: Concept, **counts: int) -> list[str]:
        (found,) = widening.widened((concept,), holding(**counts))
        return [one.text for one in found.alternatives if one.is_near]

    def test_a_rare_word_is_also_looked_for_as_those_near_it(self) -> None:
        assert self.widened(Concept((alternative("蘇生"),)), 墓地=50) == ["墓地"]
        assert self.widened(Concept((alternative("蘇生"),)), 墓地=50, 蘇生=21) == []

    def test_counts_and_several_words_stay_what_they_are(self) -> None:
        assert self.widened(Concept((alternative("蘇生"),), 0.5), 墓地=50) == []
        assert self.widened(Concept((alternative("蘇生する墓地"),)), 墓地=50) == []

    def test_a_word_that_is_said_so_already_is_not_near(self) -> None:
        assert self.widened(Concept((alternative("蘇生"), alternative("墓地"))), 墓地=50) == []

    def test_near_words_are_not_marked(self) -> None:
        concepts = widening.widened((Concept((alternative("蘇生"),)),), holding(墓地=50))
        assert "墓地" not in needles_of(concepts, "蘇生")


@pytest.mark.django_db
def test_what_only_says_a_near_word_is_found_and_explained() -> None:
    for number in ("900.1", "900.2"):
        make_section(number, body="貯蓄したカードは表向きにします。")
    (first, *_others) = search(SearchRequest(q="貯金 表向き", explain=True)).hits
    assert first.explanation["near:貯蓄"] > 0
    marked = [one.snippet[start:end] for one in first.highlights for start, end in one.spans]
    assert "表向き" in "".join(marked)
    assert not any("貯蓄" in one for one in marked)

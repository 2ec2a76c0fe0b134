"""Texts that are nearly the same are found among many, however they are sliced."""

import random

import pytest
from rapidfuzz import fuzz

from rulings.services import matching


@pytest.mark.parametrize("at_once", [1, 7, 1_000])
def test_nearly_the_same_texts_are_found_as_by_comparing_all(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "_SLICE", at_once)
    chance = random.Random(5)
    texts = ["".join(chance.choices("山札手札盾場", k=chance.randint(6, 40))) for _ in range(60)]
    others = [text[: chance.randint(len(text) - len(text) // 3, len(text))] for text in texts] + texts[:5] + [""]
    expected = {
        (row, column)
        for row, text in enumerate(texts)
        for column, other in enumerate(others)
        if fuzz.ratio(text, other) >= matching.SIMILAR
    }
    assert len(expected) > 30
    assert {(row, column) for _score, row, column in matching._alike(texts, others)} == expected
    assert list(matching._alike(texts, [])) == []

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


def _sentences(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    signs = [chr(code) for code in range(0x4E00, 0x4E00 + 400)]
    return ["".join(chance.choices(signs, k=40)) for _ in range(count)]


def test_of_many_texts_few_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "_ALL", 0)
    compared = []
    ratio = fuzz.ratio

    def counted(one: str, other: str, **options: float) -> float:
        compared.append(one)
        return ratio(one, other, **options)

    monkeypatch.setattr(matching.fuzz, "ratio", counted)
    texts, others = _sentences(400, 1), _sentences(400, 2)
    assert list(matching._alike(texts, others)) == []
    assert len(compared) <= 4 * len(texts)
    edited = [f"{text[:20]}カード{text[23:]}" for text in texts]
    found = {(row, column) for _score, row, column in matching._alike(edited, [*others, *texts])}
    assert {(at, len(others) + at) for at in range(len(texts))} <= found

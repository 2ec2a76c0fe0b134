"""Lists of players' words."""

from pathlib import Path

import pytest

from rulings.importers.words import parse_words, split_words
from rulings.text.fold import squeeze

SHIPPED = sorted((Path(__file__).resolve().parents[2] / "fixtures" / "synonyms").glob("*.txt"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("殴る → 攻撃する、攻撃", ("殴る", ("攻撃する", "攻撃"))),
        ("  殴る=>攻撃", ("殴る", ("攻撃",))),
        ("なくな〜 → 0枚，離れる", ("なくな〜", ("0枚", "離れる"))),
        ("キング・セル", ("キング・セル", ("キング・セル",))),
        ("殴る → 攻撃、攻撃", ("殴る", ("攻撃",))),
    ],
)
def test_lines(line: str, expected: tuple[str, tuple[str, ...]]) -> None:
    records, warnings = parse_words(f"# 説明\n\n{line}\n")
    assert [(record.text, record.words) for record in records] == [expected]
    assert warnings == []


@pytest.mark.parametrize("line", ["→ 攻撃", "殴る →", "殴る → 、", "殴る → 攻撃 → 破壊", "長" * 51 + " → 短い"])
def test_what_cannot_be_read_is_told_with_its_line(line: str) -> None:
    records, warnings = parse_words(f"殴る → 攻撃\n{line}")
    assert len(records) == 1
    assert [warning.line for warning in warnings] == [2]


def test_words_of_a_list() -> None:
    assert split_words(" 攻撃、\n攻撃,破壊 、") == ("攻撃", "破壊")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_what_ships_can_be_read(path: Path) -> None:
    records, warnings = parse_words(path.read_text(encoding="utf-8"))
    assert warnings == []
    assert len(records) > 100
    assert [record.text for record in records if not squeeze(record.text).text] == []

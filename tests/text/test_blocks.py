"""The shape of a wording."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.text.blocks import Block, Item, Range, parse_blocks


def outline(text: str) -> list[object]:
    """The blocks of `text` as plain lists of strings."""

    def cut(span: Range) -> str:
        return text[span.start : span.end]

    def items(found: list[Item]) -> list[object]:
        return [[*map(cut, item.lines), *items(item.items)] for item in found]

    def shown(block: Block) -> object:
        if block.rows:
            return [block.kind.value, [[cut(cell) for cell in row] for row in block.rows]]
        return [block.kind.value, items(block.items) if block.items else [cut(line) for line in block.lines]]

    return [shown(block) for block in parse_blocks(text)]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", []),
        ("\n \n", []),
        ("一文目。\n二文目。", [["paragraph", ["一文目。"]], ["paragraph", ["二文目。"]]]),
        ("　字下げ。", [["paragraph", ["字下げ。"]]]),
        ("※注意。", [["note", ["※注意。"]]]),
        ("• 一\n• 二", [["list", [["一"], ["二"]]]]),
        ("• 一\n  • 一の一\n  • 一の二\n• 二", [["list", [["一", ["一の一"], ["一の二"]], ["二"]]]]),
        ("• 一\n  続き", [["list", [["一", "続き"]]]]),
        ("　• 全角\n　　• 深い", [["list", [["全角", ["深い"]]]]]),
        ("前文。\n• 一\n後文。", [["paragraph", ["前文。"]], ["list", [["一"]]], ["paragraph", ["後文。"]]]),
        ("名称\t時期\nA\t2011/3\nB\t", [["table", [["名称", "時期"], ["A", "2011/3"], ["B", ""]]]]),
        ("Ａ１　　Ａ２\n\nテーブル\n\nＢ２　　Ｂ１", [["diagram", ["Ａ１　　Ａ２", "テーブル", "Ｂ２　　Ｂ１"]]]),
        ("•", [["paragraph", ["•"]]]),
    ],
)
def test_shapes(text: str, blocks: list[object]) -> None:
    assert outline(text) == blocks


def _covered(items: list[Item]) -> list[Range]:
    return [line for item in items for line in [*item.lines, *_covered(item.items)]]


@given(st.text(alphabet="ab•※ 　\t\n", max_size=60))
def test_every_letter_stands_in_one_block(text: str) -> None:
    ranges = [
        span
        for block in parse_blocks(text)
        for span in [*block.lines, *(cell for row in block.rows for cell in row), *_covered(block.items)]
    ]
    letters = [at for at, char in enumerate(text) if char in "ab※"]
    assert sorted(at for span in ranges for at in range(span.start, span.end) if text[at] in "ab※") == letters

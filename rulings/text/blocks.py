"""The shape of a wording: paragraphs, notes, nested bullets, tables and diagrams, as ranges of its text.

A body is lines. Bullets open with `•` (indented when nested), lines with tabs are rows of a table, lines with
wide gaps inside are diagrams whose spaces count.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum


class BlockKind(StrEnum):
    PARAGRAPH = "paragraph"
    NOTE = "note"
    LIST = "list"
    TABLE = "table"
    DIAGRAM = "diagram"


@dataclass(frozen=True, slots=True)
class Range:
    """A range `[start, end)` of the text."""

    start: int
    end: int


@dataclass(slots=True)
class Item:
    """A bullet: its lines, and the bullets below it."""

    lines: list[Range]
    items: list["Item"] = field(default_factory=list)


@dataclass(slots=True)
class Block:
    """A block of a wording. Paragraphs and diagrams have lines, tables rows of cells, lists items."""

    kind: BlockKind
    lines: list[Range] = field(default_factory=list)
    rows: list[list[Range]] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)


_BULLET = re.compile(r"(?P<indent>[ \u3000]*)[•●○][ \u3000]*")
_NOTE = re.compile(r"[ \u3000]*※")
_LABEL = 12  # characters of the longest line that is read as a label inside a diagram
_GAP = re.compile(r"\S(?: {3,}|[ \u3000]*\u3000[ \u3000]*\u3000[ \u3000]*)\S")


def parse_blocks(text: str) -> list[Block]:
    """Return the blocks of `text`. Every character that is no blank, bullet or tab lies in exactly one range."""
    blocks: list[Block] = []
    stack: list[tuple[int, Item]] = []  # the open bullets, outermost first, with their indents
    for line in _lines(text):
        raw = text[line.start : line.end]
        if not raw.strip():
            stack = []
            continue
        bullet = _BULLET.match(raw)
        if "\t" in raw:
            _block(blocks, BlockKind.TABLE).rows.append(_cells(text, line))
        elif bullet and bullet.end() < len(raw):
            _add_bullet(blocks, stack, len(bullet["indent"]), _trim(text, line.start + bullet.end(), line.end))
            continue
        elif stack and raw[0] in " \u3000":
            stack[-1][1].lines.append(_trim(text, line.start, line.end))
            continue
        elif _GAP.search(raw.rstrip()):
            _block(blocks, BlockKind.DIAGRAM).lines.append(line)
        else:
            kind = BlockKind.NOTE if _NOTE.match(raw) else BlockKind.PARAGRAPH
            blocks.append(Block(kind, lines=[_trim(text, line.start, line.end)]))
        stack = []
    return _join_diagrams(text, blocks)


def _join_diagrams(text: str, blocks: list[Block]) -> list[Block]:
    """Take a short line between two lines of a diagram (what stands in its middle) into the diagram."""
    joined: list[Block] = []
    for block in blocks:
        if (
            block.kind == BlockKind.DIAGRAM
            and len(joined) > 1
            and joined[-2].kind == BlockKind.DIAGRAM
            and joined[-1].kind == BlockKind.PARAGRAPH
            and joined[-1].lines[0].end - joined[-1].lines[0].start <= _LABEL
        ):
            middle = joined.pop().lines
            joined[-1].lines += middle + block.lines
        else:
            joined.append(block)
    return joined


def _block(blocks: list[Block], kind: BlockKind) -> Block:
    """Return the last block if it is of `kind`, else a new one."""
    if not blocks or blocks[-1].kind != kind:
        blocks.append(Block(kind))
    return blocks[-1]


def _add_bullet(blocks: list[Block], stack: list[tuple[int, Item]], indent: int, line: Range) -> None:
    """Add a bullet below the nearest open one that is indented less."""
    item = Item([line])
    while stack and stack[-1][0] >= indent:
        stack.pop()
    siblings = stack[-1][1].items if stack else _block(blocks, BlockKind.LIST).items
    siblings.append(item)
    stack.append((indent, item))


def _lines(text: str) -> Iterator[Range]:
    start = 0
    for line in text.split("\n"):
        yield Range(start, start + len(line))
        start += len(line) + 1


def _trim(text: str, start: int, end: int) -> Range:
    """Return the range without the blanks around it."""
    raw = text[start:end]
    return Range(start + len(raw) - len(raw.lstrip()), start + len(raw.rstrip()))


def _cells(text: str, line: Range) -> list[Range]:
    cells: list[Range] = []
    start = line.start
    for cell in text[line.start : line.end].split("\t"):
        cells.append(_trim(text, start, start + len(cell)) if cell.strip() else Range(start, start))
        start += len(cell) + 1
    return cells

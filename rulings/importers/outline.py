"""An outline: headings over headings, bullets within bullets, tables and drawings, notes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulings.importers.draft import Draft, Node
from rulings.importers.layout import (
    NO_HEADINGS,
    Kind,
    Line,
    defines,
    heading_depths,
    is_bare_headline,
    is_credit,
    is_headline,
    mark_headings,
    opening,
    read_lines,
    term_of,
)
from rulings.importers.records import Fate, Form, Level, ParsedDocument
from rulings.text.dates import find_date

CALL = "案内（リンク先への誘導）"
NAVIGATION = "ページ内の移動"
PREAMBLE = "文書の題名・分類"
CREDIT = "文書の情報（日付・作成者など）"

# Which marked heading stands over which; bare headings (0 and 1) stand over them all.
_RANKS = {
    marker: rank for rank, markers in enumerate(("■□▼▽★☆", "◆◇", "●◉▪", "○〇◎", "※＊"), start=2) for marker in markers
}

_NUMBERED_RANK = max(_RANKS.values()) + 1


def parse_outline(text: str, headings: Mapping[int, int] = NO_HEADINGS) -> ParsedDocument:
    """Read an outline; ParseError when there is nothing to read."""
    lines = mark_headings(read_lines(text, headings))
    front = front_matter(lines)
    reader = _Reader(lines[front:], headings)
    reader.read_front(lines[:front])
    for at in range(len(reader.lines)):
        reader.read(at)
    return reader.draft.finish()


def front_matter(lines: Sequence[Line]) -> int:
    """How many lines at the top are about the document: title, category, date, author."""
    bare = 0
    while bare < len(lines) and (is_credit(lines[bare]) or is_bare_headline(lines[bare])):
        bare += 1
    credited = [at for at in range(bare) if is_credit(lines[at])]
    if credited:
        return credited[-1] + 1
    # A title dressed in 【】 ends the front matter; else the first block does, when headings follow it.
    dressed = [at for at in range(bare) if lines[at].text[0] in "【《〖［["]
    if dressed:
        return dressed[0] + 1
    blocks = [at for at in range(1, bare) if lines[at].gap]
    return blocks[0] if blocks else 0


@dataclass(slots=True)
class _Item:
    """The bullet being read, with the indents of its bullets, outermost first."""

    node: Node
    indents: list[int]
    bare: bool = False  # a term and its value without a bullet

    def level(self, indent: int) -> int:
        """How deep a bullet at `indent` lies; remembers it."""
        while len(self.indents) > 1 and self.indents[-1] >= indent:
            self.indents.pop()
        if indent > self.indents[-1]:
            self.indents.append(indent)
        return len(self.indents) - 1


class _Reader:
    """Reads line after line, knowing what each may belong to."""

    def __init__(self, lines: Sequence[Line], levels: Mapping[int, int] = NO_HEADINGS) -> None:
        self.lines = lines
        self.draft = Draft(Form.OUTLINE)
        self.depths = heading_depths(lines, levels)
        self.headings: list[tuple[int, Node]] = []
        self.item: _Item | None = None
        self.in_example = False

    @property
    def heading(self) -> Node | None:
        return self.headings[-1][1] if self.headings else None

    def read_front(self, lines: Sequence[Line]) -> None:
        document = self.draft.document
        for line in lines:
            credit = is_credit(line)
            self.draft.aside(line.number, Fate.SOURCE_NOTE, CREDIT if credit else PREAMBLE)
            if credit:
                document.published = document.published or find_date(line.text)
        titles = [line for line in lines if not is_credit(line)]
        dressed = [line.text for line in titles if line.text[0] in "【《〖［["]
        block = [line.text for at, line in enumerate(titles) if at == 0 or not line.gap]
        document.title = dressed[0] if dressed else " ".join(block)

    def read(self, at: int) -> None:
        line = self.lines[at]
        if line.kind is Kind.NAVIGATION:
            self.draft.aside(line.number, Fate.NOT_CONTENT, NAVIGATION)
        elif line.kind is Kind.CALL and line.gap:
            self.draft.aside(line.number, Fate.NOT_CONTENT, CALL)
        elif line.kind is Kind.HEADING:
            self.open_heading(line, self.depths[line.number])
        elif line.kind in (Kind.STATEMENT, Kind.NOTE, Kind.NUMBERED) and self.stands_over(at):
            self.open_heading(line, _RANKS.get(line.marker, _NUMBERED_RANK))
        elif line.kind is Kind.EXAMPLE:
            self.read_example(line)
        elif line.kind is Kind.STATEMENT:
            self.pop(_RANKS[line.marker])
            self.open_item(line)
        elif line.kind in (Kind.BULLET, Kind.NUMBERED):
            self.read_bullet(line)
        else:
            self.read_text(line, at)

    def stands_over(self, at: int) -> bool:
        """Whether a marked line is a heading: no sentence, no definition, and something of lower rank beneath."""
        line = self.lines[at]
        if at + 1 == len(self.lines) or line.indent or not is_headline(line.text) or defines(line.text):
            return False
        after = self.lines[at + 1]
        if line.kind is Kind.STATEMENT and after.kind is Kind.STATEMENT:
            return _RANKS[after.marker] > _RANKS[line.marker]
        if line.kind is Kind.NUMBERED:
            return after.kind is Kind.BULLET and after.indent == 0
        if line.kind is Kind.NOTE:
            # Most notes are sentences under a list; one set off over a list of its own is a heading.
            return line.gap and after.kind in (Kind.BULLET, Kind.NUMBERED)
        return after.kind not in (Kind.HEADING, Kind.NAVIGATION)

    def pop(self, rank: int) -> None:
        """Leave the headings that do not stand over `rank`."""
        self.item, self.in_example = None, False
        while self.headings and self.headings[-1][0] >= rank:
            self.headings.pop()

    def open_heading(self, line: Line, rank: int) -> None:
        self.pop(rank)
        title = line.text.rstrip("：: ")
        node = self.draft.open(Level.HEADING, _printed(line), line.number, self.heading, title=title)
        self.headings.append((rank, node))
        self.draft.document.title = self.draft.document.title or title

    def open_item(self, line: Line) -> None:
        term = term_of(line.text)
        node = self.draft.open(Level.ITEM, term or opening(line.text), line.number, self.heading, title=term)
        self.draft.text(node, line.number, _printed(line))
        self.item, self.in_example = _Item(node, [line.indent], bare=line.kind is Kind.TEXT), False

    def read_bullet(self, line: Line) -> None:
        """A bullet farther in than the item's own is one of its lines."""
        if self.item is None or line.indent <= self.item.indents[0]:
            self.open_item(line)
            return
        self.in_example = False
        level = self.item.level(line.indent)
        self.draft.text(self.item.node, line.number, f"{'  ' * level}{line.marker} {line.text}")

    def read_example(self, line: Line) -> None:
        self.draft.example(self.target(line), line.number, line.label, line.text)
        self.in_example = True

    def read_text(self, line: Line, at: int) -> None:
        text = line.text if line.kind in (Kind.TEXT, Kind.TABLE) else line.raw.strip()
        if self.is_section_text(line):
            self.item, self.in_example = None, False
            if self.heading is not None and _is_bare_definition(line):
                self.open_item(line)
                return
        target = self.target(line)
        if self.in_example and not line.gap:
            self.draft.example_text(target, line.number, text)
            return
        self.in_example = False
        if self.item is not None and line.kind is not Kind.DRAWING:
            depth = len(self.item.indents) - 1
            text = "  " * (depth + 1) + text if depth else text
        # The blank lines within a drawing or a list are the page's spacing, not its paragraphs.
        paragraph = line.gap and self.item is None and line.kind is Kind.TEXT
        self.draft.text(target, line.number, text, paragraph=paragraph)

    def is_section_text(self, line: Line) -> bool:
        """Whether a line stands outside the list before it: a note or a table at the margin, a bare definition."""
        if self.item is None:
            return True
        if line.kind is Kind.NOTE:
            return line.indent <= self.item.indents[0]
        parted = line.gap or self.item.bare
        return line.kind is Kind.TABLE or (parted and _is_bare_definition(line))

    def target(self, line: Line) -> Node:
        """The section that text belongs to; text before any heading opens one."""
        if self.item is not None:
            return self.item.node
        if self.heading is None:
            self.item = _Item(self.draft.open(Level.ITEM, opening(line.text), line.number), [line.indent])
            return self.item.node
        return self.heading


def _is_bare_definition(line: Line) -> bool:
    return line.kind is Kind.TEXT and line.indent == 0 and defines(line.text)


def _printed(line: Line) -> str:
    """The text of a line; a number is part of it, another marker is not."""
    return line.raw.strip() if line.kind is Kind.NUMBERED else line.text

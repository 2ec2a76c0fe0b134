"""Lines of text from a page saved as HTML, laid out as a browser would."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PageElement, PreformattedString, Tag

_DOCUMENT = re.compile(
    r"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body|meta)\b", re.I | re.S
)
_FRAGMENT = re.compile(r"</(?:p|div|li|ul|ol|table|tr|td|h[1-6]|span|a|section|article)\s{0,3}>|<br\s{0,3}/?>", re.I)
_FEWEST_TAGS = 3

_DROPPED = {"script", "style", "nav", "head", "noscript", "template", "iframe", "svg", "rt", "rp", "object", "canvas"}
_BLOCKS = {
    *("address", "article", "aside", "body", "caption", "center", "dd", "details", "div", "dt", "fieldset"),
    *("figcaption", "figure", "footer", "form", "header", "html", "legend", "li", "main", "menu", "ol", "section"),
    *("summary", "tbody", "tfoot", "thead", "tr", "ul"),
}
_SPACED = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "table", "blockquote", "pre", "dl"}
_LISTS = {"ul", "ol", "menu"}
_STRUCTURED = {"p", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "dl", "div"}
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_PARTING = [*_HEADINGS, "hr", "section", "article"]
_FEWEST_LINES = 5
_INDENT = re.compile(r" {2,}(?=[^\s\u3000])")
_WHITE = re.compile(r"[ \t\n\r\f]+")
_BLANKS = re.compile(r"\n{3,}")


def is_markup(text: str) -> bool:
    """Tell by its content whether a text is HTML: a document, or a fragment with several tags."""
    if _DOCUMENT.match(text[:4096]):
        return True
    found = _FRAGMENT.finditer(text)
    return sum(1 for _ in zip(range(_FEWEST_TAGS), found, strict=False)) == _FEWEST_TAGS


def text_of_markup(html: str) -> tuple[str, dict[int, int]]:
    """Return the text of a page, a line per line that a browser would begin; line number → level of its headings."""
    soup = BeautifulSoup(html, "html.parser")
    writer = _Writer(tight=_has_paragraph_per_line(soup))
    for node, entering in _walk(soup):
        if isinstance(node, Tag):
            if entering:
                writer.open(node)
            else:
                writer.close(node)
        elif isinstance(node, NavigableString):
            writer.write(str(node))
    return writer.text(), writer.headings


def _has_paragraph_per_line(soup: BeautifulSoup) -> bool:
    """Whether `<p>` only ends lines: nearly every paragraph is one line, and something else parts the page."""
    paragraphs = soup.find_all("p")
    filled = [one for one in paragraphs if one.get_text().strip("\u3000\xa0 \t\r\n")]
    single = sum(one.find("br") is None for one in filled)
    parted = len(filled) < len(paragraphs) or soup.find(_PARTING) is not None
    return parted and len(filled) >= _FEWEST_LINES and single >= 0.9 * len(filled)


def _walk(root: Tag) -> Iterator[tuple[PageElement, bool]]:
    """Visit the nodes in order without recursion: pages may be nested deeper than Python allows."""
    stack: list[tuple[PageElement, bool]] = [(root, True)]
    while stack:
        node, entering = stack.pop()
        if isinstance(node, PreformattedString) or (isinstance(node, Tag) and _is_dropped(node)):
            continue  # comments, doctypes; what is not shown
        yield node, entering
        if entering and isinstance(node, Tag):
            stack.append((node, False))
            stack.extend((child, True) for child in reversed(node.contents))


def _is_dropped(tag: Tag) -> bool:
    return tag.name in _DROPPED or tag.has_attr("hidden")


@dataclass(slots=True)
class _Cell:
    """A cell being read: where its text began, and whether blocks of their own stand in it."""

    table: int
    at: int
    structured: bool = False


@dataclass(slots=True)
class _Writer:
    """Collects lines; knows in which lists, cells and preformatted blocks the text stands."""

    tight: bool = False  # a paragraph is no more than a line
    lines: list[str] = field(default_factory=list)
    headings: dict[int, int] = field(default_factory=dict)  # line number → level of the headings of the page
    current: list[str] = field(default_factory=list)
    depth: int = 0
    bullet: bool = False
    preformatted: int = 0
    cells: list[_Cell] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)  # for each open table, how many cells its last line holds

    def open(self, tag: Tag) -> None:
        name = tag.name
        self.break_line(name)
        if self.cells and name in _STRUCTURED:
            self.cells[-1].structured = True
        if name in _LISTS:
            self.depth += 1
        elif name == "li":
            self.depth, self.bullet = max(self.depth, 1), True
        elif name == "pre":
            self.preformatted += 1
        elif name == "table":
            self.rows.append(0)
        elif name in ("tr", "td", "th"):
            self.open_cell(name)

    def close(self, tag: Tag) -> None:
        name = tag.name
        if name == "p" and self.tight and not "".join(self.current).strip() and not tag.get_text().strip():
            self.end_line(keep_empty=True)  # an empty paragraph is a blank line
        elif name != "br":
            before = len(self.lines)
            self.break_line(name)
            if name in _HEADINGS and not self.cells and self.lines[before : before + 1] not in ([], [""]):
                self.headings[before + 1] = int(name[1])
        if name in _LISTS:
            self.depth = max(self.depth - 1, 0)
        elif name == "li":
            self.bullet = False
        elif name == "pre":
            self.preformatted -= 1
        elif name in ("tr", "td", "th", "table"):
            self.close_cell(len(self.rows))
        if name == "table":
            self.rows.pop()

    def break_line(self, name: str) -> None:
        if name == "br":
            self.end_line(keep_empty=True)
        elif name in _BLOCKS or name in _SPACED:
            self.end_line()
        if name in _SPACED and not (self.tight and name == "p"):
            self.blank()

    def open_cell(self, name: str) -> None:
        """Begin a row or a cell; pages often leave out the end of the one before."""
        self.close_cell(len(self.rows))
        self.end_line()
        if name != "tr":
            self.cells.append(_Cell(len(self.rows), len(self.lines)))
        elif self.rows:
            self.rows[-1] = 0

    def close_cell(self, table: int) -> None:
        """Put the open cell of a table behind the one before it, unless it is laid out in blocks itself."""
        if not self.cells or self.cells[-1].table != table:
            return
        self.end_line()
        cell = self.cells.pop()
        if cell.structured and len(self.lines) - cell.at > 1:
            self.count_cell(0)
            return
        joined = " ".join(line.strip() for line in self.lines[cell.at :] if line.strip())
        del self.lines[cell.at :]
        if self.rows and self.rows[-1] and self.lines:
            self.lines[-1] += "\t" + joined
        else:
            self.lines.append(joined)
        self.count_cell(1)

    def count_cell(self, count: int) -> None:
        if self.rows:
            self.rows[-1] = self.rows[-1] + 1 if count else 0

    def write(self, text: str) -> None:
        if not self.preformatted:
            self.current.append(text)
            return
        first, *others = text.split("\n")
        self.current.append(first)
        for line in others:
            self.end_line(keep_empty=True)
            self.current.append(line)

    def end_line(self, keep_empty: bool = False) -> None:
        raw = "".join(self.current)
        self.current.clear()
        text = raw.rstrip() if self.preformatted else _collapse(raw)
        if self.tight and text and (indent := _INDENT.match(raw)):
            text = indent.group() + text  # written as lines: spaces before a line are its place in a list
        if text.strip():
            mark = "• " if self.bullet else "  " if self.depth else ""
            self.lines.append("  " * max(self.depth - 1, 0) + mark + text)
            self.bullet = False
        elif keep_empty:
            self.blank()

    def blank(self) -> None:
        if self.lines and self.lines[-1] and not self.cells:
            self.lines.append("")

    def text(self) -> str:
        self.end_line()
        return _BLANKS.sub("\n\n", "\n".join(self.lines)).strip("\n")


def _collapse(text: str) -> str:
    """Collapse white space as a browser does; a line break between Japanese characters leaves no space."""

    def collapse(match: re.Match[str]) -> str:
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        return "" if "\n" in match.group() and _is_wide(before) and _is_wide(after) else " "

    return _WHITE.sub(collapse, text).strip(" ")


def _is_wide(char: str) -> bool:
    return bool(char) and unicodedata.east_asian_width(char) in "WF"

"""Read a complete book of numbered rules, as text taken from a PDF."""

import re
import unicodedata
from collections.abc import Sequence

from rulings.importers.account import Ledger
from rulings.importers.errors import ParseError
from rulings.importers.furniture import find_furniture
from rulings.importers.marks import Mark, column_of, find_marks, normal_heading
from rulings.importers.records import Fate, Form, ParsedDocument, ParseWarning
from rulings.importers.sections import SectionBuilder
from rulings.text.dates import find_date
from rulings.text.rejoin import ends_sentence, spellings_of, tidy_spaces

CONTENTS_LABEL = re.compile(r"[#\s◆■●【]*(?:も\s*く\s*じ|目\s*次|contents|table of contents)[\s】]*", re.IGNORECASE)
_VERSION = re.compile(
    r"(?:ver(?:sion)?|バージョン)\s{0,3}\.?\s{0,3}(\d+(?:\.\d+){0,3}[a-z]?)|第\s?(\d+(?:\.\d+)?)\s?版", re.IGNORECASE
)
_CONTENTS = "目次"
_NOTE = "文書の表題・版・日付・注記"


def parse_numbered(text: str) -> ParsedDocument:
    """Return the parts, chapters, rules and sub-rules of a rule book; ParseError when it has none."""
    lines = text.split("\n")
    marks = find_marks(lines)
    start = body_start(marks, lines)
    body = marks[start:]
    if not any(mark.number.rule for mark in body):
        raise ParseError("番号の付いた条項が見つかりません。")
    doc = ParsedDocument(Form.NUMBERED)
    ledger = Ledger(lines)
    furniture = find_furniture(lines, body[0].line)
    for number, reason in furniture.items():
        ledger.enter(number, Fate.NOT_CONTENT, reason=reason)
    contents_at = _contents_start(lines, marks, start)
    _read_preamble(doc, lines, contents_at, ledger)
    for number in range(contents_at, body[0].line):
        ledger.enter(number, Fate.NOT_CONTENT, reason=_CONTENTS)
    builder = SectionBuilder(body, column_of(lines), spellings_of(lines))
    add_sections(builder, body, lines, ledger)
    doc.warnings += builder.warnings + _compare_headings(marks[:start], builder)
    builder.finish()
    doc.sections = builder.sections
    doc.account, unread = ledger.close()
    doc.warnings = sorted(doc.warnings + unread, key=lambda warning: warning.line)
    return doc


def body_start(marks: Sequence[Mark], lines: Sequence[str]) -> int:
    """Return the index of the first mark of the body: what comes before it is a table of contents.

    A table of contents lists headings in order; the body begins where the order starts again.
    """
    first_rule = next((index for index, mark in enumerate(marks) if mark.number.rule), 0)
    for index in range(first_rule, 0, -1):
        if marks[index].order <= marks[index - 1].order:
            listed = {_key(mark) for mark in marks[:index]}
            again = sum(_key(mark) in listed for mark in marks[index:])
            labelled = any(CONTENTS_LABEL.fullmatch(line.strip()) for line in lines[: marks[0].line])
            return index if labelled or again * 2 >= len(listed) else 0
    return 0


def _key(mark: Mark) -> tuple[str, bool]:
    return str(mark.number), mark.is_part


def _contents_start(lines: Sequence[str], marks: Sequence[Mark], start: int) -> int:
    """Return the line on which the table of contents begins; the body's first line when there is none."""
    for number in range(1, marks[0].line):
        if CONTENTS_LABEL.fullmatch(lines[number - 1].strip()):
            return number
    return marks[0].line if start else marks[start].line


def _read_preamble(doc: ParsedDocument, lines: Sequence[str], end: int, ledger: Ledger) -> None:
    """Read what stands before the contents: title, version, date. The tail of a cut rule is no note."""
    head = [(number, lines[number - 1].strip()) for number in range(1, end) if ledger.is_open(number)]
    for _, line in head:
        match = _VERSION.search(unicodedata.normalize("NFKC", line[:200]))
        doc.version = doc.version or (match and (match[1] or match[2])) or ""
        doc.published = doc.published or find_date(line[:200])
    title = head[0][1].lstrip("#＃ \u3000") if head else ""
    if doc.version or doc.published or (title and not ends_sentence(title)):
        doc.title = tidy_spaces(_VERSION.sub("", title)) if not ends_sentence(title) else ""
        for number, _ in head:
            ledger.enter(number, Fate.SOURCE_NOTE, reason=_NOTE)
    if doc.published is None:
        doc.warnings.append(ParseWarning("no_date", "文書の日付が見つかりません。"))


def add_sections(builder: SectionBuilder, marks: Sequence[Mark], lines: Sequence[str], ledger: Ledger) -> None:
    """Add the section of each mark, with the lines up to the next one that are still open."""
    for index, mark in enumerate(marks):
        following = marks[index + 1] if index + 1 < len(marks) else None
        texts = _texts_of(mark, following, lines, ledger)
        record = builder.add(mark, texts)
        for number, text in texts:
            if number == mark.line or text.strip():
                ledger.enter(number, Fate.HEADING if mark.is_heading else Fate.ENTRY, record.number)


def _texts_of(mark: Mark, following: Mark | None, lines: Sequence[str], ledger: Ledger) -> list[tuple[int, str]]:
    """Return the numbered lines of a section; lines that something else has claimed are left out."""
    texts = [(mark.line, lines[mark.line - 1][mark.after :])]
    if following is not None and following.line == mark.line:
        return [(mark.line, lines[mark.line - 1][mark.after : following.start])]
    for number in range(mark.line + 1, following.line if following else len(lines) + 1):
        line = lines[number - 1]
        if not line.strip() or ledger.is_open(number):
            texts.append((number, line))
    if following is not None and (head := lines[following.line - 1][: following.start]).strip():
        texts.append((following.line, head))
    return texts


def _compare_headings(contents: Sequence[Mark], builder: SectionBuilder) -> list[ParseWarning]:
    """Warn where the table of contents and the body name a heading differently; the body's counts."""
    listed = {_key(mark): mark for mark in contents if mark.rest}
    warnings: list[ParseWarning] = []
    for section in builder.sections:
        entry = listed.get((section.number, section.level.value == "part"))
        if entry is not None and normal_heading(entry.rest) != normal_heading(section.title):
            message = f"目次の「{entry.rest}」は本文では「{section.title}」です。"
            warnings.append(ParseWarning("heading_differs", message, section.lines[0].first))
    return warnings

"""Recognise the form of a document by its structure: no name, no title, no game counts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulings.importers.amendment import announces
from rulings.importers.errors import ParseError
from rulings.importers.marks import Mark, find_marks, is_next
from rulings.importers.numbered import body_start
from rulings.importers.records import Form
from rulings.text.rejoin import ends_sentence

_QUESTION = re.compile(r"\s*(?:[QＱ問質][0-9０-９]{0,3}|質問|Question)\s?[.．：:）)、]", re.IGNORECASE)
_STATEMENT = re.compile(r"\s*(?:[◆◇■□▼▶]|例\s?[0-9０-９]{1,2}[：:）)])")
_BULLET = re.compile(r"\s*(?:[•●○◎‣◦]|[-*・]\s)|[^\t]+\t[^\t]")
_HEADING_LENGTH = 40
# The share of rules that do not continue the one before: a book has next to none.
_FEW_GAPS = 0.15


@dataclass(frozen=True, slots=True)
class _Counts:
    """How many lines of each kind a document has."""

    questions: int
    statements: int
    bullets: int
    headings: int


def recognise(text: str) -> Form:
    """Return the form of `text`; ParseError when it has no structure that can be read."""
    lines = text.split("\n")
    marks = find_marks(lines)
    rules = [mark for mark in marks if mark.number.rule]
    counts = _count(lines)
    if rules and len(rules) >= max(counts.questions, (counts.statements + counts.bullets) / 3):
        return _book_or_amendment(lines, marks)
    page = 3 * counts.questions + counts.statements
    if page > counts.bullets:
        return Form.PAGE
    if counts.bullets >= 2 or counts.headings >= 2:
        return Form.OUTLINE
    raise ParseError("文書の構造を読み取れません。番号・見出し・箇条書き・質問と回答のいずれも見つかりませんでした。")


def _book_or_amendment(lines: Sequence[str], marks: Sequence[Mark]) -> Form:
    """A book has parts or a table of contents, or numbers without gaps; an announcement announces."""
    start = body_start(marks, lines)
    if start or any(mark.is_part for mark in marks):
        return Form.NUMBERED
    body = marks[start:]
    if announces(lines, body):
        return Form.AMENDMENT
    gaps = sum(not _continues(before, mark) for before, mark in zip(body, body[1:], strict=False))
    return Form.NUMBERED if gaps <= _FEW_GAPS * len(body) else Form.AMENDMENT


def _continues(before: Mark, mark: Mark) -> bool:
    if not mark.number.rule:
        return mark.order > before.order
    if mark.number.chapter != before.number.chapter:
        return mark.order > before.order and mark.number.rule == "1" and not mark.number.letter
    return is_next(before.number, mark.number)


def _count(lines: Sequence[str]) -> _Counts:
    questions = statements = bullets = headings = 0
    for index, line in enumerate(lines):
        head = line[:200]
        questions += _QUESTION.match(head) is not None
        statements += _STATEMENT.match(head) is not None
        bullets += _BULLET.match(head) is not None
        headings += _is_heading(lines, index)
    return _Counts(questions, statements, bullets, headings)


def _is_heading(lines: Sequence[str], index: int) -> bool:
    """A short line without a sentence end, with text under it and nothing directly above."""
    text = lines[index].strip()
    if not text or len(text) > _HEADING_LENGTH or ends_sentence(text) or not any(map(str.isalpha, text)):
        return False
    above = lines[index - 1].strip() if index else ""
    below = next((line.strip() for line in lines[index + 1 : index + 4] if line.strip()), "")
    return not above and bool(below) and (len(below) > len(text) or ends_sentence(below))

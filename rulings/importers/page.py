"""The page of a format: headings, ◆ statements with examples beneath, questions and answers, notes, links."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rulings.importers.asking import OpenFaq, answers_next, split_date
from rulings.importers.draft import Draft, Node
from rulings.importers.layout import (
    NO_HEADINGS,
    Kind,
    Line,
    defines,
    ends_sentence,
    heading_depths,
    is_credit,
    is_headline,
    mark_headings,
    opening,
    opens_with_arrow,
    opens_with_sign,
    read_lines,
    term_of,
)
from rulings.importers.records import FaqRecord, Fate, Form, Level, ParsedDocument
from rulings.text.dates import find_date
from rulings.text.fold import fold_key
from rulings.text.verdicts import verdict_of

CALL = "案内（リンク先への誘導）"
NAVIGATION = "ページ内の移動"
CREDIT = "文書の情報（日付・作成者など）"

_LETTER = re.compile(r"[AＡ]\s")
_CASE_B = re.compile(r"[BＢ]\s*[：:.．、)）]")


def parse_page(text: str, headings: Mapping[int, int] = NO_HEADINGS) -> ParsedDocument:
    """Read the page of a format; ParseError when there is nothing to read."""
    reader = _Reader(_mark_ranked_headings(mark_headings(read_lines(text, headings))), headings)
    for at in range(len(reader.lines)):
        reader.read(at)
    return reader.finish()


def _mark_ranked_headings(lines: Sequence[Line]) -> list[Line]:
    """Make headings of statements whose marker stands, somewhere, right over questions or another marker."""

    def stands_over(line: Line, after: Line) -> bool:
        over = after.kind is Kind.QUESTION or (after.kind is Kind.STATEMENT and after.marker != line.marker)
        return over and _is_title(line)

    pairs = list(zip(lines, lines[1:], strict=False))
    ranked = {line.marker for line, after in pairs if line.kind is Kind.STATEMENT and stands_over(line, after)}
    marked = list(lines)
    for at, (line, after) in enumerate(pairs):
        if line.kind is Kind.STATEMENT and line.marker in ranked and _is_title(line) and after.marker != line.marker:
            marked[at] = replace(line, kind=Kind.HEADING)
    return marked


def _is_title(line: Line) -> bool:
    """Whether a marked line can be the title of what stands beneath it."""
    return is_headline(line.text) and not defines(line.text)


class _Reader:
    """Reads line after line, knowing what each may belong to."""

    def __init__(self, lines: Sequence[Line], levels: Mapping[int, int] = NO_HEADINGS) -> None:
        self.lines = lines
        self.draft = Draft(Form.PAGE)
        self.depths = heading_depths(lines, levels)
        self.headings: list[tuple[int, Node]] = []
        self.item: Node | None = None  # the statement or top-level bullet
        self.item_kind = Kind.TEXT  # of the item's first line
        self.child: Node | None = None  # the bullet with text of its own under it
        self.tail: Node | None = None  # what was split off after an example
        self.example: list[Line] = []  # the lines of the open example
        self.faq: OpenFaq | None = None
        self.called = 0  # number of the last line of an invitation
        self.started = False
        # A page with space between all its lines says nothing by it (one paragraph per line).
        self.is_airy = all(line.gap for line in lines)
        self.answers_next = answers_next(lines)
        self.asked: dict[str, list[tuple[int, FaqRecord]]] = {}  # question → the answers given, with their places

    @property
    def heading(self) -> Node | None:
        return self.headings[-1][1] if self.headings else None

    def read(self, at: int) -> None:
        line = self.lines[at]
        if line.kind is Kind.QUESTION:
            self.close_faq()
            self.leave_item()
            self.faq = OpenFaq([line.text] if line.text else [], numbers=[line.number])
        elif self.faq is None and line.kind is Kind.ANSWER and self.is_marked_answer(at):
            self.leave_item()
            self.faq = OpenFaq([], [line.text] if line.text else [], numbers=[line.number])
        elif self.faq is not None and self.read_faq_line(self.faq, line, at):
            return
        else:
            self.close_faq()
            self.read_outside(line, at)

    def is_marked_answer(self, at: int) -> bool:
        """Whether `A：` opens an answer: not a letter alone, nor the first of players, seats or cases A, B, C."""
        after = self.lines[at + 1].text if at + 1 < len(self.lines) else ""
        return _LETTER.match(self.lines[at].raw.strip()) is None and _CASE_B.match(after) is None

    def read_faq_line(self, faq: OpenFaq, line: Line, at: int) -> bool:
        """Take a line into the open question or answer, unless it ends it."""
        if faq.answer is None and line.kind is Kind.ANSWER:
            faq.answer = [line.text] if line.text else []
            faq.numbers.append(line.number)
            return True
        if faq.answer is None and self.answers_next[at]:
            faq.add(line, line.raw.strip())
            return True
        if line.kind is Kind.ANSWER and faq.answer is not None and self.is_marked_answer(at):
            self.draft.warn("second_answer", "一つの質問に回答が二つあります。続けて一つの回答とします。", line.number)
            faq.add(line, line.text)
            return True
        ends = line.kind in (Kind.HEADING, Kind.CALL, Kind.NAVIGATION) or (line.gap and line.kind is Kind.STATEMENT)
        if not ends:
            faq.add(line, line.raw.strip())
        return not ends

    def read_outside(self, line: Line, at: int) -> None:
        if line.kind is Kind.CALL or (line.kind is Kind.NOTE and not line.gap and self.called == line.number - 1):
            self.draft.aside(line.number, Fate.NOT_CONTENT, CALL)
            self.called = line.number
        elif line.kind is Kind.NAVIGATION:
            self.draft.aside(line.number, Fate.NOT_CONTENT, NAVIGATION)
        elif not self.started and is_credit(line):
            self.draft.aside(line.number, Fate.SOURCE_NOTE, CREDIT)
            self.draft.document.published = self.draft.document.published or find_date(line.text)
        elif line.kind is Kind.HEADING:
            self.open_heading(line)
        elif line.kind is Kind.EXAMPLE:
            self.example = [line]
            self.draft.example(self.target(line), line.number, line.label, line.text)
        elif line.kind is Kind.STATEMENT:
            self.leave_item()
            self.item, self.item_kind = self.open_item(line, at, self.heading), line.kind
        elif line.kind in (Kind.BULLET, Kind.NUMBERED):
            self.read_bullet(line, at)
        elif line.kind is Kind.TEXT and defines(line.text) and self.heading and self.item_kind is Kind.TEXT:
            self.leave_item()
            self.item = self.open_item(line, at, self.heading)
        else:
            self.read_text(line)

    def open_heading(self, line: Line) -> None:
        self.leave_item()
        # Marked headings stand under bare ones.
        depth = 2 if line.marker else self.depths[line.number]
        while self.headings and self.headings[-1][0] >= depth:
            self.headings.pop()
        node = self.draft.open(Level.HEADING, line.text, line.number, self.heading, title=line.text)
        self.headings.append((depth, node))
        self.draft.document.title = self.draft.document.title or line.text

    def leave_item(self) -> None:
        self.item = self.child = self.tail = None
        self.item_kind, self.example = Kind.TEXT, []

    def open_item(self, line: Line, at: int, parent: Node | None) -> Node:
        """Open an item by its first line: a title over what follows, a definition, or a plain statement."""
        self.started = True
        # The number of a numbered item is part of its text.
        printed = line.raw.strip() if line.kind is Kind.NUMBERED else line.text
        if self.has_text_beneath(at) and _is_title(line):
            node = self.draft.open(Level.ITEM, printed, line.number, parent, title=line.text)
            self.draft.account(line.number, Fate.HEADING, node)
            return node
        term = term_of(line.text)
        node = self.draft.open(Level.ITEM, term or opening(line.text), line.number, parent, title=term)
        self.draft.text(node, line.number, printed)
        return node

    def has_text_beneath(self, at: int) -> bool:
        after = self.lines[at + 1] if at + 1 < len(self.lines) else None
        if after is None or (after.gap and not self.is_airy) or opens_with_arrow(after.text):
            return False
        beneath = {Kind.TEXT, Kind.EXAMPLE, Kind.NOTE, Kind.TABLE, Kind.DRAWING}
        if self.lines[at].kind is Kind.STATEMENT:
            beneath |= {Kind.BULLET, Kind.NUMBERED}
        return after.kind in beneath

    def read_bullet(self, line: Line, at: int) -> None:
        """A bullet under a statement is an item of its own when text stands beneath it, else a line of the body."""
        if self.item is None or self.item_kind is not Kind.STATEMENT:
            self.leave_item()
            self.item, self.item_kind = self.open_item(line, at, self.heading), line.kind
        elif self.has_text_beneath(at):
            self.tail, self.example = None, []
            self.child = self.open_item(line, at, self.item)
        else:
            self.read_text(replace(line, text=line.raw.strip(), gap=False))

    def read_text(self, line: Line) -> None:
        """Text goes on with the open example, or with the section; after an example it is split off."""
        text = line.text if line.kind in (Kind.TEXT, Kind.TABLE) else line.raw.strip()
        if self.example and self.goes_on(line):
            self.example.append(line)
            self.draft.example_text(self.target(line), line.number, text, paragraph=line.gap)
            return
        if line.kind is Kind.NOTE and line.gap and self.heading is not None:
            self.leave_item()
            self.draft.text(self.heading, line.number, text, paragraph=True)
            return
        self.example = []
        target = self.target(line)
        if target.examples:
            # An example belongs to the text before it, so what comes after it is a section of its own.
            owner = self.child or self.item or self.heading
            target = self.tail = self.draft.open(Level.ITEM, opening(text), line.number, owner)
        self.draft.text(target, line.number, text, paragraph=line.gap)

    def goes_on(self, line: Line) -> bool:
        """Whether a line belongs to the open example."""
        if line.gap:
            # A note below an example of several lines (a worked case) still speaks of it.
            return line.kind is Kind.NOTE and len(self.example) > 1
        return not (opens_with_sign(line.text) and ends_sentence(self.example[-1].text))

    def target(self, line: Line) -> Node:
        """The section that text belongs to; text before any heading opens one."""
        target = self.tail or self.child or self.item or self.heading
        if target is None:
            target = self.item = self.draft.open(Level.ITEM, opening(line.text), line.number)
            self.item_kind = Kind.TEXT
        return target

    def close_faq(self) -> None:
        faq, self.faq = self.faq, None
        if faq is None:
            return
        self.started = True
        question, answer = "\n".join(faq.question).strip(), "\n".join(faq.answer or []).strip()
        if not question and faq.answer is not None:
            self.draft.warn("answer_without_question", "質問のない回答です。", faq.numbers[0])
        elif not question or not answer:
            self.draft.warn("faq_incomplete", "質問と回答がそろっていません。", faq.numbers[0])
        if not question or not answer:
            for number in faq.numbers:
                self.draft.aside(number, Fate.UNREAD, "質問と回答がそろっていません")
            return
        answer, published = split_date(answer)
        record = FaqRecord(question, answer, "", verdict=verdict_of(answer), published=published)
        if not self.repeats(record, faq.numbers):
            self.asked.setdefault(fold_key(question), []).append((self.draft.faq_count + 1, record))
            self.draft.faq(record, self.heading, faq.numbers)

    def repeats(self, record: FaqRecord, numbers: list[int]) -> bool:
        """Whether the same was asked and answered before; its lines then belong to that question."""
        earlier = self.asked.get(fold_key(record.question), [])
        same = [(at, known) for at, known in earlier if fold_key(known.answer) == fold_key(record.answer)]
        if same:
            at, known = same[0]
            known.published = known.published or record.published
            self.draft.again(at, numbers)
            self.draft.warn("duplicate_question", "同じ質問と回答が前にもあります。一つにまとめます。", numbers[0])
        elif earlier:
            self.draft.warn(
                "duplicate_question", "同じ質問に前とは違う回答があります。両方を取り込みます。", numbers[0]
            )
        return bool(same)

    def finish(self) -> ParsedDocument:
        self.close_faq()
        document = self.draft.finish()
        document.title = document.title or self.lines[0].text[:80]
        return document

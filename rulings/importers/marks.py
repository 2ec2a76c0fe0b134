"""Find where numbered sections begin: a number at the start of a line, or after a sentence within one.

A number in a text is more often a citation than a beginning. What decides: what follows it (a closing
bracket or a particle cites), whether the line before had ended, and whether the number comes next.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulings.importers.furniture import page_number
from rulings.text.numbers import RuleNumber, parse_number
from rulings.text.rejoin import display_width, ends_sentence

_DIGIT = "[0-9０-９]"
_MARK = re.compile(
    rf"(?P<number>{_DIGIT}{{1,4}}"
    rf"(?:[.．]{_DIGIT}{{1,3}}(?:[A-Za-zａ-ｚ]|[a-z]{{2}}|[ \u3000][a-z](?=[ \u3000]))?(?![A-Za-z0-9０-９]))?"
    rf"(?:[.．](?!{_DIGIT}))?)[ \t\u3000]*"
)
# After a citation: a closing bracket, a comma, a particle. No rule begins so.
_CITED = re.compile(
    r"[）)」』】〉》≫、，,。;；/／~～〜-]|[のをに]|[はがもとで](?=[一-龠ァ-ヶ「、])|から|まで|より|および|及び|または|又は|参照"
    r"|(?:つ|回|枚|体|倍|点|個|人|年|月|日)(?![一-龠])"
)
_WITHIN = re.compile(rf"[。！？][）)」』》】]?[ \u3000]+(?={_DIGIT})")
_QUOTED = re.compile(r"《[^》]{0,200}》|≪[^≫]{0,200}≫|「[^」]{0,400}」|『[^』]{0,400}』")

_HEADING_WIDTH = 64
_REST = 200  # as much of a line as judges need to see
_CHAPTERS_PER_PART = 100
_EARLY = 0.7
_SETTLED_TAIL = re.compile(r"[》≫）)」』：:]$")


@dataclass(frozen=True, slots=True)
class Mark:
    """A number that begins a section: on line `line` (1-based), its text from `after` on."""

    number: RuleNumber
    printed: str
    line: int
    start: int
    after: int
    rest: str
    is_part: bool = False

    @property
    def is_heading(self) -> bool:
        return not self.number.rule

    @property
    def order(self) -> tuple[int, int, int, str]:
        """Where the number belongs in a book; a part stands just before its chapters."""
        if self.is_part:
            return int(self.number.chapter) * _CHAPTERS_PER_PART, -1, 0, ""
        return position_of(self.number)


def position_of(number: RuleNumber) -> tuple[int, int, int, str]:
    """Return the order of a number as numbers order, not as text."""
    return int(number.chapter), int(number.rule or 0), len(number.letter), number.letter


def read_mark(line: str, line_number: int, start: int = 0) -> Mark | None:
    """Read the number that stands at `start` of a line, None when none does or it only cites."""
    match = _MARK.match(line, start)
    if match is None:
        return None
    printed, after = match["number"].strip(), match.end()
    number = parse_number(printed)
    has_stop = printed.endswith((".", "．"))
    if number is None or (not number.rule and not has_stop) or _CITED.match(line, after):
        return None
    touches = after == match.end("number")
    if not has_stop and not number.letter and touches and "ぁ" <= line[after : after + 1] <= "ゖ":
        return None
    return Mark(number, printed, line_number, start, after, line[after : after + _REST].strip())


def is_next(last: RuleNumber | None, number: RuleNumber) -> bool:
    """Tell whether `number` is one that may follow `last` directly within its chapter."""
    if last is None or number.chapter != last.chapter:
        return False
    rule, previous = int(number.rule or 0), int(last.rule or 0)
    if rule == previous:
        return number.letter == _letter_after(last.letter)
    return rule == previous + 1 and number.letter in ("", "a")


def follows(last: RuleNumber | None, number: RuleNumber) -> bool:
    """Tell whether `number` continues after `last`: next, at most a few left out, or a new chapter's first."""
    if last is None:
        return True
    if number.chapter != last.chapter:
        near = 0 < int(number.chapter) - int(last.chapter) <= _CHAPTERS_PER_PART
        return near and number.rule in ("", "1") and not number.letter
    step = int(number.rule or 0) - int(last.rule or 0)
    if step == 0:
        return position_of(number) > position_of(last) and ord(number.letter[-1]) - ord((last.letter or "`")[-1]) <= 3
    return 0 < step <= 3 and number.letter in ("", "a")


def _letter_after(letter: str) -> str:
    if not letter:
        return "a"
    return "a" * (len(letter) + 1) if letter.endswith("z") else letter[:-1] + chr(ord(letter[-1]) + 1)


def find_marks(lines: Sequence[str]) -> list[Mark]:
    """Return the beginnings of sections in a document, in the order of the text."""
    candidates = _candidates(lines)
    digits = _digits_of_chapters(candidates)
    column = column_of(lines)
    marks: list[Mark] = []
    before, blank_before, after_heading = "", True, False
    last: RuleNumber | None = None
    for index, line in enumerate(lines):
        text = line.strip()
        if not text:
            blank_before = True
        if not text or page_number(text) is not None:
            continue
        settled = blank_before and not before or after_heading or _is_settled(before, column)
        mark = candidates.get(index + 1)
        if mark is not None:
            mark = _judge(mark, _next_candidate(candidates, lines, index), digits, last, settled)
        if mark is not None:
            marks.append(mark)
            last = last if mark.is_part else mark.number
        for inner in _marks_within(line, index + 1, last, mark):
            marks.append(inner)
            last = inner.number
        before, blank_before, after_heading = text, False, mark is not None and mark.is_heading
    return marks


def _candidates(lines: Sequence[str]) -> dict[int, Mark]:
    found: dict[int, Mark] = {}
    for number, line in enumerate(lines, 1):
        start = len(line) - len(line.lstrip().lstrip("#").lstrip())
        mark = read_mark(line, number, start)
        if mark is not None:
            found[number] = mark
    return found


def _digits_of_chapters(candidates: dict[int, Mark]) -> int:
    """Return how many digits the document's chapters are written with: a decimal is no rule."""
    counts = Counter(len(mark.number.chapter) for mark in candidates.values() if mark.number.rule)
    return counts.most_common(1)[0][0] if counts else 0


def _next_candidate(candidates: dict[int, Mark], lines: Sequence[str], index: int) -> Mark | None:
    """Return the mark on the next line that is not blank; a heading may stand on a line of its own."""
    allowed = 1 if candidates[index + 1].rest else 2
    for following in range(index + 1, min(index + 12, len(lines))):
        if lines[following].strip() and page_number(lines[following]) is None:
            if following + 1 in candidates:
                return candidates[following + 1]
            allowed -= 1
            if not allowed:
                return None
    return None


def _judge(mark: Mark, following: Mark | None, digits: int, last: RuleNumber | None, settled: bool) -> Mark | None:
    """Return the mark (as a part where it is one) when it begins a section, else None."""
    if len(mark.number.chapter) != digits:
        return _judge_part(mark, following, digits)
    if mark.number.rule:
        return mark if settled or follows(last, mark.number) else None
    if "。" in mark.rest or display_width(mark.rest[:_HEADING_WIDTH]) > _HEADING_WIDTH:
        return None
    leads = following is not None and following.number.chapter == mark.number.chapter and following.number.rule
    return mark if settled or leads or follows(last, mark.number) else None


def _judge_part(mark: Mark, following: Mark | None, digits: int) -> Mark | None:
    """A short number heads a part when the chapter that follows belongs to it."""
    if digits < 3 or mark.number.rule or len(mark.number.chapter) > digits - 2 or following is None:
        return None
    chapter = following.number.chapter
    if (
        len(chapter) != digits
        or following.number.rule
        or int(chapter) // _CHAPTERS_PER_PART != int(mark.number.chapter)
    ):
        return None
    return Mark(mark.number, mark.printed, mark.line, mark.start, mark.after, mark.rest, is_part=True)


def _is_settled(before: str, column: int) -> bool:
    """Tell whether a line may have been the last of its section: it ends a sentence, or ends early."""
    if ends_sentence(before) or _SETTLED_TAIL.search(before[-1:]):
        return True
    return len(before) < column and display_width(before) < column * _EARLY


def column_of(lines: Sequence[str]) -> int:
    """Return the display width of the column that the lines were set in (of the widest, where they were not)."""
    widths = sorted(display_width(line.strip()) for line in lines if line.strip())
    return widths[int(len(widths) * 0.95)] if widths else 0


def _marks_within(line: str, number: int, last: RuleNumber | None, first: Mark | None) -> Iterator[Mark]:
    """Find sections that begin in mid-line: after a sentence, outside quotes and names, next in number."""
    matches = list(_WITHIN.finditer(line))
    if not matches:
        return
    quoted = [match.span() for match in _QUOTED.finditer(line)]
    at = 0
    for match in matches:
        while at < len(quoted) and quoted[at][1] <= match.end() - 1:
            at += 1
        if at < len(quoted) and quoted[at][0] < match.end() - 1 < quoted[at][1]:
            continue
        mark = read_mark(line, number, match.end())
        if mark is not None and mark.number.rule and is_next(last, mark.number):
            yield mark
            last = mark.number


def normal_heading(text: str) -> str:
    """Return a heading as it is compared: width, spaces, dot leaders and a page number do not count."""
    folded = unicodedata.normalize("NFKC", text)
    return "".join(re.sub(r"[.…・\s]{3,}\d*\s*$", "", folded).split())

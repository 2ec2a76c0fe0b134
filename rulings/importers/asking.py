"""Questions and answers while they are being read: what belongs to which, and the date behind an answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from rulings.importers.layout import Kind, Line
from rulings.text.dates import find_date

# A date after the end of a sentence (or on a line of its own) is the answer's date, not its text.
_GLUED_DATE = re.compile(
    r"(?:^|(?<=[。．！？!?）)」』]))[ 　]*[（(\[]?(?P<date>\d{4}[./年-]\d{1,2}[./月-]\d{1,2}日?)[)）\]]?[ 　]*\Z",
    re.MULTILINE,
)


def split_date(answer: str) -> tuple[str, date | None]:
    """Part an answer from the date that stands behind it."""
    match = _GLUED_DATE.search(answer)
    published = find_date(match["date"]) if match else None
    if match is None or published is None:
        return answer, None
    return answer[: match.start()].rstrip(), published


def answers_next(lines: Sequence[Line]) -> list[bool]:
    """For every line, whether an answer comes before the next question."""
    flags = [False] * len(lines)
    coming = False
    for at in range(len(lines) - 1, -1, -1):
        flags[at] = coming
        if lines[at].kind in (Kind.QUESTION, Kind.ANSWER):
            coming = lines[at].kind is Kind.ANSWER
    return flags


@dataclass(slots=True)
class OpenFaq:
    """A question being read."""

    question: list[str]
    answer: list[str] | None = None
    numbers: list[int] = field(default_factory=list)

    def add(self, line: Line, text: str) -> None:
        target = self.question if self.answer is None else self.answer
        target.extend(["", text] if line.gap and target else [text])
        self.numbers.append(line.number)

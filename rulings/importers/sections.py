"""Make section records of numbered text: number, place in the order, parent, title, body, examples.

Where the print contradicts the numbers, both are kept. A number printed a second time becomes `311.2~2`
and stays where it is printed. A number printed in another chapter that is not its own keeps its number and
its place among the numbers, and takes the section it is printed under as its parent.
"""

from collections.abc import Iterator, Mapping, Sequence

from rulings.importers.account import spans_of
from rulings.importers.examples import read_body
from rulings.importers.marks import Mark, is_next
from rulings.importers.records import Level, ParseWarning, SectionRecord
from rulings.text.numbers import RuleNumber
from rulings.text.rejoin import display_width, ends_sentence

_TITLE_LENGTH = 60


class SectionBuilder:
    """Turns marks, in the order of the text, into records with their parents and sort keys."""

    def __init__(self, marks: Sequence[Mark], width: int, names: Mapping[str, str], in_order: bool = True) -> None:
        self.sections: list[SectionRecord] = []
        self.warnings: list[ParseWarning] = []
        self._width, self._names, self._in_order = width, names, in_order
        self._chapters = {mark.number.chapter for mark in marks if mark.is_heading and not mark.is_part}
        self._copies: dict[str, int] = {}
        self._part = ""
        self._chapter = self._rule = ("", "")  # (number as printed, number of its record)
        self._last: RuleNumber | None = None

    def add(self, mark: Mark, lines: Sequence[tuple[int, str]]) -> SectionRecord:
        """Add the section that `mark` begins; `lines` are its numbered lines, the first from the mark on."""
        number, level = str(mark.number), _level_of(mark)
        copy = self._copies[number] = self._copies.get(number, 0) + 1
        record = SectionRecord(number, mark.printed, level, mark.number.sort_key)
        self._read_text(record, [text for _, text in lines])
        record.lines = spans_of([line for line, text in lines if line == mark.line or text.strip()])
        if copy > 1:
            self._keep_second(record, mark, copy)
        else:
            self._check_order(mark)
        record.parent = self._parent_of(mark)
        self._enter(record, mark, is_copy=copy > 1)
        return record

    def _read_text(self, record: SectionRecord, texts: Sequence[str]) -> None:
        body, record.examples = read_body(texts, self._width, self._names, display_width(record.printed) + 1)
        first, _, rest = body.partition("\n")
        is_heading = record.level in (Level.PART, Level.CHAPTER)
        is_title = rest and len(first) <= _TITLE_LENGTH and not ends_sentence(first) and first[-1] not in "：:"
        record.title, record.body = (first, rest) if is_heading or is_title else ("", body)
        if not body and not record.examples:
            self._warn("empty_section", f"{record.printed} に本文がありません。", record)

    def _keep_second(self, record: SectionRecord, mark: Mark, copy: int) -> None:
        record.number = f"{mark.number}~{copy}"
        place = self._last.sort_key if self._last else ""
        if mark.number.rule and self._last is not None and not self._last.rule:
            place += "0000."
        record.sort_key = f"{place}~{mark.number.sort_key}{copy:04d}."
        self._warn("duplicate_number", f"番号 {mark.number} が重複しています。", mark)

    def _check_order(self, mark: Mark) -> None:
        number, last = mark.number, self._last
        if mark.is_part or not self._in_order or last is None:
            return
        if self._is_misplaced(mark):
            place = self._chapter[0]
            self._warn("misplaced_number", f"番号 {number} が {place} の章の中に書かれています。", mark)
        elif mark.order < Mark(last, "", 0, 0, 0, "").order:
            self._warn("number_backwards", f"番号が {last} から {number} に戻っています。", mark)
        elif not self._is_expected(number, last):
            self._warn("number_jump", f"番号が {last} から {number} に飛んでいます。", mark)

    def _is_misplaced(self, mark: Mark) -> bool:
        """A rule away from its chapter is misplaced when the document has that chapter elsewhere."""
        here = self._chapter[0]
        return bool(mark.number.rule and here) and mark.number.chapter != here and mark.number.chapter in self._chapters

    def _is_expected(self, number: RuleNumber, last: RuleNumber) -> bool:
        if not number.rule:
            step = int(number.chapter) - int(last.chapter)
            return step == 1 or (step > 0 and int(number.chapter) % 100 == 0)
        if number.chapter != last.chapter:
            return number.rule == "1" and not number.letter
        return is_next(last, number) and not (number.letter and number.rule != last.rule)

    def _parent_of(self, mark: Mark) -> str:
        if mark.is_part:
            return ""
        if not mark.number.rule:
            return self._part
        by_number = str(mark.number.parent)
        if not self._in_order:
            return by_number
        here = self._rule if mark.number.letter else self._chapter
        away = mark.number.chapter != self._chapter[0] and mark.number.chapter in self._chapters
        if here[0] == by_number or (away and here[1]):
            return here[1]
        return (self._chapter[1] or by_number) if away else by_number

    def _enter(self, record: SectionRecord, mark: Mark, is_copy: bool) -> None:
        """Note where the text stands now; what stands out of place does not move the place."""
        stray = self._in_order and (is_copy or self._is_misplaced(mark))
        if mark.is_part:
            self._part = record.number
        elif not mark.number.rule:
            self._chapter, self._rule = (str(mark.number), record.number), ("", "")
        elif not mark.number.letter:
            self._rule = (str(mark.number), record.number)
        if not mark.is_part and not stray:
            self._last = mark.number
        self.sections.append(record)

    def finish(self) -> None:
        """Give parts their place before their first chapter, and sort the sections."""
        for part, chapter in _first_chapters(self.sections):
            base = chapter.sort_key if chapter else f"{int(part.printed.rstrip('.．')) * 100:04d}."
            part.sort_key = base.removesuffix(".")
        self.sections.sort(key=lambda section: section.sort_key)

    def _warn(self, code: str, message: str, place: Mark | SectionRecord) -> None:
        line = place.line if isinstance(place, Mark) else (place.lines[0].first if place.lines else 0)
        self.warnings.append(ParseWarning(code, message, line))


def _level_of(mark: Mark) -> Level:
    if mark.is_part:
        return Level.PART
    if not mark.number.rule:
        return Level.CHAPTER
    return Level.SUBRULE if mark.number.letter else Level.RULE


def _first_chapters(sections: Sequence[SectionRecord]) -> Iterator[tuple[SectionRecord, SectionRecord | None]]:
    """Yield each part with the chapter printed first after it."""
    for index, part in enumerate(sections):
        if part.level is Level.PART:
            yield part, next((s for s in sections[index + 1 :] if s.level is Level.CHAPTER), None)

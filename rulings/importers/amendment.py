"""Read an announcement of changed rules: groups of dated wordings, and the numbers that end."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulings.importers.account import Ledger, spans_of
from rulings.importers.errors import ParseError
from rulings.importers.examples import starts_example
from rulings.importers.marks import Mark, column_of, find_marks
from rulings.importers.numbered import add_sections
from rulings.importers.records import Fate, Form, GroupRecord, ParsedDocument, ParseWarning, SectionRecord
from rulings.importers.sections import SectionBuilder
from rulings.text.dates import find_date
from rulings.text.numbers import parse_number
from rulings.text.rejoin import display_width, ends_sentence, spellings_of

_CHANGE = "追加|修正|変更|削除|廃止|改定|改訂|改正|更新|新設|整理|統合|訂正|統一|明確化|見直"
_ABOUT = "記載|項目|条項|条文|文言|表記|ルール|について|以下|下記|次の|に伴い|番号|誤字|裁定|[0-9０-９][.．][0-9０-９]"
_ANNOUNCES = re.compile(
    rf"(?=.*(?:{_ABOUT})).*(?:{_CHANGE}).{{0,6}}(?:しました|いたしました|致しました|されました|します|いたします|です|ました)"
    rf"|(?=.*(?:{_ABOUT}))[^。]*(?:{_CHANGE})[。：:]?$"
)
_NOTE_MARK = re.compile(r"[※■◆●▼【\s\u3000#]+")
_DELETES = re.compile(
    r"(?:項目|条項|条文|ルール|番号|以下|下記|次)(?:(?!記載|文言|表記|説明)[^。、]){0,14}(?:削除|廃止)"
    r"|[0-9０-９][.．][0-9０-９]+[a-zａ-ｚ]?[.．]?\s?(?:を|は)(?:削除|廃止)"
    r"|(?:削除|廃止)(?:された)?(?:項目|条項|ルール|番号)"
)
_DELETED_BODY = re.compile(r"[（(【［\[]?(?:項目)?(?:削除|廃止|欠番)(?:しました|されました|します)?[）)】］\]]?。?")
_NUMBER = re.compile(r"(?<![0-9.])[0-9]{1,4}\.[0-9]{1,3}[a-z]{0,2}(?![0-9a-z])")
_NO_CHANGE = re.compile(
    r"(?:変更|変化|変わ|影響)(?:(?!ない)[^。、]){0,12}?(?:ません|ない(?!と)|無い|なし|無し)(?!が|もの|とは|わけ|限り|で?は?ありません)"
)
_WORDING_ONLY = re.compile(
    r"(?:表記|文言|誤字|脱字|記載|言い回し)[^。、]{0,6}(?:のみ|だけ)[^。、]{0,6}(?:変更|修正|訂正)"
)
_DATE_LABEL = re.compile(r"掲載|公開|発表|更新|改定|改訂|施行|適用|告知|日付")
_CALL = re.compile(
    r"こちら|コチラ|お問い?合わせ|^(?:©|\(c\)|copyright)|(?:トップ|一覧|前のページ)(?:へ|に)|シェア", re.IGNORECASE
)
_LONGEST_TAIL = 20


@dataclass(slots=True)
class _Group:
    """A group being read: the lines of its introduction, and what it says of the numbers under it."""

    numbers: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    leads: bool = False  # sections follow

    def title(self) -> str:
        first = _NOTE_MARK.sub("", self.texts[0], count=1) if _NOTE_MARK.match(self.texts[0]) else self.texts[0]
        return "".join([first, *self.texts[1:]])

    def record(self) -> GroupRecord:
        return GroupRecord(self.title(), is_editorial(self.title()), spans_of(self.numbers))


def is_editorial(text: str) -> bool:
    """Tell whether an introduction says that no rule is changed in substance."""
    return _NO_CHANGE.search(text) is not None or _WORDING_ONLY.search(text) is not None


def parse_amendment(text: str) -> ParsedDocument:
    """Return the changed and ended sections of an announcement; ParseError when it names none."""
    lines = text.split("\n")
    marks = find_marks(lines)
    if not marks:
        raise ParseError("改定された条項の番号が見つかりません。")
    ledger = Ledger(lines)
    groups = _find_groups(lines, marks)
    for group in groups:
        for number in group.numbers:
            ledger.enter(number, Fate.SOURCE_NOTE, reason="改定の説明")
    doc = ParsedDocument(Form.AMENDMENT, is_complete=False)
    doc.warnings += [_lost_deletion(group) for group in groups if not group.leads and _DELETES.search(group.title())]
    groups = [group for group in groups if group.leads]
    _read_preamble(doc, lines, marks[0].line, ledger)
    _set_aside_closing(lines, marks[-1].line, ledger)
    doc.warnings += _long_tail(lines, marks[-1].line)
    _cut_deleted(lines, marks, groups, ledger)
    builder = SectionBuilder(marks, column_of(lines), spellings_of(lines), in_order=False)
    add_sections(builder, marks, lines, ledger)
    _apply_groups(builder.sections, groups)
    builder.finish()
    doc.groups, doc.sections = [group.record() for group in groups], builder.sections
    doc.account, unread = ledger.close()
    doc.warnings = sorted(doc.warnings + _relevant(builder) + unread, key=lambda warning: warning.line)
    return doc


def _find_groups(lines: Sequence[str], marks: Sequence[Mark]) -> list[_Group]:
    """An introduction is an announcing line before a section, with the free lines up to that section.

    Where one announcement follows another after a blank line, the first is about the whole document.
    """
    starts = {mark.line for mark in marks}
    groups: list[_Group] = []
    pending: _Group | None = None
    for number, text in _nonblank(lines):
        after_blank = number == 1 or not lines[number - 2].strip()
        if number in starts:
            if pending:
                pending.leads = True
            pending = None
        elif _announces(text, after_blank) and (pending is None or (after_blank and not text.startswith("※"))):
            pending = _Group([number], [text])
            groups.append(pending)
        elif pending and not _is_date_line(text):
            pending.numbers.append(number)
            pending.texts.append(text)
    return groups


def _lost_deletion(group: _Group) -> ParseWarning:
    message = f"削除の告知に条項の文がありません。手で確かめてください：{group.title()[:60]}"
    return ParseWarning("deletion_without_text", message, group.numbers[0])


def announces(lines: Sequence[str], marks: Sequence[Mark]) -> bool:
    """Tell whether a document announces changes to the sections it gives."""
    return any(group.leads for group in _find_groups(lines, marks))


def _announces(text: str, after_blank: bool) -> bool:
    """Tell whether a line announces a change; the text of a rule may speak of changes too, but goes on."""
    if len(text) > 400 or starts_example(text) or _is_date_line(text) or not _ANNOUNCES.search(text):
        return False
    return after_blank or _NOTE_MARK.match(text) is not None or "ました" in text


def _nonblank(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    return ((number, line.strip()) for number, line in enumerate(lines, 1) if line.strip())


def _is_date_line(text: str) -> bool:
    return len(text) < 40 and find_date(text) is not None and (len(text) < 16 or _DATE_LABEL.search(text) is not None)


def _read_preamble(doc: ParsedDocument, lines: Sequence[str], end: int, ledger: Ledger) -> None:
    """Read the date and the title before the first section; a labelled date goes before any other."""
    head = [(number, text[:400]) for number, text in _nonblank(lines[: end - 1])]
    dates = [(not _DATE_LABEL.search(text), number, found) for number, text in head if (found := find_date(text))]
    doc.published = min(dates)[2] if dates else None
    for number, text in head:
        if ledger.is_open(number):
            if not doc.title and not _is_date_line(text):
                doc.title = _NOTE_MARK.sub("", text, count=1) if _NOTE_MARK.match(text) else text
            ledger.enter(number, Fate.SOURCE_NOTE, reason="文書の表題・日付・注記")
    if doc.published is None:
        doc.warnings.append(ParseWarning("no_date", "掲載日が見つかりません。"))


def _set_aside_closing(lines: Sequence[str], last: int, ledger: Ledger) -> None:
    """After the last section, a note after a blank line is about the document, a call to action no content."""
    blank = False
    noted = False
    for number, line in enumerate(lines[last:], last + 1):
        text = line.strip()
        if text and blank and (text.startswith("※") or _announces(text, blank)):
            noted = True
        if text and len(text) < 200 and _CALL.search(unicodedata.normalize("NFKC", text)) and (blank or noted):
            ledger.enter(number, Fate.NOT_CONTENT, reason="案内")
        elif text and noted:
            ledger.enter(number, Fate.SOURCE_NOTE, reason="文書の注記")
        blank = blank or not text


def _long_tail(lines: Sequence[str], last: int) -> Iterator[ParseWarning]:
    """Warn of more text after the last section than a section has: another document may be glued to this one."""
    after = [number for number, _text in _nonblank(lines) if number > last]
    if len(after) > _LONGEST_TAIL:
        message = f"最後の条項のあとに{len(after)}行の文章があります。別の文書が続いていないか確認してください。"
        yield ParseWarning("long_tail", message, after[0])


def _cut_deleted(lines: Sequence[str], marks: Sequence[Mark], groups: Sequence[_Group], ledger: Ledger) -> None:
    """Leave to a rule that ends one paragraph and its examples: what stands behind is kept nowhere else, so unread."""
    width = column_of(lines)
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        rest = lines[mark.line - 1][mark.after :]
        above = [group for group in groups if group.numbers[0] < mark.line]
        if not (above and _DELETES.search(above[-1].title())) and not _DELETED_BODY.fullmatch(rest.strip()):
            continue
        goes_on = not _ends_paragraph(lines[mark.line - 1], width)
        for number in range(mark.line + 1, following.line if following else len(lines) + 1):
            line = lines[number - 1]
            goes_on = bool(line.strip()) and (goes_on or starts_example(line))
            if not goes_on and not starts_example(line) and ledger.is_open(number):
                ledger.enter(number, Fate.UNREAD, reason="削除された条項の文に続く、別の行")
            goes_on = goes_on and not _ends_paragraph(line, width)


def _ends_paragraph(line: str, width: int) -> bool:
    """Whether a line ends with a sentence short of the column (`width` 0: none is known)."""
    return ends_sentence(line.strip()) and (not width or display_width(line.rstrip()) < 0.8 * width)


def _apply_groups(sections: Sequence[SectionRecord], groups: Sequence[_Group]) -> None:
    """Give each section the group above it, and what that group says of its end."""
    at = -1
    for section in sections:
        first = section.lines[0].first
        while at + 1 < len(groups) and groups[at + 1].numbers[0] < first:
            at += 1
        if at >= 0:
            section.group = at
            section.deleted = _DELETES.search(groups[at].title()) is not None
        if _DELETED_BODY.fullmatch(section.body[:20]):
            section.deleted, section.body = True, ""
        if section.deleted and at >= 0:
            section.successor = _successor_in(groups[at].title(), section.number)


def _successor_in(note: str, own: str) -> str:
    """Return the one other number that a note on a deletion names."""
    named = [parse_number(match.group()) for match in _NUMBER.finditer(unicodedata.normalize("NFKC", note).lower())]
    others = {str(number) for number in named if number is not None} - {own}
    return others.pop() if len(others) == 1 else ""


def _relevant(builder: SectionBuilder) -> list[ParseWarning]:
    """A deleted number may stand without a text."""
    silent = {section.lines[0].first for section in builder.sections if section.deleted and section.lines}
    return [w for w in builder.warnings if not (w.code == "empty_section" and w.line in silent)]

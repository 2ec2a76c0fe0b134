"""Lists of dated wordings of rules: what a rule said from a day on, and what happened to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rulings.importers.records import Level, Lines, ParseWarning, SectionRecord
from rulings.importers.script import refuse_foreign
from rulings.importers.tables import BadRowError, Columns, Row, read_rows, read_table
from rulings.text.dates import find_date
from rulings.text.links import is_web_address
from rulings.text.numbers import parse_number
from rulings.text.slugs import is_slug

WORDING_COLUMNS: Mapping[str, Sequence[str]] = {
    "number": ("number", "rule", "番号", "条番号", "ルール", "条項"),
    "text": ("text", "body", "本文", "文面", "条文"),
    "title": ("title", "heading", "見出し"),
    "date": ("date", "effective_on", "effective", "施行日", "日付", "公開日"),
    "event": ("event", "出来事", "種類"),
    "note": ("note", "change_note", "what", "変更点", "変更内容", "備考"),
    "url": ("url", "URL", "link", "リンク"),
}
_ENDED = {"deleted", "delete", "ended", "削除", "廃止", "終了"}
_HELD = {"", "added", "edited", "moved", "new", "changed", "追加", "新設", "新規", "変更", "改定", "移動"}
_LONGEST_NUMBER = 120


@dataclass(slots=True)
class WordingRecord:
    """One dated wording, or the end of a rule (`section.deleted`)."""

    section: SectionRecord
    on: date
    note: str = ""  # what happened, as the list says it
    url: str = ""


def parse_wordings(text: str, mapping: Mapping[str, str]) -> tuple[list[WordingRecord], list[ParseWarning]]:
    """Read a list (CSV, JSON, JSON lines) of dated wordings, the oldest first; of two of one day the last counts.

    `mapping` says which column holds a field where its name does not tell. Raise ParseError when it is no such list.
    """
    columns = Columns(WORDING_COLUMNS, mapping)
    table = read_table(text, columns, "number")
    warnings: list[ParseWarning] = []
    records = read_rows(table, lambda row: _wording(row, columns, warnings))
    said = "".join(record.section.title + record.section.body for record in records)
    if said or not records:  # ends alone say nothing
        refuse_foreign(said)
    distinct: dict[tuple[date, str], WordingRecord] = {}
    for record in records:
        key = record.on, record.section.number
        if key in distinct:
            message = f"{record.on.isoformat()}の {record.section.number} が重複しています。後のものを使います。"
            warnings.append(ParseWarning("duplicate_wording", message, record.section.lines[0].first))
        distinct[key] = record
    ordered = sorted(distinct.values(), key=lambda record: (record.on, record.section.sort_key))
    return ordered, sorted([*table.warnings, *warnings], key=lambda warning: warning.line)


def _wording(row: Row, columns: Columns, warnings: list[ParseWarning]) -> WordingRecord:
    written = columns.text(row.cells, "number", _LONGEST_NUMBER)
    body, title = columns.text(row.cells, "text"), columns.text(row.cells, "title")
    event = columns.text(row.cells, "event").lower()
    if event not in _ENDED | _HELD:
        warnings.append(ParseWarning("unknown_event", f"出来事「{event[:40]}」を読み取れません。", row.first))
    is_end = event in _ENDED
    if not is_end and not (body or title):
        raise BadRowError("文面がありません。")
    url = columns.text(row.cells, "url")
    if url and not is_web_address(url):
        warnings.append(ParseWarning("bad_url", f"「{url[:40]}」はウェブページのURLではありません。", row.first))
        url = ""
    section = _section(written, row)
    section.title, section.body, section.deleted = title, body, is_end
    return WordingRecord(section, _date(columns.text(row.cells, "date")), columns.text(row.cells, "note"), url)


def _date(written: str) -> date:
    found = find_date(written)
    if found is None:
        raise BadRowError(f"日付「{written[:40]}」を読み取れません。" if written else "日付がありません。")
    return found


def _section(written: str, row: Row) -> SectionRecord:
    number = parse_number(written)
    if number is None and not is_slug(written):
        raise BadRowError(f"番号「{written[:40]}」を読み取れません。" if written else "番号がありません。")
    level = Level.ITEM
    if number is not None:
        level = Level.SUBRULE if number.letter else Level.RULE if number.rule else Level.CHAPTER
    return SectionRecord(
        number=str(number or written),
        printed=written,
        level=level,
        sort_key=number.sort_key if number else written,
        parent=str(number.parent) if number and number.parent else "",
        lines=[Lines(row.first, row.last)],
    )

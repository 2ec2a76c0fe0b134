"""Rows out of CSV, JSON or JSON lines, recognised by content; a row that cannot be read becomes a warning."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from rulings.importers.errors import ParseError
from rulings.importers.records import ParseWarning

_T = TypeVar("_T")


# What no database column holds: half of a character, and the character that ends a text.
_UNSTORABLE = re.compile(r"[\ud800-\udfff]|\\u0000")


class BadRowError(ValueError):
    """A row that says too little or the wrong thing; the message is Japanese."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row and the lines of the file that it was read from."""

    first: int
    last: int
    cells: Mapping[str, object]


@dataclass(slots=True)
class Table:
    """The rows that could be read, and warnings about those that could not."""

    rows: list[Row] = field(default_factory=list)
    warnings: list[ParseWarning] = field(default_factory=list)

    def warn(self, line: int, message: str) -> None:
        self.warnings.append(ParseWarning("bad_row", message, line))

    def add_value(self, first: int, last: int, value: object) -> None:
        """Add a JSON value, which should be an object."""
        if not isinstance(value, dict):
            self.warn(first, "行がオブジェクトではありません。")
        elif _UNSTORABLE.search(json.dumps(value, ensure_ascii=False).replace("\\\\", "")):
            self.warn(first, "壊れた文字を含むため読み取れません。")
        else:
            self.rows.append(Row(first, last, value))


class Columns:
    """Which column holds which field: the caller's mapping first, else the names that are known for it."""

    def __init__(self, known: Mapping[str, Sequence[str]], mapping: Mapping[str, str]) -> None:
        unknown = sorted(set(mapping) - set(known))
        if unknown:
            raise ParseError(f"項目「{'、'.join(unknown)}」はありません。使える項目：{'、'.join(known)}")
        self._names = {name: (mapping[name],) if name in mapping else tuple(known[name]) for name in known}

    def value(self, cells: Mapping[str, object], name: str) -> object:
        """The first of the field's columns that holds something."""
        for column in self._names[name]:
            if cells.get(column) not in (None, ""):
                return cells[column]
        return None

    def text(self, cells: Mapping[str, object], name: str, limit: int | None = None) -> str:
        """The field as text; BadRowError when the column holds a list, an object, or more than `limit` characters."""
        value = self.value(cells, name)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise BadRowError(f"「{name}」が文字列ではありません。")
        text = str(value).replace("\r\n", "\n").strip()
        if limit is not None and len(text) > limit:
            raise BadRowError(f"「{name}」が長すぎます（{limit}文字まで）。")
        return text

    def knows(self, cells: Iterable[str], name: str) -> bool:
        return any(column in cells for column in self._names[name])


def read_table(text: str, columns: Columns, key: str) -> Table:
    """Read the rows of `text`; `key` is the field without which no row makes sense."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    opening = text.lstrip()[:1]
    table = _read_json(text, columns, key) if opening in ("[", "{") else _read_csv(text, columns, key)
    if not table.rows:
        raise ParseError(table.warnings[0].message if table.warnings else "読み取れる行がありません。")
    return table


def read_rows(table: Table, read: Callable[[Row], _T]) -> list[_T]:
    """Make a record of every row; ParseError when none makes one."""
    records: list[_T] = []
    for row in table.rows:
        try:
            records.append(read(row))
        except BadRowError as error:
            table.warn(row.first, str(error))
    if not records:
        raise ParseError(f"読み取れる行がありません。{table.warnings[0].message}")
    table.warnings.sort(key=lambda warning: warning.line)
    return records


def _no_constant(name: str) -> object:
    raise ValueError(name)  # NaN and Infinity are no JSON


_JSON = json.JSONDecoder(parse_constant=_no_constant)


def _read_json(text: str, columns: Columns, key: str) -> Table:
    start = len(text) - len(text.lstrip())
    if text[start] == "[":
        return _read_array(text, start, is_whole=True)
    try:
        whole = _JSON.decode(text)
    except (ValueError, RecursionError) as error:
        if _are_json_lines(text):
            return _read_json_lines(text)
        raise _broken(text, start, error) from error
    lists = [name for name, value in whole.items() if isinstance(value, list)]
    if len(lists) == 1 and not columns.knows(whole, key):
        # The object is only a wrapping: find where its array begins, to tell the lines of the rows.
        name = re.escape(json.dumps(lists[0], ensure_ascii=False))
        match = re.search(rf"{name}\s*:\s*\[", text)
        if match is not None:
            return _read_array(text, match.end() - 1)
    table = Table()
    for value in whole[lists[0]] if len(lists) == 1 and not columns.knows(whole, key) else [whole]:
        table.add_value(1, 1, value)
    return table


def _broken(text: str, at: int, error: Exception) -> ParseError:
    """The error for JSON that breaks off: nothing of it can be trusted to be whole. `at`: where reading began."""
    where = error.pos if isinstance(error, json.JSONDecodeError) else at
    line = text.count("\n", 0, min(where, len(text.rstrip()))) + 1
    return ParseError(f"{line}行目でJSONの書き方が正しくなくなります。途中で切れていないか確認してください。")


def _are_json_lines(text: str) -> bool:
    """Whether the lines are objects of their own, most of them readable: a broken one then spoils no other."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if lines[0][-1] in "[{,":
        return False
    return sum(_is_object(line) for line in lines) * 2 >= len(lines)


def _is_object(line: str) -> bool:
    try:
        return isinstance(_JSON.decode(line), dict)
    except (ValueError, RecursionError):
        return False


def _read_array(text: str, start: int, is_whole: bool = False) -> Table:
    """Read the values of an array one by one, so that each knows its lines; ParseError when it breaks off.

    `is_whole`: nothing may stand behind it.
    """
    table = Table()
    at, line = start + 1, text.count("\n", 0, start + 1) + 1
    while (match := re.compile(r"[\s,]*").match(text, at)) is not None:
        line += text.count("\n", at, match.end())
        at = match.end()
        if at < len(text) and text[at] == "]":
            if is_whole and (behind := text[at + 1 :].lstrip()):
                raise _broken(text, len(text) - len(behind), ValueError())
            break
        try:
            value, end = _JSON.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise _broken(text, at, error) from error
        last = line + text.count("\n", at, end)
        table.add_value(line, last, value)
        at, line = end, last
    return table


def _read_json_lines(text: str) -> Table:
    table = Table()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = _JSON.decode(line)
        except (ValueError, RecursionError):
            table.warn(number, "JSONとして読み取れません。")
        else:
            table.add_value(number, number, value)
    return table


def _read_csv(text: str, columns: Columns, key: str) -> Table:
    delimiter = _delimiter(text, columns, key)
    table = Table()
    header: list[str] = []
    for first, last, cells in _csv_rows(text, delimiter, table):
        if not header:
            header = [cell.strip() for cell in cells]
            if not columns.knows(header, key):
                raise ParseError(f"見出しの行に「{key}」に当たる列がありません。列：{'、'.join(header)[:200]}")
        elif len(cells) > len(header):
            table.warn(first, f"列が見出しより多くあります（{len(cells)}列）。")
        else:
            table.rows.append(Row(first, last, dict(zip(header, cells, strict=False))))
    return table


def _csv_rows(text: str, delimiter: str, table: Table) -> Iterator[tuple[int, int, list[str]]]:
    """The rows that are not blank, with the lines they were read from."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    last = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            table.warn(last + 1, "CSVとして読み取れません。")
            last = max(last + 1, reader.line_num)
            continue
        first, last = last + 1, reader.line_num
        if any(cell.strip() for cell in cells):
            yield first, last, cells


def _delimiter(text: str, columns: Columns, key: str) -> str:
    """The separator that parts the header into the most columns, the key's among them."""
    header = next((line for line in text.split("\n") if line.strip()), "")

    def merit(delimiter: str) -> tuple[bool, int]:
        cells = [cell.strip().strip('"') for cell in header.split(delimiter)]
        return columns.knows(cells, key), len(cells)

    return max(",\t;", key=merit)

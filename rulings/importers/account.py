"""What became of every line: the ledger that parsers keep, and the check that nothing was dropped."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from rulings.importers.records import Fate, LineAccount, Lines, ParsedDocument, ParseWarning

_UNREAD_REASON = "読み取れなかった行"
_T = TypeVar("_T", int, str)


class Ledger:
    """Keeps one account per non-blank line; what is never entered counts as unread."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._pending = {number for number, line in enumerate(lines, 1) if line.strip()}
        self._entries: dict[int, LineAccount] = {}

    def enter(self, line: int, fate: Fate, key: str = "", reason: str = "") -> None:
        """Account for a line; a second key on the same line joins the first. Blank lines are ignored."""
        if line not in self._pending:
            return
        keys: tuple[str, ...] = (key,) if key else ()
        entry = self._entries.get(line)
        if entry is not None and entry.keys and keys:
            fate = fate if fate is entry.fate else Fate.ENTRY
            keys = entry.keys if key in entry.keys else (*entry.keys, key)
        self._entries[line] = LineAccount(line, fate, keys, reason)

    def is_open(self, line: int) -> bool:
        """Tell whether a non-blank line has no account yet."""
        return line in self._pending and line not in self._entries

    def close(self) -> tuple[list[LineAccount], list[ParseWarning]]:
        """Return the accounts in the order of the lines, and a warning for each run of unread lines."""
        for line in self._pending - self._entries.keys():
            self._entries[line] = LineAccount(line, Fate.UNREAD, (), _UNREAD_REASON)
        account = [self._entries[line] for line in sorted(self._entries)]
        return account, _warnings_of(account)


def _warnings_of(account: Sequence[LineAccount]) -> list[ParseWarning]:
    warnings: list[ParseWarning] = []
    run: list[int] = []
    for entry in [*account, None]:
        if entry is not None and entry.fate is Fate.UNREAD:
            run.append(entry.line)
        elif run:
            span = f"{run[0]}行目" if len(run) == 1 else f"{run[0]}～{run[-1]}行目"
            warnings.append(ParseWarning("unread_lines", f"{span}を読み取れませんでした。", run[0]))
            run = []
    return warnings


def spans_of(numbers: Sequence[int]) -> list[Lines]:
    """Return the spans that ascending line numbers form."""
    spans: list[Lines] = []
    for number in numbers:
        if spans and number <= spans[-1].last + 1:
            spans[-1] = Lines(spans[-1].first, number)
        else:
            spans.append(Lines(number, number))
    return spans


def check_account(text: str, doc: ParsedDocument) -> list[str]:
    """Return what is wrong with the account of `doc`; an empty list when every line is accounted for."""
    lines = text.split("\n")
    wanted = [number for number, line in enumerate(lines, 1) if line.strip()]
    given = [entry.line for entry in doc.account]
    problems = [f"line {line} has no account" for line in sorted(set(wanted) - set(given))]
    problems += [f"line {line} is blank or absent but accounted" for line in sorted(set(given) - set(wanted))]
    problems += [f"line {line} is accounted more than once" for line in _repeated(given)]
    numbers = [section.number for section in doc.sections]
    problems += [f"section {number} occurs more than once" for number in _repeated(numbers)]
    return problems + _check_keys(doc, set(numbers)) + _check_spans(doc, len(lines))


def _repeated(values: Sequence[_T]) -> list[_T]:
    return [value for value, count in Counter(values).items() if count > 1]


def _check_keys(doc: ParsedDocument, numbers: set[str]) -> list[str]:
    keys = numbers | {f"faq:{index}" for index in range(1, len(doc.faqs) + 1)}
    problems: list[str] = []
    used: set[str] = set()
    for entry in doc.account:
        used.update(entry.keys)
        problems += [f"line {entry.line} names unknown {key}" for key in entry.keys if key not in keys]
        if (entry.fate in (Fate.ENTRY, Fate.HEADING)) != bool(entry.keys):
            problems.append(f"line {entry.line}: keys do not go with {entry.fate}")
        if not entry.keys and not entry.reason:
            problems.append(f"line {entry.line} gives no reason for {entry.fate}")
    return problems + [f"{key} has no line" for key in sorted(keys - used)]


def _check_spans(doc: ParsedDocument, total: int) -> list[str]:
    """A line's keys and the spans of the sections must tell the same."""
    problems: list[str] = []
    by_key: dict[str, set[int]] = {}
    for entry in doc.account:
        for key in entry.keys:
            by_key.setdefault(key, set()).add(entry.line)
    owners = [(section.number, section.lines) for section in doc.sections]
    owners += [(f"faq:{index}", faq.lines) for index, faq in enumerate(doc.faqs, 1)]
    for key, spans in owners:
        covered = {line for span in spans for line in range(max(span.first, 1), min(span.last, total) + 1)}
        if missing := by_key.get(key, set()) - covered:
            problems.append(f"{key}: lines {sorted(missing)[:5]} lie outside its spans")
        if any(not 1 <= span.first <= span.last <= total for span in spans):
            problems.append(f"{key}: a span lies outside the document")
    return problems

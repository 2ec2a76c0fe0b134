"""What the imports of lists (questions, cards, dated wordings) have in common."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from rulings.importers.records import Fate, ParseWarning
from rulings.models import Ruleset, Source
from rulings.services.changes import ChangeLog
from rulings.services.reports import ImportReport

# Told how many of how many records are done.
Progress = Callable[[int, int], None]
Line = dict[str, Any]  # JSON: what became of a line
Key = TypeVar("Key")  # what was read from a line


def begin(target: str, title: str, warnings: Iterable[ParseWarning], *, dry_run: bool) -> ImportReport:
    """The report of an import of a list, with what its reading warned of."""
    report = ImportReport(target=target, title=title, dry_run=dry_run)
    for warning in warnings:
        report.warn(warning.code, warning.message, warning.line)
    return report


def source_of(text: str, *, ruleset: Ruleset | None = None, form: str = "", **fields: Any) -> tuple[Source, bool]:
    """The source of a list: the one imported before with the same text, else a new one, and whether it is new."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    known = Source.objects.filter(sha256=digest, ruleset=ruleset, form=form).order_by("-pk").first()
    if known is not None:
        return known, False
    return Source.objects.create(ruleset=ruleset, sha256=digest, text=text, form=form, **fields), True


def account_of(
    text: str, keys: Mapping[int, Key], warned: Mapping[int, str], shown: Callable[[Key], Line]
) -> list[Line]:
    """What became of every non-blank line of a list; `keys`, `warned`: by line, what was read or why it was not."""
    account = []
    for line, content in enumerate(text.split("\n"), 1):
        if not content.strip():
            continue
        is_read = line in keys
        fate = Fate.ENTRY if is_read else Fate.UNREAD if line in warned else Fate.NOT_CONTENT
        row: Line = {"line": line, "fate": fate.value, "keys": [], "reason": "", "entries": []}
        row |= shown(keys[line]) if is_read else {"reason": warned.get(line, "一覧の枠（列の名前・括弧など）")}
        account.append(row)
    return account


def close(report: ImportReport, source: Source, changes: ChangeLog, *, is_new: bool) -> None:
    """Keep the account of the lines; record the changes. A list that changed nothing leaves no trace."""
    if is_new and not len(changes):
        source.delete()
    else:
        if report.account:
            source.account = report.account
            source.save(update_fields=["account"])
        report.source = None if report.dry_run else source.pk
    report.changes = len(changes.record(lambda message: report.warn("index_behind", message)))

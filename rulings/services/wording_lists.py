"""Import a list of dated wordings of rules: the past of a ruleset is filled in, day by day.

Which rule a wording belongs to is told by its text, for numbers are reused: each day is compared with what is known
after it, the newest first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from rulings.importers.decoding import decode
from rulings.importers.records import Form, SectionRecord
from rulings.importers.wordings import WordingRecord, parse_wordings
from rulings.models import Amendment, AmendmentGroup, Entry, Ruleset
from rulings.services import lists
from rulings.services.chains import Chain
from rulings.services.changes import ChangeLog
from rulings.services.context import Import, note_shared_numbers, object_to_losses
from rulings.services.due import settle
from rulings.services.finishing import finish
from rulings.services.questions import FaqWriter
from rulings.services.reports import ImportReport
from rulings.services.sections import SectionWriter
from rulings.services.wordings import Wording, begin_of, end_of
from rulings.text.fold import fold_key


class WordingWriter(SectionWriter):
    """Writes the wordings of one day; they end nothing but what they say has ended."""

    @property
    def compares(self) -> bool:
        return True

    def _match(self) -> dict[str, Entry]:
        """A number that is borne then says which rule is meant; the text says it where nobody bears the number."""
        found = super()._match()
        for record in self.records:
            bearer = self._bearer(record.number)
            if bearer is None or found.get(record.number) == bearer:
                continue
            elsewhere = [number for number, entry in found.items() if entry == bearer and number != record.number]
            if not elsewhere or record.deleted:  # else it moves away on this very day
                for number in elsewhere:
                    del found[number]
                found[record.number] = bearer
        return found

    def _bearer(self, number: str) -> Entry | None:
        """The rule that bears a number on the day or, before the next full text, after it: the first that does."""
        first, end = self.job.on or date.min, self.job.until or date.max
        borne = [
            (begin_of(wording), entry.pk, entry)
            for entry in self.known
            for wording in self.job.chains[entry].texts
            if wording.number == number and begin_of(wording) < end and end_of(wording) > first
        ]
        return min(borne)[2] if borne else None

    def _keep_numbers(self, found: dict[str, Entry], compared: set[int]) -> None:
        """A list takes no number away from a rule: see `_match`."""

    def _as_known(self, chain: Chain, wording: Wording) -> Wording:
        """A list gives no examples, and often no heading: what it does not say is no change."""
        known = chain.wording(self.job.on)
        if known is None or not known.is_text:
            return wording
        said, told = fold_key(wording.title + wording.body), fold_key(known.title + known.body)
        if said in (told, fold_key(known.body)):
            return replace(wording, title=known.title, body=known.body, examples=known.examples)
        return replace(wording, title=wording.title or (known.title if known.body else ""))


def import_wordings(
    ruleset: Ruleset,
    data: bytes,
    mapping: Mapping[str, str] | None = None,
    *,
    title: str = "",
    url: str = "",
    publisher: str = "",
    dry_run: bool = False,
    editor: AbstractBaseUser | None = None,
) -> ImportReport:
    """Read a list (CSV, JSON, JSON lines) of dated wordings of rules into `ruleset`, in one transaction.

    Each day becomes an amendment, grouped by what the list says that happened. A wording holds until the next one
    that is known. Raise DecodeError or ParseError, with nothing stored, when it cannot be read;
    ImportRefusedError when two rules would bear one number at one time.
    """
    text = decode(data).text
    records, warnings = parse_wordings(text, mapping or {})
    title = title or f"{ruleset.name} 日付のある文面の一覧"
    report = lists.begin(ruleset.slug, title, warnings, dry_run=dry_run)
    settle()
    with transaction.atomic():
        Ruleset.objects.select_for_update().get(pk=ruleset.pk)
        # What amends a rule book is of the book's line of documents.
        form = Form.AMENDMENT.value
        source, is_new = lists.source_of(text, ruleset=ruleset, form=form, title=title, url=url, publisher=publisher)
        report.already_imported = not is_new
        changes, keys = ChangeLog(), dict[int, int]()
        for on, rows in reversed([(on, list(rows)) for on, rows in groupby(records, key=lambda record: record.on)]):
            job = Import(ruleset, source, on, report, editor=editor, changes=changes)
            _write_day(job, rows, keys)
        report.account = _account(report, text, keys, changes)
        lists.close(report, source, changes, is_new=is_new)
        if dry_run:
            transaction.set_rollback(True)
    return report


def _write_day(job: Import, rows: Sequence[WordingRecord], keys: dict[int, int]) -> None:
    """Write the wordings of a day; `keys` takes the entry of each line of the list."""
    on = job.on
    if on is None:
        raise ValueError("a dated wording has a date")
    complete = Amendment.objects.filter(ruleset=job.ruleset, is_complete=True, effective_on__gt=on)
    job.until = complete.order_by("effective_on").values_list("effective_on", flat=True).first()
    job.amendment = Amendment.objects.create(
        ruleset=job.ruleset, source=job.source, title=_title(job.ruleset, on), announced_on=on, effective_on=on
    )
    notes = list(dict.fromkeys(row.note for row in rows))
    job.groups = AmendmentGroup.objects.bulk_create(
        AmendmentGroup(amendment=job.amendment, position=at, title=note) for at, note in enumerate(notes)
    )
    for row in rows:
        row.section.group = notes.index(row.note)
    records: list[SectionRecord] = [row.section for row in rows]
    known = set(Entry.objects.filter(ruleset=job.ruleset).values_list("pk", flat=True))
    writer = WordingWriter(job, records, known, is_complete=False)
    writer.write()
    note_shared_numbers(job, writer.all_sections)
    object_to_losses(job, allow_ending=True)
    job.written = job.chains.save()
    finish(job, listed=FaqWriter(job, [], set(), is_complete=False))
    for record in records:
        for span in record.lines:
            keys.update(dict.fromkeys(range(span.first, span.last + 1), writer.by_key[record.number].pk))
    if not job.amendment.revisions.exists():
        job.amendment.groups.all().delete()
        job.amendment.delete()


def _title(ruleset: Ruleset, on: date) -> str:
    return f"{ruleset.name} {on.year}年{on.month}月{on.day}日の改定"


def _account(report: ImportReport, text: str, keys: Mapping[int, int], changes: ChangeLog) -> list[lists.Line]:
    warned = {warning["line"]: warning["message"] for warning in report.warnings if warning["code"] == "bad_row"}

    def shown(entry: int) -> lists.Line:
        return {"entries": [] if report.dry_run and entry in changes.new_entries else [entry]}

    return lists.account_of(text, keys, warned, shown)

"""Import a document: everything it changes, in one transaction, or nothing."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from rulings.importers import parse
from rulings.importers.decoding import decode
from rulings.importers.records import Form, ParsedDocument
from rulings.models import Amendment, AmendmentGroup, Entry, Ruleset, Source
from rulings.services.context import (
    Import,
    entries_by_source,
    note_shared_numbers,
    object_to_losses,
    sources_in_line,
)
from rulings.services.due import settle
from rulings.services.finishing import finish
from rulings.services.other_rulesets import warn_of_other_ruleset
from rulings.services.questions import FaqWriter
from rulings.services.reports import ImportReport
from rulings.services.revisions import save_statuses, set_ended, set_not_announced
from rulings.services.sections import SectionWriter


def import_document(
    ruleset: Ruleset,
    data: bytes,
    *,
    form: Form | None = None,
    published: date | None = None,
    effective: date | None = None,
    title: str = "",
    url: str = "",
    publisher: str = "",
    dry_run: bool = False,
    allow_ending: bool = False,
    same: Mapping[str, str] | None = None,
    editor: AbstractBaseUser | None = None,
) -> ImportReport:
    """Read a document into `ruleset`; raise DecodeError or ParseError, with nothing stored, when it cannot be read.

    Raise ImportRefusedError, with nothing stored, when it would end most of what there is or empty rules, unless
    `allow_ending`; a dry run warns of it instead.

    `published`: overrides the date in the document. `effective`: from when it holds, else the date of publication;
    without any date it holds from the beginning – but when an earlier version of it is known, what it changes
    changes today. What a complete document leaves out has ended, if it came from the same line of documents (see
    `context.same_line`). A document older than what is known fills the past and ends nothing. `dry_run` does all
    of it and takes it back. `same`: for a full text, number in it → number known ("" for a new section), where the
    texts alone do not tell (`ImportReport.doubtful`).
    """
    decoded = decode(data)
    document = parse(decoded.text, form, decoded.headings)
    return import_parsed(
        ruleset,
        document,
        decoded.text,
        published=published,
        effective=effective,
        title=title,
        url=url,
        publisher=publisher,
        dry_run=dry_run,
        allow_ending=allow_ending,
        same=same,
        editor=editor,
    )


def import_parsed(
    ruleset: Ruleset,
    document: ParsedDocument,
    text: str,
    *,
    published: date | None = None,
    effective: date | None = None,
    title: str = "",
    url: str = "",
    publisher: str = "",
    dry_run: bool = False,
    allow_ending: bool = False,
    same: Mapping[str, str] | None = None,
    editor: AbstractBaseUser | None = None,
) -> ImportReport:
    """Store a document that has been read; `text` is what its line numbers count."""
    published = published or document.published
    source = Source(
        ruleset=ruleset,
        title=(title or _title_of(ruleset, document, published))[:300],
        publisher=publisher,
        url=url,
        form=document.form.value,
        published_on=published,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        text=text,
    )
    report = _report_on(document, source)
    report.dry_run = dry_run
    warn_of_other_ruleset(ruleset, document, text, report)
    settle()
    with transaction.atomic():
        Ruleset.objects.select_for_update().get(pk=ruleset.pk)  # one import of a ruleset at a time
        job = Import(ruleset, source, effective or published, report, editor=editor, same=same or {})
        _import(job, document)
        object_to_losses(job, allow_ending=allow_ending)
        if dry_run:
            transaction.set_rollback(True)
    return report


def _title_of(ruleset: Ruleset, document: ParsedDocument, published: date | None) -> str:
    named = " ".join(part for part in (document.title, document.version) if part)
    if named:
        return named
    day = f" {published.year}年{published.month}月{published.day}日" if published else ""
    return f"{ruleset.name}{day}{'の改定' if document.form is Form.AMENDMENT else ''}"


def _report_on(document: ParsedDocument, source: Source) -> ImportReport:
    report = ImportReport(
        target=source.ruleset.slug if source.ruleset else "",
        title=source.title,
        form=document.form.value,
        published=source.published_on,
    )
    for warning in document.warnings:
        report.warn(warning.code, warning.message, warning.line)
    return report


def _import(job: Import, document: ParsedDocument) -> None:
    earlier = sources_in_line(job.source)
    same = [source for source in earlier if source.sha256 == job.source.sha256]
    if same and _is_known(same[-1], earlier, job.on):
        _report_known(job.report, same[-1])
        return
    if job.on is None and earlier:
        job.on = job.today
        job.report.warn("undated_change", "文書に日付がないため、変更は取り込んだ日からのものとします。")
    job.report.effective = job.on
    if job.is_ahead:
        job.report.warn("not_yet_effective", f"{job.on}に施行される文書です。その日までは予告として表示します。")
    job.until = _until(job, earlier)
    if same:
        job.source = same[-1]
    else:
        job.source.save()
    _open_amendment(job, document)
    in_line_sources = [*earlier, job.source]
    written = _write(job, document, in_line_sources)
    job.written = job.chains.save()
    finish(job, listed=written)
    _close(job, document)


def _is_known(same: Source, earlier: list[Source], on: date | None) -> bool:
    """Whether this text was the last to be imported for its day, or undated and the last of all."""
    if on is None:
        return same.pk == earlier[-1].pk
    last = Amendment.objects.filter(source__in=earlier, effective_on=on).order_by("pk").last()
    return last is not None and last.source_id == same.pk


def _report_known(report: ImportReport, same: Source) -> None:
    report.already_imported, report.account, report.source = True, same.account, same.pk
    amendment = same.amendments.order_by("-pk").first()
    report.effective = amendment.effective_on if amendment else None
    report.published = same.published_on


def _until(job: Import, earlier: Iterable[Source]) -> date | None:
    """When the next complete document of this line began to hold; None when the job's is the newest."""
    if job.on is None:
        return None
    complete = Amendment.objects.filter(source__in=list(earlier), is_complete=True, effective_on__gt=job.on)
    return complete.order_by("effective_on").values_list("effective_on", flat=True).first()


def _open_amendment(job: Import, document: ParsedDocument) -> None:
    job.amendment = Amendment.objects.create(
        ruleset=job.ruleset,
        source=job.source,
        title=job.source.title,
        announced_on=job.source.published_on,
        effective_on=job.on,
        is_complete=document.is_complete,
    )
    job.groups = AmendmentGroup.objects.bulk_create(
        AmendmentGroup(amendment=job.amendment, position=at, title=group.title, is_editorial=group.is_editorial)
        for at, group in enumerate(document.groups)
    )


def _write(job: Import, document: ParsedDocument, line: list[Source]) -> FaqWriter:
    entries = list(Entry.objects.filter(ruleset=job.ruleset).only("pk", "source", "status"))
    in_line = entries_by_source(entries, line)
    job.losses.live = sum(entry.pk in in_line and entry.is_live for entry in entries)
    sections = SectionWriter(job, document.sections, in_line, document.is_complete)
    sections.write()
    faqs = FaqWriter(job, document.faqs, in_line, document.is_complete)
    faqs.write(sections.by_key)
    if document.is_complete and job.until is None:
        job.report.sections.ended += _end(job, sections.leftovers(), sections.ends)
        sections.restore_numbers()
        job.report.faqs.ended += _end(job, faqs.leftovers(), {})
    note_shared_numbers(job, sections.all_sections)
    return faqs


def _end(job: Import, leftovers: list[Entry], becomes: Mapping[int, tuple[str, Entry]]) -> int:
    """End live entries that the document no longer contains, unless something later is known of them.

    `becomes`: of those that go on in others, the reason and the first of these.
    """
    on = job.on or job.today
    gone: tuple[str, Entry | None] = f"「{job.source.title}」に載らなくなりました。", None
    ended = [
        entry
        for entry in leftovers
        if job.chains[entry].begins_by(on) and job.chains[entry].delete(on, **_gone(job, *becomes.get(entry.pk, gone)))
    ]
    if job.is_ahead:
        save_statuses([entry for entry in ended if set_not_announced(entry, job.chains[entry], gone[0])])
        job.changes.updated(*ended)
    else:
        for entry in ended:
            set_ended(entry, on, *becomes.get(entry.pk, gone))
        save_statuses(ended)
        job.changes.ended(*ended)
        job.touched_sections.update(entry.pk for entry in ended)
    job.losses.ended += len(ended)
    return len(ended)


def _gone(job: Import, reason: str, successor: Entry | None) -> dict[str, Any]:
    return job.facts([]) | {"reason": reason, "successor": successor}


def _close(job: Import, document: ParsedDocument) -> None:
    """Write the account with the entries it leads to; record the changes."""
    job.report.account = [
        {
            "line": line.line,
            "fate": line.fate.value,
            "keys": list(line.keys),
            "reason": line.reason,
            "entries": job.visible(line.keys),
        }
        for line in document.account
    ]
    if len(job.changes) or not _discard(job):
        job.source.account = job.report.account
        job.source.save(update_fields=["account"])
        job.report.source = None if job.report.dry_run else job.source.pk
    job.report.changes = len(job.changes.record(lambda message: job.report.warn("index_behind", message)))


def _discard(job: Import) -> bool:
    """Leave no trace of a document that changed nothing – unless it confirms the rules as of a new day."""
    amendment = job.amendment
    if amendment is None:
        return False
    sources = [source.pk for source in sources_in_line(job.source)] + [job.source.pk]
    others = Amendment.objects.filter(source__in=sources, effective_on=job.on).exclude(pk=amendment.pk)
    if job.on is not None and amendment.is_complete and not others.exists():
        return False
    amendment.groups.all().delete()
    amendment.delete()
    if not job.source.amendments.exists():
        job.source.delete()
    return True

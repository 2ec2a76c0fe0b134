"""Import a list of questions and answers."""

from collections.abc import Iterable, Mapping

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from rulings.importers.decoding import decode
from rulings.importers.lists import parse_faqs
from rulings.importers.records import FaqRecord
from rulings.models import Ruleset, Source
from rulings.services import lists
from rulings.services.context import Import, object_to_losses
from rulings.services.due import settle
from rulings.services.finishing import finish
from rulings.services.questions import FaqWriter
from rulings.services.reports import ImportReport
from rulings.services.revisions import save_statuses, set_ended
from rulings.text.fold import fold_key


def import_faqs(
    ruleset: Ruleset,
    data: bytes,
    mapping: Mapping[str, str] | None = None,
    *,
    title: str = "",
    url: str = "",
    publisher: str = "",
    complete: bool = False,
    dry_run: bool = False,
    allow_ending: bool = False,
    editor: AbstractBaseUser | None = None,
    progress: lists.Progress | None = None,
) -> ImportReport:
    """Read a list (CSV, JSON, JSON lines) of questions into `ruleset`, in one transaction.

    `mapping`: field → column of the list. What a list leaves out stays, unless it is said to be `complete`: then the
    answers of earlier lists of the ruleset that it lacks are withdrawn today (publishers remove answers without a
    word). Raise DecodeError or ParseError, with nothing stored, when it cannot be read; ImportRefusedError when a
    complete list would withdraw most answers, unless `allow_ending` (a dry run warns of it).
    """
    text = decode(data).text
    records, warnings = parse_faqs(text, mapping or {})
    title = title or f"{ruleset.name} よくある質問の一覧"
    report = lists.begin(ruleset.slug, title, warnings, dry_run=dry_run)
    records = list(_distinct(records, report))
    settle()
    with transaction.atomic():
        Ruleset.objects.select_for_update().get(pk=ruleset.pk)
        source, is_new = lists.source_of(text, title=title, url=url, publisher=publisher, ruleset=ruleset)
        report.already_imported = not is_new
        job = Import(ruleset, source, None, report, editor=editor)
        _write(job, records, progress, complete)
        object_to_losses(job, allow_ending=allow_ending)
        report.account = _account(job, records, text)
        lists.close(report, source, job.changes, is_new=is_new)
        if dry_run:
            transaction.set_rollback(True)
    return report


def _distinct(records: Iterable[FaqRecord], report: ImportReport) -> Iterable[FaqRecord]:
    """The records without repetitions: same official id, or same question and answer."""
    seen: set[str] = set()
    for record in records:
        key = record.official_id or fold_key(f"{record.question}\n{record.answer}")
        line = record.lines[0].first if record.lines else 0
        if key in seen:
            name = f"公式ID {record.official_id}" if record.official_id else f"質問「{record.question[:30]}」"
            report.warn("duplicate_faq", f"{name} が重複しています。二つ目以降は取り込みません。", line)
            continue
        seen.add(key)
        yield record


def _write(job: Import, records: list[FaqRecord], progress: lists.Progress | None, complete: bool) -> None:
    writer = FaqWriter(job, records, set(), is_complete=False)
    writer.write()
    if complete:
        _withdraw_missing(job, writer)
    job.written = job.chains.save()
    finish(job, listed=writer)
    if progress is not None:
        progress(len(records), len(records))


def _withdraw_missing(job: Import, writer: FaqWriter) -> None:
    """Withdraw, as of today, the published answers that a list said to be complete no longer has."""
    listed = {entry.pk for entry in writer.entries}
    missing = [
        entry for entry in writer.known if entry.pk not in listed and entry.is_live and _is_of_lists(entry.source)
    ]
    reason = f"{job.today.isoformat()}に取り込んだ「{job.source.title}」に載っていません。"
    for entry in missing:
        job.chains[entry].delete(job.today, reason=reason, source=job.source, editor=job.editor)
        set_ended(entry, job.today, reason)
    save_statuses(missing)
    job.changes.ended(*missing)
    job.report.faqs.ended += len(missing)
    of_lists = [entry for entry in writer.known if _is_of_lists(entry.source)]
    job.losses.live = len(missing) + sum(entry.is_live for entry in of_lists if entry.pk in listed)
    job.losses.ended += len(missing)


def _is_of_lists(source: Source | None) -> bool:
    """Whether an answer came from a list: those of documents are not in lists anyway."""
    return source is not None and not source.form


def _account(job: Import, records: list[FaqRecord], text: str) -> list[lists.Line]:
    """What became of every non-blank line of the list."""
    keys = {
        line: f"faq:{at}"
        for at, record in enumerate(records, 1)
        for span in record.lines
        for line in range(span.first, span.last + 1)
    }
    warned = {warning["line"]: warning["message"] for warning in job.report.warnings}
    return lists.account_of(text, keys, warned, lambda key: {"keys": [key], "entries": job.visible([key])})

"""What follows from new wordings and new cards: references, cards, interactions, doubts."""

from collections.abc import Collection, Iterable

from rulings.models import ChangeKind, CrossReference, Entry, Kind, Revision
from rulings.services.changes import ChangeLog
from rulings.services.context import Import
from rulings.services.contradictions import note_contradictions
from rulings.services.interactions import sync_interactions
from rulings.services.questions import FaqWriter
from rulings.services.references import refresh_cards, relink_revisions, resolve_pending, set_listed
from rulings.services.reports import ImportReport
from rulings.services.reviews import review_cited, review_citing
from rulings.services.revisions import latest_texts
from rulings.services.targets import Targets


def finish(job: Import, listed: FaqWriter) -> None:
    """Bring everything that hangs on the job's wordings in step with them."""
    report_happened(job)
    targets = Targets(job.ruleset.game)
    references = relink_revisions(job.written, targets)
    touched = {revision.entry_id for revision in job.written}
    # Before citations follow the numbers: a number that was reused names another rule from here on.
    doubtful = review_citing(job.touched_sections, job.changes, skip=touched)
    touched |= _link_listed(job, listed, targets)
    resolved = resolve_pending(ruleset=job.ruleset, targets=targets, changes=job.changes)
    count_references(job.report, references)
    job.report.references.resolved_later = len(resolved - touched)
    doubtful += review_cited({entry.pk for entry in listed.revised if entry.is_live}, job.changes, job.amendment)
    ended = job.changes.ids(ChangeKind.ENDED)
    follow_up(touched | resolved | ended | {entry.pk for entry in doubtful}, job.changes, job.report, job)
    report_doubts(doubtful, job.report)


def _link_listed(job: Import, faqs: FaqWriter, targets: Targets) -> set[int]:
    """What a list cites beside a question belongs to its newest wording."""
    pairs = [
        (entry.pk, record.rules_cited)
        for record, entry in zip(faqs.records, faqs.entries, strict=True)
        if record.rules_cited or not job.source.form  # a document says nothing beside its text
    ]
    latest = latest_texts(pk for pk, _cited in pairs)
    touched = set_listed({pk: (latest[pk], cited) for pk, cited in pairs if pk in latest}, targets)
    job.changes.updated_ids(touched)
    return touched


def follow_up(entry_ids: Collection[int], changes: ChangeLog, report: ImportReport, job: Import | None = None) -> None:
    """Let cards and interactions of the entries follow their latest wordings."""
    changes.updated_ids(refresh_cards(entry_ids))
    facts = {"amendment": job.amendment, "editor": job.editor} if job else {}
    report.interactions += sync_interactions(entry_ids, changes, **facts)
    report.contradictions += [
        {"older": pair.older_id, "newer": pair.newer_id, "kind": pair.kind, "reason": str(pair.get_kind_display())}
        for pair in note_contradictions(entry_ids, changes)
    ]


def count_references(report: ImportReport, references: Iterable[CrossReference]) -> None:
    """Count what the wordings written cite. (The references were resolved when they were found.)"""
    for reference in references:
        report.references.found += 1
        if reference.entry_id is None and reference.card_id is None:
            report.references.unresolved += 1
        else:
            report.references.resolved += 1


def report_happened(job: Import) -> None:
    """Tell of each section and question what its new wording, or its end, came after."""
    for revision in job.written:
        entry = revision.entry
        if entry.kind == Kind.INTERACTION:
            continue
        before = job.chains[entry].preceding(revision)
        job.report.happened.append(
            {
                "event": str(revision.event),
                "kind": str(entry.kind),
                "number": revision.number or entry.number or entry.official_id,
                "title": revision.title or (before.title if before else ""),
                "effective_on": revision.effective_on.isoformat() if revision.effective_on else None,
                "before_number": before.number if before else "",
                "before": before.whole_text if before else "",
                "text": revision.whole_text,
            }
        )


def report_doubts(doubtful: Collection[Entry], report: ImportReport) -> None:
    """Name the entries that now wait for a review."""
    wordings: dict[int, Revision] = latest_texts(entry.pk for entry in doubtful)
    for entry in doubtful:
        if entry.kind == Kind.INTERACTION:
            continue
        wording = wordings.get(entry.pk)
        title = wording.title or wording.body if wording else ""
        label = " ".join(part for part in (entry.number, entry.official_id, title[:40]) if part)
        report.needs_review.append({"id": entry.pk, "label": label, "reason": entry.status_reason})

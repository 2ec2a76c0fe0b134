"""What was announced takes effect on its day.

A revision of a day to come is saved with `due_on`. On that day – the first time anyone looks – its entry gets the
status, number and place that follow, what cites it becomes doubtful, and the change log says so. No clock runs.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby

from django.db import transaction
from django.utils import timezone

from rulings.models import LIVE, Entry, Event, Kind, Level, Revision, Ruleset, Status
from rulings.services.changes import ChangeLog
from rulings.services.finishing import follow_up
from rulings.services.references import resolve_pending
from rulings.services.reports import ImportReport
from rulings.services.reviews import review_citing
from rulings.services.revisions import STATUS_FIELDS, save_statuses, set_current, set_ended
from rulings.text.numbers import parse_number

logger = logging.getLogger(__name__)

_FIELDS = ["number", "printed_number", "level", "sort_key", "parent", "source", "lines", *STATUS_FIELDS]
_tried: date | None = None  # the day on which this process has looked last


def settle_once() -> None:
    """Let what is due take effect, once a day and process. A failure is logged; the site goes on."""
    global _tried  # noqa: PLW0603 - a day is all there is to remember
    today = timezone.localdate()
    if _tried == today:
        return
    _tried = today
    try:
        settle()
    except Exception:  # whatever is wrong with one announcement, the pages are still read
        logger.exception("今日施行される改定を反映できません。")


def settle() -> int:
    """Let every revision whose day has come take effect, day by day; return how many did."""
    today = timezone.localdate()
    if not Revision.objects.filter(due_on__lte=today).exists():
        return 0
    with transaction.atomic():
        list(Ruleset.objects.select_for_update().order_by("pk"))  # not beside an import
        due = Revision.objects.filter(due_on__lte=today).order_by("due_on", "pk")
        revisions = list(due.select_related("amendment", "successor"))
        for day, group in groupby(revisions, key=lambda revision: revision.due_on or today):
            _take_effect(day, list(group))
    return len(revisions)


def _take_effect(day: date, revisions: Sequence[Revision]) -> None:
    entries = {entry.pk: entry for entry in Entry.objects.filter(pk__in=[r.entry_id for r in revisions])}
    changes = ChangeLog()
    gone = [revision for revision in revisions if not revision.is_text]
    for revision in gone:
        _end(entries[revision.entry_id], revision, day, changes)
    save_statuses([entries[revision.entry_id] for revision in gone])
    texts = [revision for revision in revisions if revision.is_text]
    _free_numbers(texts, entries)
    for revision in texts:
        _hold(entries[revision.entry_id], revision, changes)
    Entry.objects.bulk_update([entries[r.entry_id] for r in texts], _FIELDS, batch_size=100)
    _place([entries[revision.entry_id] for revision in texts])
    Revision.objects.filter(pk__in=[revision.pk for revision in revisions]).update(due_on=None)
    _follow(revisions, entries.values(), changes)


def _end(entry: Entry, revision: Revision, day: date, changes: ChangeLog) -> None:
    if entry.status in (*LIVE, Status.ANNOUNCED):
        set_ended(entry, day, revision.reason or "告知のとおり、この日に終了しました。", revision.successor)
    changes.ended(entry)


def _free_numbers(texts: Iterable[Revision], entries: dict[int, Entry]) -> None:
    """Take their numbers from sections that move: others may stand there now."""
    moving = [entries[r.entry_id] for r in texts if r.number and r.number != entries[r.entry_id].number]
    for entry in moving:
        entry.number = f"~{entry.pk}"
    Entry.objects.bulk_update(moving, ["number"], batch_size=200)


def _hold(entry: Entry, revision: Revision, changes: ChangeLog) -> None:
    """Let the entry be what the revision says: its number, its place, without doubt."""
    number = parse_number(revision.number)
    if entry.number != revision.number and revision.number:
        entry.number = entry.printed_number = revision.number
        if number is not None:
            entry.sort_key, entry.parent = number.sort_key, None
            entry.level = Level.SUBRULE if number.letter else Level.RULE if number.rule else Level.CHAPTER
    if revision.source_id is not None:
        entry.source_id, entry.lines = revision.source_id, revision.lines
    set_current(entry)
    changes.updated(entry)


def _place(entries: Iterable[Entry]) -> None:
    """Put sections whose number changed under the section that their number names."""
    placed = []
    for entry in entries:
        number = parse_number(entry.number)
        if entry.kind == Kind.SECTION and entry.parent_id is None and number is not None and number.parent:
            above = Entry.objects.filter(ruleset=entry.ruleset_id).live().at_number(str(number.parent)).first()
            if above is not None and above.pk != entry.pk:
                entry.parent = above
                placed.append(entry)
    Entry.objects.bulk_update(placed, ["parent"], batch_size=200)


def _follow(revisions: Sequence[Revision], entries: Iterable[Entry], changes: ChangeLog) -> None:
    written = {revision.entry_id for revision in revisions}
    touched = {
        revision.entry_id
        for revision in revisions
        if not revision.is_text or (revision.event != Event.ADDED and not revision.is_editorial)
    }
    doubtful = {entry.pk for entry in review_citing(touched, changes, skip=written)}
    ids = written | doubtful
    for ruleset in Ruleset.objects.filter(pk__in={entry.ruleset_id for entry in entries}).select_related("game"):
        ids |= resolve_pending(ruleset=ruleset, changes=changes)
    follow_up(ids, changes, ImportReport(""))
    changes.record()

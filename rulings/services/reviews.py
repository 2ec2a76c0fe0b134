"""Entries that cite a rule which has changed since: they wait for a review."""

from collections.abc import Collection, Iterable
from datetime import date

from django.db.models import Q
from django.utils import timezone

from rulings.models import Amendment, CrossReference, Entry, Event, Kind, Revision, Status
from rulings.services.changes import ChangeLog
from rulings.services.revisions import latest_texts, save_statuses
from rulings.services.wordings import begin_of

_WHAT = {Event.EDITED: "変更", Event.MOVED: "移動", Event.DELETED: "削除"}


def review_citing(section_ids: Collection[int], changes: ChangeLog, skip: Collection[int] = ()) -> list[Entry]:
    """Mark entries that cite one of the sections, whose wording a document has just changed or ended.

    `skip`: entries that the same document has written, they are as new as the change.
    """
    citing = CrossReference.objects.filter(entry__in=section_ids).exclude(revision__entry__in=skip)
    return _review(citing, changes, undated_is_old=True)


def review_cited(entry_ids: Collection[int], changes: ChangeLog, amendment: Amendment | None = None) -> list[Entry]:
    """Mark those of the entries, just imported, that cite a rule which changed after their own date.

    `amendment`: the one they were imported with, whose changes they know.
    """
    citing = CrossReference.objects.filter(revision__entry__in=entry_ids)
    return _review(citing, changes, undated_is_old=False, known=amendment)


def _review(
    citing: Iterable[CrossReference], changes: ChangeLog, undated_is_old: bool, known: Amendment | None = None
) -> list[Entry]:
    references = [reference for reference in citing if reference.entry_id is not None]
    owners = Revision.objects.filter(pk__in={reference.revision_id for reference in references})
    latest = {r.pk: r for r in latest_texts(set(owners.values_list("entry_id", flat=True))).values()}
    events = _last_events({reference.entry_id for reference in references if reference.entry_id})
    reasons: dict[int, dict[str, Revision]] = {}
    for reference in references:
        wording, event = latest.get(reference.revision_id), events.get(reference.entry_id or 0)
        if wording is None or event is None or not _is_older(wording, event, undated_is_old):
            continue
        if event.entry_id != wording.entry_id and (known is None or event.amendment_id != known.pk):
            reasons.setdefault(wording.entry_id, {})[reason_of(event)] = event
    marked = []
    for entry in Entry.objects.filter(pk__in=list(reasons), status__in=[Status.CURRENT, Status.NEEDS_REVIEW]):
        if _mark(entry, reasons[entry.pk]):
            marked.append(entry)
    save_statuses(marked)
    changes.updated(*marked)
    return marked


def _last_events(section_ids: set[int]) -> dict[int, Revision]:
    """The newest change of substance of each section: not its first wording, not an editorial one."""
    found = Revision.objects.started_by(timezone.localdate())
    found = found.filter(entry__in=section_ids, entry__kind=Kind.SECTION, event__in=list(_WHAT))
    found = found.exclude(Q(is_editorial=True) & ~Q(event=Event.DELETED))
    events: dict[int, Revision] = {}
    for revision in found.select_related("entry__ruleset", "entry__superseded_by", "amendment").order_by("pk"):
        known = events.get(revision.entry_id)
        if known is None or begin_of(revision) >= begin_of(known):
            events[revision.entry_id] = revision
    return events


def _is_older(wording: Revision, event: Revision, undated_is_old: bool) -> bool:
    if wording.effective_on is None:
        return undated_is_old or event.event == Event.DELETED
    return wording.effective_on < begin_of(event)


def _mark(entry: Entry, reasons: dict[str, Revision]) -> bool:
    """Give the entry its status and reasons (not saved); whether anything is new."""
    known = entry.status_reason.split("\n") if entry.status == Status.NEEDS_REVIEW else []
    lines = list(dict.fromkeys([*known, *sorted(reasons)]))
    if lines == known:
        return False
    entry.status, entry.status_reason = Status.NEEDS_REVIEW, "\n".join(lines)
    days = [event.effective_on for event in reasons.values() if event.effective_on]
    entry.status_on = max(days) if days else None
    return True


def reason_of(event: Revision) -> str:
    """Why an entry that cites the changed section is in doubt, in Japanese."""
    section = event.entry
    day = _japanese(event.effective_on) if event.effective_on else "日付不明"
    amendment = f"（「{event.amendment.title}」）" if event.amendment else ""
    successor = section.superseded_by if event.event == Event.DELETED else None
    place = f"（{successor.number} に引き継がれました）" if successor else ""
    number = event.number or section.number
    if event.event == Event.MOVED and (old := _former_number(event)) not in ("", number):
        return f"引用している{section.ruleset.name} {old} が{day}に {number} へ移動しました{amendment}。"
    what = _WHAT[Event(event.event)]
    return f"引用している{section.ruleset.name} {number} が{day}に{what}されました{amendment}{place}。"


def _former_number(event: Revision) -> str:
    """The number of the section before it moved."""
    earlier = [one for one in event.entry.revisions.all() if one.chronology() < event.chronology() and one.is_text]
    return max(earlier, key=Revision.chronology).number if earlier else ""


def _japanese(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"

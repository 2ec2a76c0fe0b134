"""What the pages of sections, questions and interactions share."""

from dataclasses import dataclass
from datetime import date
from http import HTTPStatus

from django.utils import timezone

from rulings.models import Contradiction, Entry, Revision, Status

BACKLINKS = 60


@dataclass(frozen=True, slots=True)
class SourceLines:
    """The lines of a source that an entry was read from, in one or more stretches."""

    first: int
    last: int
    text: str


def source_lines(entry: Entry) -> list[SourceLines]:
    """The very lines of the source that the wording in force was read from."""
    wording = entry.wording
    source = wording.source if wording and wording.source else entry.source
    lines = (wording.lines if wording and wording.source else None) or entry.lines
    if source is None:
        return []
    return [SourceLines(first, last, "\n".join(source.lines(first, last))) for first, last in lines]


def entry_context(entry: Entry) -> dict[str, object]:
    """What the pages of all kinds of entries show."""
    wording = entry.wording
    citing = Entry.objects.with_status(None, entry.as_of).citing(entry, entry.as_of)
    backlinks = list(citing.in_book_order().for_display(entry.as_of)[:BACKLINKS])
    return {
        "entry": entry,
        "ruleset": entry.ruleset,
        "wording": wording,
        "source": wording.source if wording and wording.source else entry.source,
        "source_lines": source_lines(entry),
        "backlinks": backlinks,
        # What a format that is laid over this ruleset says about this very section.
        "overlay_notes": [other for other in backlinks if other.ruleset.base_id == entry.ruleset_id],
        "cites": _cited(entry, wording),
        "announced": entry.announced_wordings(),
        "retracted": entry.retracted_wordings() if wording is None else [],
        "today": timezone.localdate(),
        "listed": _listed(wording),
        "disagreeing": Contradiction.objects.by_entry().get(entry.pk, []) if entry.as_of is None else [],
    }


def status_of(entry: Entry) -> int:
    """The status of an entry's page: 410 for what was announced and taken back, and so never held; else 200.

    What held once keeps its page (a tombstone, 200): answers given under it must stay readable as what they were.
    """
    never_held = entry.as_of is None and entry.status == Status.WITHDRAWN and entry.wording is None
    return HTTPStatus.GONE if never_held and not entry.announced_wordings() else HTTPStatus.OK


def unknown_entry_on(entry: Entry) -> date | None:
    """When the first wording of an entry began, if the day as of which it is read lies before that and in the past."""
    if entry.as_of is None or entry.wording is not None or entry.as_of > timezone.localdate():
        return None
    first = entry.revisions.exclude(event="deleted").order_by("effective_on").first()
    return first.effective_on if first else None


def _cited(entry: Entry, wording: Revision | None) -> list[Entry]:
    """The rules that the wording cites, each once."""
    ids = {reference.entry_id for reference in wording.references.all() if reference.entry_id} if wording else set()
    return list(Entry.objects.filter(pk__in=ids).in_book_order().for_display(entry.as_of)) if ids else []


def _listed(wording: Revision | None) -> list[object]:
    """What a list cites beside the text."""
    if wording is None:
        return []
    return [reference for reference in wording.references.all() if reference.place == "listed"]

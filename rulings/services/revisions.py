"""Write wordings and ends of single entries, and the statuses that go with them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

from rulings.models import LIVE, Entry, Event, Revision, Status
from rulings.services.chain_sets import Chains
from rulings.services.chains import Chain
from rulings.services.wordings import Wording, begin_of, end_of


def set_ended(entry: Entry, on: date, reason: str, successor: Entry | None = None) -> None:
    """Give `entry` the status of one that no longer holds (not saved). `reason` is shown to readers.

    A successor that leads back to the entry is none: who follows it would go round in circles.
    """
    successor = None if _leads_to(successor, entry) else successor
    entry.status = Status.SUPERSEDED if successor else Status.WITHDRAWN
    entry.status_on, entry.status_reason, entry.superseded_by = on, reason, successor


def _leads_to(successor: Entry | None, entry: Entry) -> bool:
    seen: set[int] = set()
    while successor is not None and successor.pk not in seen:
        if successor.pk == entry.pk:
            return True
        seen.add(successor.pk)
        successor = successor.superseded_by
    return False


def set_announced(entry: Entry, on: date) -> None:
    """Give `entry` the status of one that is announced for `on` (not saved)."""
    entry.status, entry.status_on, entry.status_reason, entry.superseded_by = Status.ANNOUNCED, on, "", None


def set_current(entry: Entry) -> None:
    """Give `entry` the status of one that holds without doubt (not saved)."""
    entry.status, entry.status_on, entry.status_reason, entry.superseded_by = Status.CURRENT, None, "", None


STATUS_FIELDS = ("status", "status_on", "status_reason", "superseded_by")


def save_statuses(entries: Iterable[Entry]) -> None:
    """Save the statuses of many entries: one query for all that have the same one."""
    alike: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for entry in entries:
        alike[entry.status, entry.status_on, entry.status_reason, entry.superseded_by_id].append(entry.pk)
    for (status, on, reason, successor), ids in alike.items():
        for start in range(0, len(ids), 5000):
            Entry.objects.filter(pk__in=ids[start : start + 5000]).update(
                status=status, status_on=on, status_reason=reason, superseded_by_id=successor, updated_at=timezone.now()
            )


@transaction.atomic
def write_wording(entry: Entry, wording: Wording, *, on: date | None, **facts: Any) -> Revision | None:
    """Let `wording` hold from `on` (None: from the beginning) until the next known wording begins.

    `facts`: event, amendment, group, source, lines, is_editorial, editor, reason of the revision. Return the new
    revision, None when the wording already held on that day. A wording that holds today makes the entry current
    again; one that holds only later does so on its day.
    """
    chain = _chain_of(entry)
    entry.refresh_from_db(fields=STATUS_FIELDS)  # another writer may have ended it
    event = facts.pop("event", None)
    is_present, is_new = chain.is_present(on), chain.last is None
    revision = chain.write(wording, on, **facts)
    if revision is None:
        return None
    revision.event = event or revision.event
    _save(chain)
    if is_present and entry.status != Status.CURRENT:
        set_current(entry)
        entry.save(update_fields=STATUS_FIELDS)
    elif is_new and revision.due_on is not None:
        set_announced(entry, revision.due_on)
        entry.save(update_fields=STATUS_FIELDS)
    return revision


@transaction.atomic
def end_entry(
    entry: Entry, *, on: date | None, reason: str, successor: Entry | None = None, **facts: Any
) -> Revision | None:
    """End `entry` on `on` (today when unknown): its last wording stays readable, its status says why it ended.

    Return the revision of the deletion, None when the entry had already ended. When a later wording is known, the
    entry ends only until that one begins and keeps its status; it keeps it too until a day to come. Raise ValueError
    without a reason.
    """
    if not reason:
        raise ValueError("an entry ends for a reason")
    ended_on = on or timezone.localdate()
    chain = _chain_of(entry)
    entry.refresh_from_db(fields=STATUS_FIELDS)
    is_present = chain.is_present(ended_on)
    revision = chain.delete(ended_on, reason=reason, successor=successor, **facts)
    _save(chain)
    if is_present and entry.status in LIVE:
        set_ended(entry, ended_on, reason, successor)
        entry.save(update_fields=STATUS_FIELDS)
    else:
        _announce_anew(entry, chain, reason)
    return revision


@transaction.atomic
def retract(revision: Revision, reason: str) -> None:
    """Take back a wording or an end that is announced: it never holds, and what holds before it goes on."""
    chain = _chain_of(revision.entry)
    revision.entry.refresh_from_db(fields=STATUS_FIELDS)
    held = chain.on(revision.effective_on)
    if held is None or held.pk != revision.pk or held.due_on is None:
        raise ValueError("only what is announced and has not begun can be taken back")
    chain.retract(held, reason)
    _save(chain)
    _announce_anew(revision.entry, chain, reason)


def set_not_announced(entry: Entry, chain: Chain, reason: str) -> bool:
    """Give an entry of which an announcement was taken back its status (not saved); whether it has another one.

    What is announced for another day stays announced; of what is announced no more, nothing holds.
    """
    if entry.status != Status.ANNOUNCED:
        return False
    first = chain.first_text
    if first is None:
        set_ended(entry, timezone.localdate(), reason or "予告が取りやめられました。")
    elif first.effective_on != entry.status_on and first.effective_on is not None:
        set_announced(entry, first.effective_on)
    else:
        return False
    return True


def _announce_anew(entry: Entry, chain: Chain, reason: str) -> None:
    if set_not_announced(entry, chain, reason):
        entry.save(update_fields=STATUS_FIELDS)


def _chain_of(entry: Entry) -> Chain:
    return Chain(entry, entry.revisions.order_by("pk"))


def _save(chain: Chain) -> None:
    chains = Chains()
    chains.hold(chain)
    chains.save()


def as_examples(examples: Sequence[Any]) -> list[dict[str, str]]:
    """Return a parser's examples in the form in which a revision keeps them."""
    return [{"label": example.label, "text": example.text} for example in examples]


def as_lines(lines: Sequence[Any]) -> list[list[int]]:
    """Return a parser's line spans in the form in which entries and revisions keep them."""
    return [[span.first, span.last] for span in lines]


def latest_texts(entry_ids: Iterable[int]) -> dict[int, Revision]:
    """What each entry shows today: the wording in force, of an ended entry the last one, else the first announced."""
    today = timezone.localdate()
    latest: dict[int, Revision] = {}
    ids = sorted(entry_ids)
    for start in range(0, len(ids), 5000):
        texts = Revision.objects.filter(entry__in=ids[start : start + 5000]).exclude(event=Event.DELETED)
        for revision in texts.order_by("pk").select_related("entry__ruleset"):
            known = latest.get(revision.entry_id)
            is_empty = begin_of(revision) >= end_of(revision)
            if not is_empty and (known is None or _shows_before(revision, known, today)):
                latest[revision.entry_id] = revision
    return latest


def _shows_before(revision: Revision, other: Revision, today: date) -> bool:
    begins, known = begin_of(revision), begin_of(other)
    return known < begins <= today if known <= today else begins < known

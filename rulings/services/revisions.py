"""Write dated wordings into the chain of an entry's revisions.

A chain is a row of half-open ranges [effective_on, ended_on) that never overlap. A wording of an unknown date holds
from the beginning. What is written as of a past date ends where the next known wording begins.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from rulings.models import LIVE, Entry, Event, Revision, Status, Verdict


@dataclass(frozen=True, slots=True)
class Wording:
    """What a revision says; two revisions with equal wordings say the same."""

    title: str = ""
    body: str = ""
    examples: list[dict[str, str]] = field(default_factory=list)
    verdict: str = Verdict.NONE.value
    number: str = ""

    @classmethod
    def of(cls, revision: Revision) -> "Wording":
        return cls(revision.title, revision.body, revision.examples, str(revision.verdict), revision.number)


def begin_of(revision: Revision) -> date:
    return revision.effective_on or date.min


def end_of(revision: Revision) -> date:
    return revision.ended_on or date.max


class Chain:
    """The revisions of one entry in memory; what was changed or is new waits for `Chains.save`."""

    def __init__(self, entry: Entry, revisions: Iterable[Revision] = ()) -> None:
        self.entry = entry
        # Revisions with an empty range were replaced on their first day: they hold on no day.
        self._revisions = sorted((r for r in revisions if begin_of(r) < end_of(r)), key=begin_of)
        self.changed: dict[int, Revision] = {}
        self.added: list[Revision] = []

    def on(self, on: date | None) -> Revision | None:
        """The revision (a wording or a deletion) that holds on `on`, None for the beginning."""
        start = on or date.min
        return next((r for r in self._revisions if begin_of(r) <= start < end_of(r)), None)

    @property
    def last(self) -> Revision | None:
        return self._revisions[-1] if self._revisions else None

    @property
    def last_text(self) -> Revision | None:
        """The newest wording: the one in force, or of an ended entry the last one."""
        return next((r for r in reversed(self._revisions) if r.is_text), None)

    def wording(self, on: date | None) -> Revision | None:
        """The wording known for `on`: the one that holds, else the first after it, else the last before it."""
        holder = self.on(on)
        if holder is not None and holder.is_text:
            return holder
        texts = [r for r in self._revisions if r.is_text]
        later = [r for r in texts if begin_of(r) > (on or date.min)]
        return later[0] if later else (texts[-1] if texts else None)

    def begins_by(self, on: date | None) -> bool:
        """Whether nothing in the chain begins after `on`: what is written then is the last word."""
        return self.last is None or begin_of(self.last) <= (on or date.min)

    def write(self, wording: Wording, on: date | None, until: date | None = None, **facts: Any) -> Revision | None:
        """Let `wording` hold from `on`; return its revision, None when it already held.

        `until`: a later document is known to say again what held so far, so the wording ends there at the latest.
        `facts`: further fields of the revision (amendment, source, lines …).
        """
        holder = self.on(on)
        if holder is not None and holder.is_text and Wording.of(holder) == wording:
            return None
        revision = Revision(
            entry=self.entry, event=_event(holder, wording), effective_on=on, **asdict(wording), **facts
        )
        return self._place(revision, holder, until)

    def delete(self, on: date, **facts: Any) -> Revision | None:
        """Let the entry have no wording from `on`; None when it had none on that day.

        A wording that ends on the day it began keeps that one day: what was published stays readable.
        """
        holder = self.on(on)
        if holder is None or not holder.is_text:
            return None
        if begin_of(holder) == on:
            on += timedelta(days=1)
        gone = Revision(entry=self.entry, event=Event.DELETED, number=holder.number, effective_on=on, **facts)
        return self._place(gone, holder, None)

    def _place(self, revision: Revision, holder: Revision | None, until: date | None) -> Revision:
        following = next((r for r in self._revisions if begin_of(r) > begin_of(revision)), None)
        if holder is not None:
            revision.ended_on = holder.ended_on
        elif following is not None:
            revision.ended_on = following.effective_on
            self._no_longer_first(following, revision)
        if holder is not None and until is not None and begin_of(revision) < until < end_of(revision):
            again = _again(holder, until)
            revision.ended_on = until
            self._add(again)
        if holder is not None:
            self._close(holder, revision.effective_on)
        self._add(revision)
        return revision

    def _no_longer_first(self, following: Revision, revision: Revision) -> None:
        if revision.is_text and following.event == Event.ADDED:
            following.event = Event.EDITED if following.number == revision.number else Event.MOVED
            self._note_change(following)

    def _close(self, holder: Revision, on: date | None) -> None:
        """End `holder` on `on`; replaced on the day it began, it keeps an empty range."""
        if begin_of(holder) == (on or date.min):
            holder.effective_on = holder.ended_on = begin_of(holder)
            self._revisions.remove(holder)
        else:
            holder.ended_on = on
        self._note_change(holder)

    def _note_change(self, revision: Revision) -> None:
        if revision.pk is not None:
            self.changed[revision.pk] = revision

    def _add(self, revision: Revision) -> None:
        self.added.append(revision)
        self._revisions.append(revision)
        self._revisions.sort(key=begin_of)


def _event(holder: Revision | None, wording: Wording) -> str:
    if holder is None or not holder.is_text:
        return Event.ADDED
    return Event.EDITED if holder.number == wording.number else Event.MOVED


def _again(holder: Revision, on: date) -> Revision:
    """A copy of `holder` that says the same again from `on`."""
    again = copy(holder)
    again._state = copy(holder._state)
    again.pk, again.effective_on = None, on
    again._state.adding = True
    if again.is_text:
        again.event = Event.EDITED
    return again


class Chains:
    """The chains of many entries, read with one query and saved with few."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._chains: dict[int, Chain] = {}
        self.load(entries)

    def load(self, entries: Iterable[Entry]) -> None:
        """Read the chains of entries that are not held yet."""
        new = {entry.pk: entry for entry in entries if entry.pk not in self._chains}
        revisions: dict[int, list[Revision]] = {pk: [] for pk in new}
        ids = list(new)
        for start in range(0, len(ids), 5000):
            for revision in Revision.objects.filter(entry__in=ids[start : start + 5000]).order_by("pk"):
                revisions[revision.entry_id].append(revision)
        self._chains |= {pk: Chain(new[pk], found) for pk, found in revisions.items()}

    def begin(self, entries: Iterable[Entry]) -> None:
        """Hold empty chains for entries that were just created."""
        self._chains |= {entry.pk: Chain(entry) for entry in entries}

    def __getitem__(self, entry: Entry) -> Chain:
        return self._chains[entry.pk]

    def save(self) -> list[Revision]:
        """Save everything that waits; return the new revisions. Ranges are closed before others take their place."""
        changed = [revision for chain in self._chains.values() for revision in chain.changed.values()]
        added = [revision for chain in self._chains.values() for revision in chain.added]
        Revision.objects.bulk_update(changed, ["event", "effective_on", "ended_on"], batch_size=200)
        # Closed ranges first: at no time may an entry have two open ones.
        Revision.objects.bulk_create(sorted(added, key=end_of), batch_size=500)
        for chain in self._chains.values():
            chain.changed, chain.added = {}, []
        return added


def set_ended(entry: Entry, on: date, reason: str, successor: Entry | None = None) -> None:
    """Give `entry` the status of one that no longer holds (not saved). `reason` is shown to readers."""
    entry.status = Status.SUPERSEDED if successor else Status.WITHDRAWN
    entry.status_on, entry.status_reason, entry.superseded_by = on, reason, successor


def set_current(entry: Entry) -> None:
    """Give `entry` the status of one that holds without doubt (not saved)."""
    entry.status, entry.status_on, entry.status_reason, entry.superseded_by = Status.CURRENT, None, "", None


STATUS_FIELDS = ("status", "status_on", "status_reason", "superseded_by")


@transaction.atomic
def write_wording(entry: Entry, wording: Wording, *, on: date | None, **facts: Any) -> Revision | None:
    """Let `wording` hold from `on` (None: from the beginning) until the next known wording begins.

    `facts`: event, amendment, group, source, lines, is_editorial, editor, reason of the revision. Return the new
    revision, None when the wording already held on that day. A wording that is the entry's last word makes the
    entry current again.
    """
    chain = _chain_of(entry)
    event = facts.pop("event", None)
    is_last = chain.begins_by(on)
    revision = chain.write(wording, on, **facts)
    if revision is None:
        return None
    revision.event = event or revision.event
    _save(chain)
    if is_last and entry.status != Status.CURRENT:
        set_current(entry)
        entry.save(update_fields=STATUS_FIELDS)
    return revision


@transaction.atomic
def end_entry(
    entry: Entry, *, on: date | None, reason: str, successor: Entry | None = None, **facts: Any
) -> Revision | None:
    """End `entry` on `on` (today when unknown): its last wording stays readable, its status says why it ended.

    Return the revision of the deletion, None when the entry had already ended. When a later wording is known, the
    entry ends only until that one begins and keeps its status. Raise ValueError without a reason.
    """
    if not reason:
        raise ValueError("an entry ends for a reason")
    ended_on = on or timezone.localdate()
    chain = _chain_of(entry)
    is_last = chain.begins_by(ended_on)
    revision = chain.delete(ended_on, reason=reason, **facts)
    _save(chain)
    if is_last and entry.status in LIVE:
        set_ended(entry, ended_on, reason, successor)
        entry.save(update_fields=STATUS_FIELDS)
    return revision


def _chain_of(entry: Entry) -> Chain:
    return Chain(entry, entry.revisions.order_by("pk"))


def _save(chain: Chain) -> None:
    chains = Chains()
    chains._chains[chain.entry.pk] = chain
    chains.save()


def as_examples(examples: Sequence[Any]) -> list[dict[str, str]]:
    """Return a parser's examples in the form in which a revision keeps them."""
    return [{"label": example.label, "text": example.text} for example in examples]


def as_lines(lines: Sequence[Any]) -> list[list[int]]:
    """Return a parser's line spans in the form in which entries and revisions keep them."""
    return [[span.first, span.last] for span in lines]


def latest_texts(entry_ids: Iterable[int]) -> dict[int, Revision]:
    """The newest wording of each entry: the one in force or announced, of an ended entry the last one."""
    latest: dict[int, Revision] = {}
    ids = sorted(entry_ids)
    for start in range(0, len(ids), 5000):
        texts = Revision.objects.filter(entry__in=ids[start : start + 5000]).exclude(event=Event.DELETED)
        for revision in texts.order_by("pk").select_related("entry__ruleset"):
            known = latest.get(revision.entry_id)
            is_empty = begin_of(revision) >= end_of(revision)
            if not is_empty and (known is None or begin_of(revision) > begin_of(known)):
                latest[revision.entry_id] = revision
    return latest

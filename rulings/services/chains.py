"""Write dated wordings into the chain of an entry's revisions.

A chain is a row of half-open ranges [effective_on, ended_on) that never overlap. A wording of an unknown date holds
from the beginning. What is written as of a past date ends where the next known wording begins.
"""

from collections.abc import Iterable
from copy import copy
from dataclasses import asdict, replace
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from rulings.models import Entry, Event, Revision
from rulings.services.wordings import Wording, begin_of, due_on, end_of, says, without_blanks

NOT_IN_BOOK = "この日に施行された全文には載っていません。"


class Chain:
    """The revisions of one entry in memory; what was changed or is new waits for `chain_sets.Chains.save`."""

    def __init__(self, entry: Entry, revisions: Iterable[Revision] = ()) -> None:
        self.entry = entry
        # Revisions with an empty range were replaced on their first day: they hold on no day.
        self._revisions = sorted((r for r in revisions if begin_of(r) < end_of(r)), key=begin_of)
        self.changed: dict[int, Revision] = {}
        self.older: dict[int, Revision] = {}  # those found to begin earlier
        self.extended: list[Revision] = []  # those that go on because what would have ended them was taken back
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

    @property
    def texts(self) -> list[Revision]:
        """The wordings that hold on any day, oldest first."""
        return [r for r in self._revisions if r.is_text]

    @property
    def first_text(self) -> Revision | None:
        """The oldest wording that holds on any day."""
        return next((r for r in self._revisions if r.is_text), None)

    def wording(self, on: date | None) -> Revision | None:
        """The wording known for `on`: the one that holds, else the first after it, else the last before it."""
        holder = self.on(on)
        if holder is not None and holder.is_text:
            return holder
        texts = [r for r in self._revisions if r.is_text]
        later = [r for r in texts if begin_of(r) > (on or date.min)]
        return later[0] if later else (texts[-1] if texts else None)

    def in_known_lines(self, wording: Wording, on: date | None) -> Wording:
        """`wording`, laid out as what is known for `on` when blank lines alone differ: they are no edit."""
        known = self.wording(on)
        if known is None or without_blanks(Wording.of(known)) != without_blanks(wording):
            return wording
        return replace(wording, title=known.title, body=known.body, examples=known.examples)

    def begins_by(self, on: date | None) -> bool:
        """Whether nothing in the chain begins after `on`: what is written then is the last word."""
        return self.last is None or begin_of(self.last) <= (on or date.min)

    def is_present(self, on: date | None, until: date | None = None) -> bool:
        """Whether what is written as of `on` (and `until`) is what holds today: begun, and nothing begun is later."""
        today, start = timezone.localdate(), on or date.min
        if until is not None and until <= today:
            return False
        return start <= today and not any(start < begin_of(r) <= today for r in self._revisions)

    def end_from(self, on: date | None) -> date:
        """Until when a wording written as of `on` would hold; `date.max` without an end."""
        holder, following = self.on(on), self._after(on)
        if holder is not None:
            return end_of(holder)
        return begin_of(following) if following is not None else date.max

    def bears(self, number: str, on: date | None, end: date) -> bool:
        """Whether a wording bears `number` on a day in [on, end)."""
        begin = on or date.min
        return any(one.number == number and begin_of(one) < end and begin < end_of(one) for one in self.texts)

    def is_about_to_save(self, revision: Revision) -> bool:
        """Whether the revision is new or begins or ends on another day than it did."""
        return (
            revision.pk is None or revision.pk in self.changed or revision.pk in self.older or revision in self.extended
        )

    def has_ended(self, on: date | None) -> bool:
        """Whether a deletion holds on `on` that no wording follows."""
        holder = self.on(on)
        return holder is not None and not holder.is_text and self.begins_by(on)

    def write(self, wording: Wording, on: date | None, until: date | None = None, **facts: Any) -> Revision | None:
        """Let `wording` hold from `on`; return its revision, None when it already held.

        `until`: a later document is known to say again what held so far, so the wording ends there at the latest.
        `facts`: further fields of the revision (amendment, source, lines …). A wording that is known to hold from a
        later day on is found to be older: its revision begins earlier.
        """
        holder = self.on(on)
        if holder is not None and says(holder, wording):
            return None
        following = self._after(on)
        if following is not None and (until is None or until >= begin_of(following)) and says(following, wording):
            return self._begin_earlier(following, holder, on, facts)
        revision = Revision(
            entry=self.entry,
            event=_event(holder, wording),
            effective_on=on,
            due_on=due_on(on),
            **asdict(wording),
            **facts,
        )
        return self._place(revision, holder, until)

    def delete(self, on: date, **facts: Any) -> Revision | None:
        """Let the entry have no wording from `on`; None when it had none on that day.

        A wording that ends on the day it began keeps that one day: what was published stays readable. One that was
        only announced never comes to hold.
        """
        holder = self.on(on)
        if holder is None or not holder.is_text:
            return None
        if begin_of(holder) == on and self._is_only_announced(holder):
            return self.retract(holder, str(facts.get("reason", "")))
        facts["due_on"] = due_on(on)
        if begin_of(holder) == on and holder.due_on is None:
            on += timedelta(days=1)
        gone = Revision(entry=self.entry, event=Event.DELETED, number=holder.number, effective_on=on, **facts)
        self._place(gone, holder, None)
        following = self._after(on)
        if following is not None and following.is_text and begin_of(following) == end_of(gone):
            following.event = Event.ADDED  # it no longer changes anything: nothing held before it
            self._note_change(following)
        return gone

    def _is_only_announced(self, holder: Revision) -> bool:
        """Whether what is announced would hold where nothing holds before: there is nothing to end."""
        before = self.preceding(holder)
        return holder.due_on is not None and (before is None or not before.is_text)

    def preceding(self, revision: Revision) -> Revision | None:
        """The wording or deletion that ends where `revision` begins."""
        return next((r for r in self._revisions if end_of(r) == begin_of(revision)), None)

    def retract(self, announced: Revision, reason: str) -> Revision:
        """Take back what was announced: it holds on no day, stays readable, and what held before it goes on."""
        before, ended_on = self.preceding(announced), announced.ended_on
        announced.ended_on = announced.effective_on
        self._revisions.remove(announced)
        self._take_back(announced, reason)
        self._note_change(announced)
        if before is not None:
            before.ended_on = ended_on
            self.extended.append(before)
        following = self._after(announced.effective_on)
        if following is not None and following.is_text and begin_of(following) == (ended_on or date.max):
            following.event = _event(before, Wording.of(following))
            self._note_change(following)
        return announced

    def _take_back(self, announced: Revision, reason: str) -> None:
        announced.due_on = None
        if announced.pk is not None:
            announced.retracted_on, announced.retraction = timezone.localdate(), reason or "予告が取りやめられました。"

    def _place(self, revision: Revision, holder: Revision | None, until: date | None) -> Revision:
        following = self._after(revision.effective_on)
        if holder is not None:
            revision.ended_on = holder.ended_on
        elif following is not None:
            revision.ended_on = following.effective_on
            if until is None or until >= begin_of(following):
                self._no_longer_first(following, revision)
        ends_early = until is not None and begin_of(revision) < until < end_of(revision)
        if until is not None and ends_early and (holder is not None or following is not None):
            self._add(_again(holder, until) if holder is not None else _gap(revision, until))
            revision.ended_on = until
        if holder is not None:
            self._close(holder, revision.effective_on, _replaced_by(revision))
        self._add(revision)
        return revision

    def _after(self, on: date | None) -> Revision | None:
        return next((r for r in self._revisions if begin_of(r) > (on or date.min)), None)

    def _begin_earlier(
        self, revision: Revision, holder: Revision | None, on: date | None, facts: dict[str, Any]
    ) -> Revision:
        """Let `revision` begin on `on`, with the facts of the document that says so."""
        if holder is not None:
            self._close(holder, on, "この日からの文面が、より前からのものと分かりました。")
        revision.event = _event(holder, Wording.of(revision))
        revision.effective_on, revision.due_on = on, due_on(on)
        for name, value in facts.items():
            setattr(revision, name, value)
        if revision.pk is not None:
            self.older[revision.pk] = revision
        return revision

    def _no_longer_first(self, following: Revision, revision: Revision) -> None:
        if revision.is_text and following.event == Event.ADDED:
            following.event = Event.EDITED if following.number == revision.number else Event.MOVED
            self._note_change(following)

    def _close(self, holder: Revision, on: date | None, why: str) -> None:
        """End `holder` on `on`; replaced on the day it began, it keeps an empty range."""
        if begin_of(holder) == (on or date.min):
            holder.effective_on = holder.ended_on = begin_of(holder)
            if holder.due_on is not None:
                self._take_back(holder, why)
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


def _replaced_by(revision: Revision) -> str:
    """Why an announcement does not come to hold when `revision` begins on its day."""
    if revision.reason:
        return revision.reason
    if revision.amendment is not None:
        return f"「{revision.amendment.title}」により替わりました。"
    return "同じ日からの別の内容に替わりました。"


def _event(holder: Revision | None, wording: Wording) -> str:
    if holder is None or not holder.is_text:
        return Event.ADDED
    return Event.EDITED if holder.number == wording.number else Event.MOVED


def _gap(revision: Revision, on: date) -> Revision:
    """The end of `revision` on `on`: the document of that day does not have it; what follows brings it back."""
    return Revision(
        entry=revision.entry,
        event=Event.DELETED,
        number=revision.number,
        effective_on=on,
        ended_on=revision.ended_on,
        due_on=due_on(on),
        reason=NOT_IN_BOOK,
        editor=revision.editor,
    )


def _again(holder: Revision, on: date) -> Revision:
    """A copy of `holder` that says the same again from `on`."""
    again = copy(holder)
    again._state = copy(holder._state)
    again.pk, again.effective_on, again.due_on = None, on, due_on(on)
    again._state.adding = True
    if again.is_text:
        again.event = Event.EDITED
    return again

"""Work off the queue of doubtful entries: every decision is kept, with who made it and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, cast

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from rulings.models import Contradiction, CrossReference, Decision, Entry, Kind, Place, Review, Revision, Status
from rulings.services.changes import ChangeLog
from rulings.services.editing import edit_entry, withdraw_entry
from rulings.services.finishing import follow_up
from rulings.services.reports import ImportReport
from rulings.services.revisions import STATUS_FIELDS, latest_texts, set_current
from rulings.services.wordings import Wording

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class DecisionError(ValueError):
    """A decision that cannot be made; the message (Japanese) is for the reviewer."""


@transaction.atomic
def confirm(entry: Entry, *, note: str, reviewer: AbstractBaseUser | None = None) -> Review:
    """The entry holds as it is; `note` says why."""
    doubt = _doubt_of(entry, note)
    set_current(entry)
    entry.save(update_fields=STATUS_FIELDS)
    changes = ChangeLog()
    changes.updated(entry)
    follow_up([entry.pk], changes, ImportReport(entry.ruleset.slug))
    changes.record()
    return _keep(entry, Decision.CONFIRMED, doubt, note, reviewer)


@transaction.atomic
def correct(
    entry: Entry, wording: Wording, *, note: str, on: date | None = None, reviewer: AbstractBaseUser | None = None
) -> Review:
    """The entry says something else from `on` (today): a new revision."""
    doubt = _doubt_of(entry, note)
    revision = edit_entry(entry, wording, on=on or timezone.localdate(), editor=reviewer, reason=note)
    if revision is None:
        raise DecisionError("文面が変わっていません。このままでよければ「このままでよい」を選んでください。")
    entry.refresh_from_db()
    return _keep(entry, Decision.CORRECTED, doubt, note, reviewer, revision=revision)


@transaction.atomic
def supersede(entry: Entry, successor: Entry, *, note: str, reviewer: AbstractBaseUser | None = None) -> Review:
    """The entry ends today, and `successor` stands in its place."""
    doubt = _doubt_of(entry, note)
    if successor.pk == entry.pk or not successor.is_live:
        raise DecisionError("差し替え先には、いま有効な別の項目を選んでください。")
    withdraw_entry(entry, on=timezone.localdate(), reason=note, editor=reviewer, successor=successor)
    entry.refresh_from_db()
    return _keep(entry, Decision.SUPERSEDED, doubt, note, reviewer, successor=successor)


@transaction.atomic
def withdraw(entry: Entry, *, note: str, reviewer: AbstractBaseUser | None = None) -> Review:
    """The entry ends today; `note` is shown to readers as the reason."""
    doubt = _doubt_of(entry, note)
    withdraw_entry(entry, on=timezone.localdate(), reason=note, editor=reviewer)
    entry.refresh_from_db()
    return _keep(entry, Decision.WITHDRAWN, doubt, note, reviewer)


def _doubt_of(entry: Entry, note: str) -> str:
    """The doubt that is decided, after a look at the entry as it is now: two reviewers may be at it."""
    current = Entry.objects.select_for_update().get(pk=entry.pk)
    if not note.strip():
        raise DecisionError("判断の理由を書いてください。")
    if not current.is_live:
        raise DecisionError("この項目は、もう終了しています。")
    entry.refresh_from_db()
    return entry.status_reason if entry.status == Status.NEEDS_REVIEW else ""


def _keep(
    entry: Entry,
    decision: Decision,
    doubt: str,
    note: str,
    reviewer: AbstractBaseUser | None,
    *,
    revision: Revision | None = None,
    successor: Entry | None = None,
) -> Review:
    return Review.objects.create(
        entry=entry,
        decision=decision,
        doubt=doubt,
        note=note,
        reviewer=cast("User | None", reviewer),
        revision=revision,
        successor=successor,
    )


# -- answers that disagree ----------------------------------------------------------------------------------------


@transaction.atomic
def explain(pair: Contradiction, *, note: str, by: AbstractBaseUser | None = None) -> None:
    """Say why both answers stand; they are not reported again, and no longer shown as disagreeing."""
    if not note.strip():
        raise DecisionError("両方が正しい理由を書いてください。")
    changes = ChangeLog()
    changes.updated(pair.older, pair.newer)
    changes.record()
    pair.note, pair.noted_by = note, cast("User | None", by)
    pair.save(update_fields=["note", "noted_by"])


@transaction.atomic
def replace_older(pair: Contradiction, *, note: str, by: AbstractBaseUser | None = None) -> Review:
    """Let the newer answer take the place of the older one."""
    return supersede(pair.older, pair.newer, note=note, reviewer=by)


# -- what is offered ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """A citation whose rule stands elsewhere now."""

    reference: CrossReference
    number: str
    section: Entry

    @property
    def text(self) -> str:
        return self.reference.text


def offers(entry: Entry) -> list[Offer]:
    """The new numbers of what the entry cites by numbers that are no longer those of the rules meant."""
    wording = latest_texts([entry.pk]).get(entry.pk)
    return list(_offers(wording)) if wording else []


def _offers(wording: Revision) -> Iterator[Offer]:
    cited = wording.references.filter(kind="rule").select_related("ruleset").order_by("place", "example", "start")
    for reference in cited:
        meant = _meant(reference, wording.effective_on)
        if meant is None:
            continue
        now = meant.superseded_by if meant.status == Status.SUPERSEDED else meant
        if now is not None and now.is_live and now.number != reference.key:
            yield Offer(reference, now.number, now)


def _meant(reference: CrossReference, on: date | None) -> Entry | None:
    """The section that stood under the cited number when the wording began; before all is known, the first that did."""
    if reference.ruleset is None:
        return None
    sections = Entry.objects.filter(ruleset=reference.ruleset, kind=Kind.SECTION).select_related("superseded_by")
    found = sections.at_number_on(reference.key, on).first() if on else None
    if found is None:
        first = Revision.objects.filter(entry__in=sections, number=reference.key).exclude(event="deleted")
        oldest = min(first, key=Revision.chronology, default=None)
        found = sections.get(pk=oldest.entry_id) if oldest else None
    return found


def offered_wording(entry: Entry) -> Wording | None:
    """The entry's wording with the offered numbers written in; None when there is nothing to write."""
    wording = latest_texts([entry.pk]).get(entry.pk)
    if wording is None:
        return None
    new = Wording.of(wording)
    examples = [dict(example) for example in new.examples]
    texts = {Place.TITLE: new.title, Place.BODY: new.body}
    found = [offer for offer in offers(entry) if offer.reference.place != Place.LISTED]
    for offer in sorted(found, key=lambda offer: -offer.reference.start):  # from the end, so that offsets hold
        reference = offer.reference
        written = reference.text.replace(reference.key, offer.number)
        if reference.place == Place.EXAMPLE:
            text = examples[reference.example]["text"]
            examples[reference.example]["text"] = f"{text[: reference.start]}{written}{text[reference.end :]}"
        else:
            place = Place(reference.place)
            texts[place] = f"{texts[place][: reference.start]}{written}{texts[place][reference.end :]}"
    offered = Wording(texts[Place.TITLE], texts[Place.BODY], examples, new.verdict, new.number)
    return offered if offered != new else None

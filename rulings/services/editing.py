"""What an editor does to single entries and cards by hand, with everything that follows from it."""

from collections.abc import Collection
from dataclasses import replace
from datetime import date

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from rulings.models import Card, CardAlias, Entry, Event, Kind, Revision
from rulings.services.chains import Chain
from rulings.services.changes import ChangeLog
from rulings.services.finishing import follow_up
from rulings.services.references import relink_revisions, resolve_pending
from rulings.services.reports import ImportReport
from rulings.services.reviews import review_citing
from rulings.services.revisions import end_entry, retract, write_wording
from rulings.services.wordings import Wording, begin_of, end_of
from rulings.text.fold import fold_key


class NumberTakenError(ValueError):
    """Two sections would bear one number at one time; the message (Japanese) is for the editor."""


@transaction.atomic
def edit_entry(
    entry: Entry,
    wording: Wording,
    *,
    on: date | None,
    editor: AbstractBaseUser | None = None,
    reason: str = "",
    is_editorial: bool = False,
) -> Revision | None:
    """Let `wording` hold for the saved `entry` from `on`; None when it already did.

    Entries that cite it become doubtful unless the edit is editorial. Raise NumberTakenError when another section
    bears the number in the time in which the wording would hold. A wording without a number keeps the entry's.
    """
    wording = replace(wording, number=wording.number or entry.number)
    other = holder_of(entry, wording.number, on)
    if other is not None:
        raise NumberTakenError(f"番号 {wording.number} は、その期間は別の条項（項目 {other.pk}）のものです。")
    is_new = not entry.revisions.exists()
    revision = write_wording(entry, wording, on=on, editor=editor, reason=reason, is_editorial=is_editorial)
    if revision is None:
        return None
    changes = ChangeLog()
    (changes.created if is_new else changes.updated)(entry)
    relink_revisions([revision])
    doubtful = set() if is_editorial or is_new or revision.due_on else _doubt(entry, changes)
    _follow({entry.pk} | doubtful, entry, changes)
    return revision


def holder_of(entry: Entry, number: str, on: date | None) -> Entry | None:
    """Another section that bears `number` in the time in which a wording of `entry` written as of `on` would hold."""
    if entry.kind != Kind.SECTION:
        return None
    chain = Chain(entry, entry.revisions.order_by("pk"))
    begins, ends = on or date.min, chain.end_from(on)
    texts = Revision.objects.filter(entry__ruleset=entry.ruleset_id, entry__kind=Kind.SECTION, number=number)
    for other in texts.exclude(entry=entry.pk).exclude(event=Event.DELETED).select_related("entry"):
        if begin_of(other) < end_of(other) and begin_of(other) < ends and begins < end_of(other):
            return other.entry
    return None


@transaction.atomic
def withdraw_entry(
    entry: Entry, *, on: date, reason: str, editor: AbstractBaseUser | None = None, successor: Entry | None = None
) -> None:
    """End `entry` on `on` for a stated reason; its address still answers, and names `successor`."""
    end_entry(entry, on=on, reason=reason, successor=successor, editor=editor)
    changes = ChangeLog()
    if on > timezone.localdate():
        changes.updated(entry)
        _follow({entry.pk}, entry, changes)
        return
    changes.ended(entry)
    _follow({entry.pk} | _doubt(entry, changes), entry, changes)


@transaction.atomic
def retract_announcement(revision: Revision, *, reason: str) -> None:
    """Take back what was announced for a day to come; its text stays in the history. Raise ValueError if it began."""
    entry = revision.entry
    retract(revision, reason)
    changes = ChangeLog()
    changes.updated(entry)
    _follow({entry.pk}, entry, changes)


@transaction.atomic
def edit_card(card: Card, *, is_new: bool, former: str = "") -> None:
    """Give the saved `card` its keys after an edit; texts that name it find it from now on.

    `former`: the name that it had; texts written under it go on naming the card.
    """
    if fold_key(former) not in ("", fold_key(card.name)):
        CardAlias.objects.get_or_create(card=card, key=fold_key(former), defaults={"text": former})
    Card.objects.filter(pk=card.pk).update(key=fold_key(card.name), reading_key=fold_key(card.reading))
    for face in card.faces.all():
        face.key = fold_key(face.name)
        face.save(update_fields=["key"])
    for alias in card.aliases.all():
        alias.key = fold_key(alias.text)
        alias.save(update_fields=["key"])
    changes = ChangeLog()
    (changes.created if is_new else changes.updated)(card)
    resolved = resolve_pending(game=card.game, changes=changes)
    follow_up(resolved, changes, ImportReport(card.game.slug))
    changes.record()


def _doubt(entry: Entry, changes: ChangeLog) -> set[int]:
    if entry.kind != Kind.SECTION:
        return set()
    return {doubtful.pk for doubtful in review_citing([entry.pk], changes, skip=[entry.pk])}


def _follow(entry_ids: Collection[int], entry: Entry, changes: ChangeLog) -> None:
    resolved = resolve_pending(ruleset=entry.ruleset, changes=changes)
    follow_up({*entry_ids, *resolved}, changes, ImportReport(entry.ruleset.slug))
    changes.record()

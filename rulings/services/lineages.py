"""Splits and merges of rules: found in full texts, or told by an editor."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import TYPE_CHECKING, cast

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from rulings.models import Amendment, Entry, Kind, Lineage, LineageKind
from rulings.services.changes import ChangeLog

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class LineageError(ValueError):
    """A split or a merge that cannot have been; the message (Japanese) is for the editor."""


def check_lineage(before: Entry, after: Entry, on: date) -> None:
    """Raise LineageError unless `before` said something before `on`, and `after` says something on it."""
    if before.pk == after.pk:
        raise LineageError("前と後には別の条項を選んでください。")
    if {before.kind, after.kind} != {Kind.SECTION} or before.ruleset_id != after.ruleset_id:
        raise LineageError("前と後には、同じ規則集の条項を選んでください。")
    if not before.is_in_force_on(on - timedelta(days=1)):
        raise LineageError("前の条項は、その前の日に効力がありません。")
    if not after.is_in_force_on(on):
        raise LineageError("後の条項は、その日に効力がありません。")
    if Lineage.objects.filter(before=before, after=after, effective_on=on).exists():
        raise LineageError("同じ日の同じ組が、もう登録されています。")


@transaction.atomic
def tell_lineage(
    kind: LineageKind,
    before: Entry,
    after: Entry,
    *,
    on: date,
    note: str = "",
    editor: AbstractBaseUser | None = None,
) -> Lineage:
    """An editor tells a split or a merge; both sides show it from now on. Raise LineageError when it cannot be."""
    check_lineage(before, after, on)
    told = Lineage.objects.create(
        kind=kind, before=before, after=after, effective_on=on, note=note, editor=cast("User | None", editor)
    )
    _record(before, after)
    return told


@transaction.atomic
def untell_lineage(lineage: Lineage) -> None:
    """Take back what was told by mistake."""
    before, after = lineage.before, lineage.after
    lineage.delete()
    _record(before, after)


def keep_lineages(
    kind: LineageKind,
    pairs: Iterable[tuple[Entry, Entry]],
    *,
    on: date,
    amendment: Amendment | None,
    editor: AbstractBaseUser | None,
    changes: ChangeLog,
) -> list[Lineage]:
    """Keep what an import has found; what is known already stays as it is."""
    wanted = {(before.pk, after.pk): (before, after) for before, after in pairs if before.pk != after.pk}
    known = set(
        Lineage.objects.filter(before__in=[pk for pk, _after in wanted], effective_on=on).values_list("before", "after")
    )
    found = [
        Lineage(
            kind=kind,
            before=before,
            after=after,
            effective_on=on,
            amendment=amendment,
            editor=cast("User | None", editor),
        )
        for key, (before, after) in wanted.items()
        if key not in known
    ]
    for lineage in found:
        changes.updated_ids([lineage.before.pk, lineage.after.pk])
    return Lineage.objects.bulk_create(found)


def _record(*entries: Entry) -> None:
    changes = ChangeLog()
    changes.updated(*entries)
    changes.record()

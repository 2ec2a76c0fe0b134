"""Which of some changes concern a subscription. The one rule, for webhooks of rulesets, cards and saved searches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rulings.models import Change, Entry, KnownEntry, Subscription
from rulings.search import indexing
from rulings.search.engine import IndexUnusable
from rulings.search.saved import read_saved
from rulings.search.searching import matching


class NotReadyError(RuntimeError):
    """The index does not hold the changes yet: to be asked again soon."""


@dataclass(frozen=True, slots=True)
class Concern:
    """A change to be told; `matches`: whether its subject belongs to the card or the search now."""

    change: Change
    matches: bool = True


def concerns(subscription: Subscription, changes: Sequence[Change]) -> list[Concern]:
    """Return what is to be told of `changes`, in their order.

    What belonged to the card or search and no longer does is told once more. Everything is judged as it stands now,
    as in changes/: what changes again is told again. Raise NotReadyError, or SavedSearchError for a search that
    cannot be asked any more.
    """
    if subscription.ruleset_id is not None:
        return [Concern(one) for one in changes if one.entry and one.entry.ruleset_id == subscription.ruleset_id]
    changed = {one.entry_id for one in changes if one.entry_id}
    now = _belonging(subscription, changed, changes[-1].number if changes else 0)
    known = subscription.known.filter(entry__in=changed).values_list("entry", "left")
    left = {pk: number for pk, number in known if pk not in now}
    found = []
    for one in changes:
        if one.entry_id is None:
            if one.card_id == subscription.card_id:
                found.append(Concern(one))
        elif one.entry_id in now:
            found.append(Concern(one))
        elif one.entry_id in left and one.number <= (left[one.entry_id] or one.number):
            found.append(Concern(one, matches=False))
    return found


def _belonging(subscription: Subscription, entries: Iterable[int], number: int) -> set[int]:
    if subscription.card_id is not None:
        named = Entry.cards.through.objects.filter(card=subscription.card_id, entry__in=list(entries))
        return set(named.values_list("entry", flat=True))
    request = read_saved(subscription.search)
    try:
        if indexing.current()[1] < number:
            indexing.catch_up()
        if indexing.current()[1] < number:
            raise NotReadyError("the index is being written")
        return set(matching(replace(request, only=frozenset(entries))))
    except IndexUnusable as error:
        indexing.repair()
        raise NotReadyError(str(error)) from error


def belonging_now(subscription: Subscription) -> list[int]:
    """Return all entries that belong to the card or search; empty for a ruleset, whose entries never leave it."""
    if subscription.ruleset_id is not None:
        return []
    if subscription.card_id is not None:
        return list(Entry.objects.filter(cards=subscription.card_id).values_list("pk", flat=True))
    try:
        return matching(read_saved(subscription.search))
    except IndexUnusable as error:
        raise NotReadyError(str(error)) from error


def remember(subscription: Subscription, told: Sequence[Concern]) -> None:
    """Keep what a receiver holds after it was told."""
    if subscription.ruleset_id is not None:
        return
    last = {one.change.entry_id: one for one in told if one.change.entry_id is not None}
    KnownEntry.objects.bulk_create(
        [
            KnownEntry(subscription=subscription, entry_id=pk, left=None if one.matches else one.change.number)
            for pk, one in last.items()
        ],
        update_conflicts=True,
        unique_fields=["subscription", "entry"],
        update_fields=["left"],
        batch_size=500,
    )

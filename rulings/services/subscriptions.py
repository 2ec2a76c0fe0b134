"""What owners and admins do with subscriptions: make, ping, stop, continue, replay."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from rulings.models import ApiKey, Card, Change, ChangeCounter, KnownEntry, Ruleset, Subscription, SubscriptionState
from rulings.search.saved import SavedSearchError, read_saved, tidy
from rulings.search.searching import DEEPEST
from rulings.services import addresses, background
from rulings.services.concerned import NotReadyError, belonging_now
from rulings.services.signing import new_salt, secret_of


class SubscriptionError(ValueError):
    """What was asked for cannot be done: a stable code, a message in Japanese, the parameter at fault."""

    def __init__(self, code: str, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        self.code, self.parameter = code, parameter


def subscribe(
    key: ApiKey,
    url: str,
    base: str,
    *,
    ruleset: Ruleset | None = None,
    card: Card | None = None,
    search: str = "",
    since: int | None = None,
    mark: str = "",
) -> tuple[Subscription, str]:
    """Make a subscription that waits for its first ping to be answered; return it with its secret.

    Told is what changes after `since` (now when None). `base` is the address of this site. Raise SubscriptionError.
    """
    if (ruleset, card, search).count(None) + (search == "") != 2:
        raise SubscriptionError("invalid_parameter", "ruleset、card、search のどれかひとつを指定してください。")
    check_address(url)
    position = _known_number(since, mark)
    made = Subscription(key=key, url=url, base=base, salt=new_salt(), ruleset=ruleset, card=card, position=position)
    if search:
        made.search = _checked_search(search)
    belonging = _belonging(made)
    with transaction.atomic():
        ApiKey.objects.select_for_update().get(pk=key.pk)
        if Subscription.objects.filter(key=key).count() >= settings.WEBHOOKS_PER_KEY:
            raise SubscriptionError(
                "too_many_subscriptions", f"登録はキーひとつに {settings.WEBHOOKS_PER_KEY} 件までです。"
            )
        made.save()
        KnownEntry.objects.bulk_create([KnownEntry(subscription=made, entry_id=pk) for pk in belonging], batch_size=500)
        transaction.on_commit(background.wake)
    return made, secret_of(made.salt)


def check_address(url: str) -> None:
    """Refuse an address that is not one of the open network; raise SubscriptionError."""
    try:
        addresses.resolved(addresses.read_target(url))
    except addresses.AddressRefusedError as error:
        raise SubscriptionError("address_refused", str(error), "address") from error


def _checked_search(search: str) -> str:
    try:
        kept = tidy(search)
        read_saved(kept)
    except SavedSearchError as error:
        raise SubscriptionError("invalid_parameter", str(error), "search") from error
    return kept


def _belonging(made: Subscription) -> list[int]:
    try:
        found = belonging_now(made)
    except NotReadyError as error:
        raise SubscriptionError("unavailable", "検索索引を作り直しています。少し待ってください。") from error
    if made.search and len(found) >= DEEPEST:
        text = f"{DEEPEST} 件以上に合う検索は登録できません。絞り込むか、規則集を登録してください。"
        raise SubscriptionError("invalid_parameter", text, "search")
    return found


def _known_number(since: int | None, mark: str) -> int:
    state = ChangeCounter.objects.state()
    if since is None:
        return state.last
    if since > state.last or (mark and mark != Change.objects.mark_of(since, state.database)):
        raise SubscriptionError("resync_required", f"{since} 番は、このデータの番号ではありません。", "since")
    if since < state.last and not Change.objects.filter(number=since + 1).exists():
        raise SubscriptionError("resync_required", f"{since + 1} 番からの記録は残っていません。", "since")
    return since


def replay(subscription: Subscription, since: int, mark: str = "") -> None:
    """Tell again what changed after `since`, under other message ids; raise SubscriptionError."""
    position = _known_number(since, mark)
    _move(subscription, position=position)


def move_to(subscription: Subscription, url: str) -> None:
    """Send to another address, once that answers a ping; raise SubscriptionError."""
    check_address(url)
    state = (
        SubscriptionState.DISABLED if subscription.state == SubscriptionState.DISABLED else SubscriptionState.PENDING
    )
    _move(subscription, url=url, state=state, state_at=timezone.now(), verified_at=None)


def enable(subscription: Subscription) -> None:
    """Continue where a stopped subscription stopped; one whose address never answered waits for a ping again."""
    if subscription.state == SubscriptionState.DISABLED:
        state = SubscriptionState.ACTIVE if subscription.verified_at else SubscriptionState.PENDING
        _move(subscription, state=state, state_at=timezone.now(), reason="")


def disable(subscription: Subscription, reason: str) -> None:
    """Stop a subscription; nothing is lost while it is."""
    if subscription.state != SubscriptionState.DISABLED:
        _move(subscription, state=SubscriptionState.DISABLED, state_at=timezone.now(), reason=reason)


def _move(subscription: Subscription, **fields: str | int | datetime | None) -> None:
    """Change a subscription as a whole; what is being sent at this moment does not move it any more."""
    with transaction.atomic():
        held = Subscription.objects.select_for_update().get(pk=subscription.pk)
        for name, value in fields.items():
            setattr(held, name, value)
        held.epoch += 1
        held.until, held.failures, held.failing_since, held.next_attempt_at = None, 0, None, timezone.now()
        held.save()
        transaction.on_commit(background.wake)
    subscription.refresh_from_db()

"""Webhooks are delivered: in order, at least once, by one process at a time.

A message is what changed after the position of its subscription; the position moves when it was taken. Whoever dies in
between has moved nothing, and the next one sends the same message under the same id.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from secrets import SystemRandom

from django.db import connection, transaction
from django.utils import timezone

from rulings.models import Attempt, Change, ChangeCounter, Subscription, SubscriptionState
from rulings.search.saved import SavedSearchError
from rulings.services import messages, outbound
from rulings.services.concerned import NotReadyError, concerns, remember
from rulings.services.messages import Message
from rulings.services.signing import signature

logger = logging.getLogger(__name__)

BATCH = 100  # changes of one message
SCAN = 1_000  # changes looked through at once
ROUNDS = 20  # messages to one receiver before others have their turn
AT_ONCE = 4  # receivers
# Seconds before each further attempt, the last one repeated; each a fifth more or less by chance.
RETRIES = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600)
GIVEN_UP_AFTER = timedelta(days=3)
LONGEST_WAIT = timedelta(days=1)  # that a receiver may ask for
USER_AGENT = "rulings-webhooks/1"
_chance = SystemRandom()


def deliver_due(at_once: int = AT_ONCE) -> int:
    """Deliver what is due, to several receivers at once; return how many were served."""
    latest = ChangeCounter.objects.state().last
    due = list(
        Subscription.objects.due(latest, timezone.now()).order_by("next_attempt_at").values_list("pk", flat=True)
    )
    if at_once == 1 or len(due) < 2:
        for pk in due:
            _serve(pk)
    else:
        with ThreadPoolExecutor(min(at_once, len(due)), thread_name_prefix="webhook") as pool:
            list(pool.map(_serve_apart, due))
    return len(due)


def _serve_apart(pk: int) -> None:
    try:
        _serve(pk)
    finally:
        connection.close()


def _serve(pk: int) -> None:
    """Deliver to one receiver until it has everything or fails. One that goes wrong does not stop the others.

    What nobody expected counts as a failure too: it waits, longer each time, and is given up in the end.
    """
    try:
        for _round in range(ROUNDS):
            subscription = Subscription.objects.alive().select_related("key").filter(pk=pk).first()
            if subscription is None or subscription.next_attempt_at > timezone.now():
                return
            message = next_message(subscription)
            if message is None or not send(subscription, message).is_taken:
                return
    except NotReadyError as error:
        logger.info("通知 #%s は索引を待ちます: %s", pk, error)
        Subscription.objects.filter(pk=pk).update(next_attempt_at=timezone.now() + timedelta(seconds=RETRIES[0]))
    except Exception as error:
        logger.exception("通知 #%s を配信できません。", pk)
        if (broken := Subscription.objects.alive().filter(pk=pk).first()) is not None:
            _failed(broken, outbound.Reply(0, f"配信できませんでした（{type(error).__name__}）。", 0.0), timezone.now())


def next_message(subscription: Subscription) -> Message | None:
    """Return what is to be sent next; move the position over what concerns nobody; None when there is nothing."""
    if subscription.state == SubscriptionState.PENDING:
        return messages.ping(subscription)
    while True:
        latest = ChangeCounter.objects.state().last
        last = latest if subscription.until is None else subscription.until
        later = Change.objects.filter(number__gt=subscription.position, number__lte=last)
        changes = list(later.select_related("entry__ruleset", "card").order_by("number")[:SCAN])
        if not _follows(subscription, changes, latest):
            stop(
                subscription,
                "変更番号が今のデータと合いません。exports/ からやり直し、since を指定して再開してください。",
            )
            return None
        if not changes:
            return None
        try:
            told = concerns(subscription, changes)
        except SavedSearchError as error:
            stop(subscription, f"保存した検索を読み取れなくなりました：{error}")
            return None
        until = changes[-1].number
        if len(told) > BATCH and subscription.until is None:
            told = told[:BATCH]
            until = told[-1].change.number
        if told:
            return messages.changes(subscription, told, until) if _hold(subscription, until) else None
        if not _move(subscription, until):
            return None


def _follows(subscription: Subscription, changes: list[Change], latest: int) -> bool:
    """Whether the change log goes on where the subscription stands."""
    if subscription.position >= latest:
        return subscription.position == latest
    return bool(changes) and changes[0].number == subscription.position + 1


def _own(subscription: Subscription) -> dict[str, int]:
    """What is as it was read: another deliverer, a replay or its owner may have changed it since."""
    return {"pk": subscription.pk, "epoch": subscription.epoch, "position": subscription.position}


def _hold(subscription: Subscription, until: int) -> bool:
    subscription.until = until
    return bool(Subscription.objects.filter(**_own(subscription)).update(until=until))


def _move(subscription: Subscription, until: int) -> bool:
    moved = Subscription.objects.filter(**_own(subscription)).update(position=until, until=None)
    subscription.position, subscription.until = until, None
    return bool(moved)


def stop(subscription: Subscription, reason: str) -> None:
    """Disable a subscription as it was read; its owner sees why."""
    Subscription.objects.filter(**_own(subscription)).update(
        state=SubscriptionState.DISABLED, reason=reason[:300], state_at=timezone.now()
    )


# -- one attempt ---------------------------------------------------------------------------------------------------


def send(subscription: Subscription, message: Message) -> outbound.Reply:
    """Send a message, note the attempt, and move on or wait."""
    at = timezone.now()
    stamp = int(at.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "webhook-id": message.id,
        "webhook-timestamp": str(stamp),
        "webhook-signature": signature(subscription.salt, message.id, stamp, message.body),
    }
    reply = outbound.post(subscription.url, message.body, headers)
    with transaction.atomic():
        Attempt.objects.keep(
            Attempt(
                subscription=subscription,
                at=at,
                message_id=message.id,
                kind=message.kind,
                since=message.since,
                until=message.until,
                count=len(message.told),
                status=reply.status or None,
                milliseconds=int(reply.seconds * 1_000),
                error=reply.error[:300],
            )
        )
        if reply.is_taken:
            _taken(subscription, message)
        elif message.until is not None or subscription.state == SubscriptionState.PENDING:
            _failed(subscription, reply, timezone.now())
    return reply


def _taken(subscription: Subscription, message: Message) -> None:
    held, now = Subscription.objects.filter(**_own(subscription)), timezone.now()
    well = {"failures": 0, "failing_since": None, "next_attempt_at": now}
    if message.until is not None:
        if held.update(position=message.until, until=None, **well):
            remember(subscription, message.told)
    else:
        active = {"state": SubscriptionState.ACTIVE, "state_at": now, "verified_at": now}
        held.exclude(state=SubscriptionState.DISABLED).update(**well)
        held.filter(state=SubscriptionState.PENDING).update(**active)


def _failed(subscription: Subscription, reply: outbound.Reply, now: datetime) -> None:
    since = subscription.failing_since or now
    if reply.status == 410:
        stop(subscription, "宛先が 410（もういらない）と答えました。")
    elif now - since >= GIVEN_UP_AFTER:
        stop(subscription, f"{GIVEN_UP_AFTER.days} 日のあいだ届きませんでした。最後の問題：{reply.error}")
    Subscription.objects.filter(**_own(subscription)).update(
        failures=subscription.failures + 1,
        failing_since=since,
        next_attempt_at=now + max(delay(subscription.failures), asked_to_wait(reply.retry_after, now)),
    )


def delay(failures: int) -> timedelta:
    """How long to wait after so many failures before this one."""
    return timedelta(seconds=RETRIES[min(failures, len(RETRIES) - 1)] * _chance.uniform(0.8, 1.2))


def asked_to_wait(retry_after: str, now: datetime) -> timedelta:
    """What a Retry-After header asks for, within bounds; nothing where it cannot be read."""
    try:
        if retry_after.isascii() and retry_after.isdigit():
            wait = timedelta(seconds=min(int(retry_after[:9]), LONGEST_WAIT.total_seconds()))
        else:
            wait = parsedate_to_datetime(retry_after) - now
    except (ValueError, TypeError, OverflowError):
        return timedelta()
    return max(timedelta(), min(wait, LONGEST_WAIT))

"""What the tests of webhooks share: a key, changes, time that passes."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from rulings.models import ApiKey, Change, ChangeKind, Entry, Subscription
from rulings.services.changes import ChangeLog
from rulings.services.delivering import deliver_due
from rulings.services.subscriptions import subscribe
from tests.makers import make_ruleset, make_section
from tests.services.receivers import Receiver

BASE = "https://rulings.example.org/"


def make_key(name: str = "ボット") -> ApiKey:
    return ApiKey.objects.issue(name)[0]


def change(*entries: Entry, kind: ChangeKind = ChangeKind.UPDATED) -> list[int]:
    """Record changes of entries, as a service does; return their numbers."""
    log = ChangeLog()
    note = {ChangeKind.CREATED: log.created, ChangeKind.UPDATED: log.updated, ChangeKind.ENDED: log.ended}[kind]
    note(*entries)
    with transaction.atomic():
        return [one.number for one in log.record()]


def sections(*numbers: str, **fields: Any) -> list[int]:
    """Make sections one after the other; return the numbers of their changes."""
    return [number for each in numbers for number in change(make_section(each, **fields), kind=ChangeKind.CREATED)]


def subscribed(receiver: Receiver, key: ApiKey | None = None, **what: Any) -> Subscription:
    """A subscription (to dm-cr unless said otherwise) whose ping was answered."""
    if not what.keys() & {"ruleset", "card", "search"}:
        what["ruleset"] = make_ruleset("dm-cr")
    made, _secret = subscribe(key or make_key(), receiver.url, BASE, **what)
    deliver_due(1)
    made.refresh_from_db()
    return made


def deliver_later() -> None:
    """Let the time pass that failed deliveries wait for, and deliver."""
    Subscription.objects.update(next_attempt_at=timezone.now() - timedelta(seconds=1))
    deliver_due(1)


def age(subscription: Subscription, days: float) -> None:
    """Let a failing subscription have failed for some days."""
    Subscription.objects.filter(pk=subscription.pk).update(failing_since=F("failing_since") - timedelta(days=days))


def last_number() -> int:
    return Change.objects.latest_number()

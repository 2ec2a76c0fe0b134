"""What a webhook says: the bodies of its messages, with the rows of changes/."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urljoin
from uuid import uuid4

from django.urls import reverse
from django.utils import timezone

from rulings.models import Change, ChangeCounter, MessageKind, Subscription
from rulings.services.concerned import Concern


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it is sent; the same at every attempt."""

    id: str
    kind: MessageKind
    body: bytes
    since: int | None = None
    until: int | None = None
    told: tuple[Concern, ...] = ()


def ping(subscription: Subscription) -> Message:
    """A message that says nothing: whether the address answers."""
    name = f"msg_{subscription.pk}_ping_{uuid4().hex}"
    return Message(name, MessageKind.PING, _body("ping", timezone.now(), {"subscription": subscription.pk}))


def changes(subscription: Subscription, told: Sequence[Concern], until: int) -> Message:
    """The changes after the position of a subscription up to `until`."""
    since, database = subscription.position, ChangeCounter.objects.state().database
    data = {
        "subscription": subscription.pk,
        "since": since,
        "since_mark": Change.objects.mark_of(since, database),
        "until": until,
        "mark": Change.objects.mark_of(until, database),
        "changes": [row(one.change, subscription.base) | {"matches": one.matches} for one in told],
    }
    name = f"msg_{subscription.pk}_{subscription.epoch}_{since}_{until}"
    body = _body("changes", told[-1].change.at, data)
    return Message(name, MessageKind.CHANGES, body, since, until, tuple(told))


def row(change: Change, base: str) -> dict[str, Any]:
    """A row of changes/, its addresses under `base`."""
    name, pk = ("api-entry", change.entry_id) if change.entry_id else ("api-card", change.card_id)
    subject = change.entry or change.card
    return {
        "number": change.number,
        "change": change.kind,
        "kind": change.entry.kind if change.entry else "card",
        "id": pk,
        "at": timezone.localtime(change.at).isoformat(),
        "url": urljoin(base, subject.get_absolute_url() if subject else ""),
        "api_url": urljoin(base, reverse(name, args=[pk])),
    }


def _body(kind: str, at: datetime, data: dict[str, Any]) -> bytes:
    told = {"type": kind, "timestamp": timezone.localtime(at).isoformat(), "data": data}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()

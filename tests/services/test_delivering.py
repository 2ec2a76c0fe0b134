"""Webhooks against real servers: signed, in order, at least once, until they are given up."""

import hmac
import threading
from base64 import b64decode, b64encode
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from rulings.models import Attempt, Change, ChangeCounter, ChangeKind, Subscription, SubscriptionState
from rulings.models.subscriptions import KEPT_ATTEMPTS
from rulings.services import delivering, subscriptions
from rulings.services.delivering import RETRIES, asked_to_wait, delay, deliver_due
from rulings.services.subscriptions import SubscriptionError, subscribe
from tests.makers import make_ruleset, make_section
from tests.services.hooks import BASE, age, change, deliver_later, last_number, make_key, sections, subscribed
from tests.services.receivers import Received, Receiver, receiving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("to_this_machine")]


def verify(secret: str, received: Received) -> bool:
    """Whether a message was signed with a secret, reckoned as the standard says."""
    headers = received.headers
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + received.body
    digest = hmac.new(b64decode(secret.removeprefix("whsec_")), signed, sha256).digest()
    return f"v1,{b64encode(digest).decode()}" in headers["webhook-signature"].split(" ")


def test_nothing_is_told_before_the_ping_is_answered(receiver: Receiver) -> None:
    receiver.answer = lambda _received: (500, {})
    subscription = subscribed(receiver)
    sections("1.1")
    deliver_later()
    subscription.refresh_from_db()
    assert (subscription.state, subscription.failures) == (SubscriptionState.PENDING, 2)
    assert {one.message["type"] for one in receiver.got} == {"ping"}
    receiver.answer = lambda _received: (204, {})
    deliver_later()
    subscription.refresh_from_db()
    assert (subscription.state, subscription.failures) == (SubscriptionState.ACTIVE, 0)
    assert receiver.numbers == [1]


def test_a_message_has_the_rows_of_changes(receiver: Receiver, client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    sections("0.9")
    subscription = subscribed(receiver)
    sections("1.1", "1.2")
    deliver_due(1)
    (received,) = receiver.deliveries
    listed = client.get("/api/v1/changes/?since=1", headers={"host": "rulings.example.org"}, secure=True).json()
    data = received.message["data"]
    assert [{name: row[name] for name in row if name != "matches"} for row in data["changes"]] == listed["results"]
    assert [row["matches"] for row in data["changes"]] == [True, True]
    assert (data["subscription"], data["since"], data["until"]) == (subscription.pk, 1, 3)
    assert data["mark"] == listed["mark"]
    assert data["since_mark"] == client.get("/api/v1/changes/?since=0&page_size=1").json()["mark"]
    assert received.headers["content-type"] == "application/json"


def test_signed_with_the_secret_that_was_shown(receiver: Receiver, settings: Any) -> None:
    subscription, secret = subscribe(make_key(), receiver.url, BASE, ruleset=make_ruleset())
    sections("1.1")
    deliver_due(1)
    assert len(receiver.got) == 2
    for received in receiver.got:
        assert verify(secret, received)
        assert abs(int(received.headers["webhook-timestamp"]) - timezone.now().timestamp()) < 300
        assert not verify("whsec_" + b64encode(b"x" * 32).decode(), received)
    stored = Subscription.objects.values().get(pk=subscription.pk)
    assert b64decode(secret.removeprefix("whsec_")).hex() not in str(stored)
    assert secret not in str(stored)
    # Another key of the site: the forerunner signs too.
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another key of the site"
    sections("1.2")
    deliver_due(1)
    assert verify(secret, receiver.got[-1])
    settings.SECRET_KEY_FALLBACKS = []
    sections("1.3")
    deliver_due(1)
    assert not verify(secret, receiver.got[-1])


def test_in_order_in_batches_and_only_what_concerns(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivering, "BATCH", 3)
    monkeypatch.setattr(delivering, "SCAN", 4)
    subscription = subscribed(receiver)
    other = make_ruleset("dm-party", name="パーティー")
    wanted = []
    for number in range(1, 6):
        wanted += sections(f"1.{number}", f"2.{number}")
        sections(f"3.{number}", ruleset=other)
    deliver_due(1)
    assert receiver.numbers == wanted
    assert all(len(one.numbers) <= 3 for one in receiver.deliveries)
    spans = [(one.message["data"]["since"], one.message["data"]["until"]) for one in receiver.deliveries]
    assert all(until == since for (_first, until), (since, _last) in zip(spans, spans[1:], strict=False))
    subscription.refresh_from_db()
    assert subscription.position == last_number()
    got = len(receiver.got)
    assert deliver_due(1) == 0
    sections("4.1", ruleset=other)
    assert deliver_due(1) == 1
    assert len(receiver.got) == got


def test_a_failed_delivery_is_sent_again_as_it_was(receiver: Receiver) -> None:
    subscription = subscribed(receiver)
    receiver.answer = lambda _received: (503, {})
    first = sections("1.1")
    deliver_due(1)
    later = sections("1.2")
    assert deliver_due(1) == 0  # not yet
    deliver_later()
    receiver.answer = lambda _received: (200, {})
    deliver_later()
    sent = [(one.headers["webhook-id"], one.body) for one in receiver.deliveries]
    assert sent[0] == sent[1] == sent[2]
    assert [one.numbers for one in receiver.deliveries] == [first, first, first, later]
    subscription.refresh_from_db()
    assert (subscription.failures, subscription.failing_since, subscription.position) == (0, None, last_number())
    assert [(one.status, one.count) for one in subscription.attempts.order_by("pk")[1:]] == [
        (503, 1), (503, 1), (200, 1), (200, 1),
    ]  # fmt: skip


def test_one_that_fails_does_not_stop_the_others(receiver: Receiver) -> None:
    key = make_key()
    with receiving() as broken:
        bad, good = subscribed(broken, key), subscribed(receiver, key)
        broken.answer = lambda _received: (500, {})
        wanted = sections("1.1", "1.2")
        assert deliver_due(4) == 2
        assert receiver.numbers == wanted
        bad.refresh_from_db()
        good.refresh_from_db()
        assert (bad.position, good.position) == (0, last_number())


def test_waits_longer_each_time() -> None:
    for failures, seconds in enumerate(RETRIES):
        waits = {delay(failures).total_seconds() for _time in range(50)}
        assert seconds * 0.8 <= min(waits) < max(waits) <= seconds * 1.2
    assert delay(999).total_seconds() >= RETRIES[-1] * 0.8


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ("120", 120), ("0", 0), ("-5", 0), ("999999999999", 86_400), ("soon", 0), ("", 0), ("１２０", 0),
        ("Tue, 01 Dec 2026 00:10:00 GMT", 600), ("Mon, 30 Nov 2026 23:00:00 GMT", 0),
        ("Tue, 01 Dec 2099 00:00:00 GMT", 86_400), ("Tue, 01 Dec 2026 00:10:00 -0000", 0),
        ("Tue, 99999999999999999999 Dec 2026 00:10:00 GMT", 0), ("Tue, 01 Dec 2026 00:10:00 +9999999999999", 0),
        ("Tue, 01 Dec 99999999999999 00:10:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 -2359", 86_400),
    ],
)  # fmt: skip
def test_retry_after(asked: str, seconds: int) -> None:
    now = timezone.datetime(2026, 12, 1, tzinfo=timezone.get_fixed_timezone(0))
    assert asked_to_wait(asked, now) == timedelta(seconds=seconds)


def test_retry_after_is_kept(receiver: Receiver) -> None:
    subscription = subscribed(receiver)
    receiver.answer = lambda _received: (429, {"Retry-After": "3000"})
    sections("1.1")
    before = timezone.now()
    deliver_due(1)
    subscription.refresh_from_db()
    assert subscription.next_attempt_at >= before + timedelta(seconds=3_000)


def test_what_nobody_expected_waits_and_is_given_up_too(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of our own must not ask a receiver every two seconds for ever."""
    subscription = subscribed(receiver)
    sections("1.1")

    def breaks(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(delivering.outbound, "post", breaks)
    before = timezone.now()
    deliver_due(1)
    subscription.refresh_from_db()
    assert (subscription.failures, subscription.position) == (1, 0)
    assert subscription.next_attempt_at >= before + timedelta(seconds=RETRIES[0] * 0.8)
    age(subscription, 3)
    deliver_later()
    subscription.refresh_from_db()
    assert subscription.state == SubscriptionState.DISABLED
    assert "ZeroDivisionError" in subscription.reason


def test_410_stops_at_once(receiver: Receiver) -> None:
    subscription = subscribed(receiver)
    receiver.answer = lambda _received: (410, {})
    sections("1.1")
    deliver_due(1)
    subscription.refresh_from_db()
    assert subscription.state == SubscriptionState.DISABLED
    assert "410" in subscription.reason


def test_given_up_after_days_and_continued_where_it_stopped(receiver: Receiver) -> None:
    subscription = subscribed(receiver)
    receiver.answer = lambda _received: (500, {})
    wanted = sections("1.1")
    deliver_due(1)
    age(subscription, 2.9)
    deliver_later()
    subscription.refresh_from_db()
    assert subscription.state == SubscriptionState.ACTIVE
    age(subscription, 0.2)
    deliver_later()
    subscription.refresh_from_db()
    assert subscription.state == SubscriptionState.DISABLED
    assert "3 日" in subscription.reason
    assert "500" in subscription.reason
    tried = len(receiver.got)
    wanted += sections("1.2")
    deliver_later()
    assert len(receiver.got) == tried
    receiver.answer = lambda _received: (200, {})
    receiver.got.clear()
    subscriptions.enable(subscription)
    deliver_due(1)
    assert receiver.numbers == wanted


def test_a_replay_tells_again_under_other_ids(receiver: Receiver) -> None:
    subscription = subscribed(receiver)
    wanted = sections("1.1", "1.2", "1.3")
    deliver_due(1)
    subscriptions.replay(subscription, wanted[0])
    deliver_due(1)
    first, second = receiver.deliveries
    assert second.numbers == wanted[1:]
    assert first.headers["webhook-id"] != second.headers["webhook-id"]
    with pytest.raises(SubscriptionError) as caught:
        subscriptions.replay(subscription, 99)
    assert caught.value.code == "resync_required"
    with pytest.raises(SubscriptionError) as caught:
        subscriptions.replay(subscription, 1, mark="nonsense")
    assert caught.value.code == "resync_required"


def test_a_replay_while_a_message_is_under_way_is_not_overtaken(receiver: Receiver) -> None:
    subscription = subscribed(receiver)
    wanted = sections("1.1", "1.2")

    def replaying(_received: Received) -> tuple[int, dict[str, str]]:
        receiver.answer = lambda _received: (200, {})
        subscriptions.replay(Subscription.objects.get(pk=subscription.pk), 0)
        return 200, {}

    receiver.answer = replaying
    deliver_due(1)
    deliver_due(1)
    assert receiver.numbers == wanted + wanted


def test_a_log_that_was_cut_asks_to_begin_anew(receiver: Receiver) -> None:
    subscription = subscribed(receiver)
    sections("1.1", "1.2")
    Change.objects.filter(number=1).delete()
    deliver_due(1)
    subscription.refresh_from_db()
    assert subscription.state == SubscriptionState.DISABLED
    assert "exports/" in subscription.reason
    assert receiver.deliveries == []
    with pytest.raises(SubscriptionError):
        subscriptions.replay(subscription, 0)
    subscriptions.replay(subscription, 1)
    subscriptions.enable(subscription)
    deliver_due(1)
    assert receiver.numbers == [2]


def test_a_database_that_was_put_back_asks_to_begin_anew(receiver: Receiver) -> None:
    subscription = subscribed(receiver)
    sections("1.1", "1.2")
    deliver_due(1)
    Change.objects.filter(number=2).delete()
    ChangeCounter.objects.update(last=1)
    deliver_due(1)
    subscription.refresh_from_db()
    assert subscription.state == SubscriptionState.DISABLED


def test_a_revoked_key_is_told_nothing_more(receiver: Receiver) -> None:
    key = make_key()
    subscribed(receiver, key)
    key.revoked_at = timezone.now()
    key.save()
    sections("1.1")
    assert deliver_due(1) == 0
    assert receiver.deliveries == []


def test_the_log_of_attempts_is_bounded(receiver: Receiver) -> None:
    subscription = subscribed(receiver)
    receiver.answer = lambda _received: (500, {})
    sections("1.1")
    for _time in range(KEPT_ATTEMPTS + 5):
        Attempt.objects.keep(Attempt(subscription=subscription, message_id="m", kind="ping"))
    deliver_due(1)
    assert Attempt.objects.count() == KEPT_ATTEMPTS
    newest = Attempt.objects.first()
    assert newest is not None
    assert (newest.status, newest.error, newest.kind) == (500, "宛先が 500 と答えました。", "changes")
    assert newest.milliseconds < 60_000


def test_an_address_that_has_become_private_is_not_sent_to(receiver: Receiver, settings: Any) -> None:
    subscription = subscribed(receiver)
    sections("1.1")
    settings.WEBHOOK_ALLOW = []
    deliver_due(1)
    assert receiver.deliveries == []
    attempt = subscription.attempts.first()
    assert attempt is not None
    assert attempt.status is None
    assert "公開されていない" in attempt.error


def test_two_deliverers_lose_nothing_and_keep_the_order(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even without the lock: positions are compared when they move, so repeats are all that can happen."""
    monkeypatch.setattr(delivering, "BATCH", 1)
    subscribed(receiver)
    entry = make_section("1.1")
    wanted = [number for _time in range(8) for number in change(entry)]
    together = threading.Barrier(2)

    def run() -> None:
        together.wait()
        delivering._serve_apart(Subscription.objects.get().pk)

    threads = [threading.Thread(target=run) for _thread in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seen = list(dict.fromkeys(receiver.numbers))
    assert seen == wanted
    assert Subscription.objects.get().position == last_number()


def test_ended_entries_are_told(receiver: Receiver) -> None:
    subscribed(receiver)
    (number,) = change(make_section("1.1", status="withdrawn", status_reason="廃止"), kind=ChangeKind.ENDED)
    deliver_due(1)
    (row,) = receiver.deliveries[0].message["data"]["changes"]
    assert (row["number"], row["change"]) == (number, "ended")

"""Who delivers: one process at a time, killed or not; the site by itself; nobody where nobody is subscribed."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from rulings.models import Subscription
from rulings.services import background
from rulings.services.background import delivering_alone, wake
from rulings.services.delivering import deliver_due
from tests.services.hooks import BASE, sections, subscribed
from tests.services.receivers import Received, Receiver

ROOT = Path(__file__).resolve().parents[2]
CHANGES = 350

SET_UP = f"""
import sys
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("loaddata", "games", verbosity=0)
from django.db import transaction
from rulings.models import Change, Ruleset
from rulings.services.subscriptions import subscribe
from tests.makers import make_section
from tests.services.hooks import make_key
subscribe(make_key(), sys.argv[1], "{BASE}", ruleset=Ruleset.objects.get(slug="dm-cr"))
section = make_section("9.9")
with transaction.atomic():
    Change.objects.record([Change(kind="updated", entry=section) for _number in range({CHANGES})])
"""


@pytest.fixture
def elsewhere(tmp_path: Path, receiver: Receiver) -> dict[str, str]:
    """A site of its own with a subscription and changes to deliver: the environment of its processes."""
    env = os.environ | {
        "RULINGS_DATA_DIR": str(tmp_path),
        "RULINGS_DEBUG": "1",
        "RULINGS_WEBHOOK_ALLOW": "127.0.0.1/32",
        "DJANGO_SETTINGS_MODULE": "rulings.settings",
    }
    env.pop("DATABASE_URL", None)
    subprocess.run([sys.executable, "-c", SET_UP, receiver.url], cwd=ROOT, env=env, check=True, timeout=240)
    return env


def deliver(env: dict[str, str], *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "manage.py", "deliver_webhooks", *options]
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE)


def test_killed_in_the_middle_nothing_is_lost(receiver: Receiver, elsewhere: dict[str, str]) -> None:
    hold = threading.Event()

    def answer(received: Received) -> tuple[int, dict[str, str]]:
        if received.numbers and not hold.is_set():
            receiver.more.set()
            hold.wait(60)  # the sender is killed while it waits
        return 204, {}

    receiver.answer = answer
    for kill in range(3):
        before = len(receiver.deliveries)
        process = deliver(elsewhere)
        receiver.wait_for(lambda before=before: len(receiver.deliveries) > before, 120)  # type: ignore[misc]
        process.send_signal(signal.SIGKILL)
        process.communicate()
        hold.set()
        hold = threading.Event()
        if kill == 1:  # this one comes to its answer, and is killed when it has had it
            hold.set()
    hold.set()
    last = deliver(elsewhere)
    receiver.wait_for(lambda: CHANGES in receiver.numbers, 200)
    last.terminate()
    last.communicate(timeout=60)
    assert last.returncode == 0
    first_seen = list(dict.fromkeys(receiver.numbers))
    assert first_seen == list(range(1, CHANGES + 1))
    assert len(receiver.numbers) > CHANGES  # something was sent twice, under one id with one body
    bodies: dict[str, set[bytes]] = {}
    for one in receiver.deliveries:
        bodies.setdefault(one.headers["webhook-id"], set()).add(one.body)
    assert all(len(each) == 1 for each in bodies.values())


@pytest.fixture
def site(settings: Any, to_this_machine: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process serves the site."""
    settings.WEBHOOKS, settings.WEBHOOK_LOCK = "auto", tmp_path / "lock"
    monkeypatch.setattr(background, "_site", threading.Event())
    monkeypatch.setattr(background, "_thread", None)
    monkeypatch.setattr(background, "LOOK_EVERY", 0.1)
    background._site.set()
    yield
    Subscription.objects.all().delete()
    if background._thread is not None:
        background._thread.join(30)
        assert not background._thread.is_alive()


def once() -> str:
    out = StringIO()
    call_command("deliver_webhooks", "--once", stdout=out)
    return out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_one_at_a_time(site: None, receiver: Receiver, settings: Any) -> None:
    settings.WEBHOOKS = "off"
    subscribed(receiver)
    wanted = sections("1.1")
    with delivering_alone() as alone:
        assert alone
        assert "ほかのプロセス" in once()
        assert receiver.deliveries == []
    assert "1 件の宛先に届けました" in once()
    assert receiver.numbers == wanted


@pytest.mark.django_db(transaction=True)
def test_the_site_delivers_by_itself(site: None, receiver: Receiver) -> None:
    sections("0.1")
    assert background._thread is None  # nobody is subscribed
    subscription = subscribed(receiver)
    receiver.wait_for(lambda: Subscription.objects.filter(state="active").exists())
    wanted = sections("1.1", "1.2")
    receiver.wait_for(lambda: receiver.numbers == wanted)
    assert background._thread is not None
    assert background._thread.is_alive()
    subscription.delete()
    background._thread.join(30)
    assert not background._thread.is_alive()


@pytest.mark.django_db(transaction=True)
def test_a_database_that_was_away_is_asked_again(
    site: None, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[int] = []

    def away_at_first() -> int:
        asked.append(1)
        if len(asked) < 3:
            raise OperationalError("database is locked")
        return deliver_due(1)

    monkeypatch.setattr(background, "AFTER_FAILURE", 0.05)
    monkeypatch.setattr(background, "deliver_due", away_at_first)
    subscribed(receiver)
    wanted = sections("1.1")
    receiver.wait_for(lambda: receiver.numbers == wanted)
    assert caplog.text.count("通知を配信できません") == 2


@pytest.mark.django_db(transaction=True)
def test_the_site_stands_by_while_another_delivers(site: None, receiver: Receiver) -> None:
    with delivering_alone() as alone:
        assert alone
        subscribed(receiver)
        background.serve_here()
        sections("1.1")
        assert background._thread is not None
        assert background._thread.is_alive()
        assert receiver.deliveries == []
    receiver.wait_for(lambda: receiver.numbers == [1])


@pytest.mark.django_db(transaction=True)
def test_nobody_subscribed_costs_nothing(site: None, receiver: Receiver) -> None:
    background._site.clear()
    with CaptureQueriesContext(connection) as queries:
        wake()
    assert len(queries) == 0  # no site: a command
    background._site.set()
    with CaptureQueriesContext(connection) as queries:
        wake()
    assert len(queries) == 1  # after a commit; requests that only read ask nothing
    assert background._thread is None
    background.serve_here()
    assert background._thread is not None
    background._thread.join(30)
    assert not background._thread.is_alive()


@pytest.mark.django_db(transaction=True)
def test_switched_off(site: None, receiver: Receiver, settings: Any) -> None:
    settings.WEBHOOKS = "off"
    subscribed(receiver)
    background.serve_here()
    sections("1.1")
    assert background._thread is None
    assert receiver.deliveries == []
    once()
    assert receiver.numbers == [1]

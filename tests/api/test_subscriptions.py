"""subscriptions/: with a key, each key its own, every answer as described."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator, FormatChecker

from rulings.models import ApiKey, Attempt, Subscription
from rulings.search import indexing
from rulings.services import addresses
from rulings.services.delivering import RETRIES, deliver_due
from tests.api.conftest import check, described
from tests.makers import make_card, make_faq, make_ruleset
from tests.services.hooks import sections
from tests.services.receivers import Receiver, receiving

pytestmark = pytest.mark.django_db(transaction=True)
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def trial(to_this_machine: None) -> None:
    make_ruleset("dm-cr")


def asking(client: Client, key: str = "") -> Ask:
    """Ask as the owner of a key, every answer compared with the description."""

    def ask(method: str, address: str, status: int, /, **body: Any) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        options: dict[str, Any] = {"headers": headers}
        if method not in ("get", "delete"):
            options |= {"data": json.dumps(body), "content_type": "application/json"}
        response = getattr(client, method)(f"/api/v1/subscriptions/{address}", **options)
        assert response.status_code == status, response.content.decode()[:500]
        assert response["Cache-Control"] == "no-store"
        if status == 204:
            assert response.content == b""
            return {}
        check(response)
        return response.json()

    return ask


@pytest.fixture
def ask(client: Client) -> Ask:
    return asking(client, ApiKey.objects.issue("ボット")[1])


def test_without_a_key_nothing(client: Client) -> None:
    nobody = asking(client)
    for method, address in (("get", ""), ("post", ""), ("get", "1/"), ("patch", "1/"), ("delete", "1/"),
                            ("get", "1/attempts/"), ("post", "1/replay/"), ("post", "1/ping/")):  # fmt: skip
        assert nobody(method, address, 401)["code"] == "key_required"
    key, secret = ApiKey.objects.issue("取り消し")
    ApiKey.objects.filter(pk=key.pk).update(revoked_at=timezone.now())
    assert asking(client, secret)("get", "", 401)["code"] == "invalid_key"


def test_from_the_first_to_the_last(ask: Ask, receiver: Receiver) -> None:
    sections("0.1")
    made = ask("post", "", 201, address=receiver.url, ruleset="dm-cr")
    assert (made["state"], made["position"], made["ruleset"], made["card"]) == ("pending", 1, "dm-cr", None)
    assert made["secret"].startswith("whsec_")
    own = f"{made['id']}/"
    assert "secret" not in ask("get", own, 200)
    assert ask("post", f"{own}ping/", 200)["state"] == "active"
    assert ask("post", f"{own}ping/", 429)["code"] == "throttled"
    sections("1.1", "1.2")
    deliver_due(1)
    assert receiver.numbers == [2, 3]
    listed = ask("get", "", 200)
    assert (listed["count"], listed["results"][0]["position"]) == (1, 3)
    attempts = ask("get", f"{own}attempts/", 200)["results"]
    assert [(one["kind"], one["status"], one["count"]) for one in attempts] == [("changes", 204, 2), ("ping", 204, 0)]
    assert ask("patch", own, 200, state="disabled")["reason"] == "登録した人が止めました。"
    sections("1.3")
    deliver_due(1)
    assert receiver.numbers == [2, 3]
    assert ask("patch", own, 200, state="active")["state"] == "active"
    deliver_due(1)
    assert receiver.numbers == [2, 3, 4]
    assert ask("post", f"{own}replay/", 200, since=2)["position"] == 2
    deliver_due(1)
    assert receiver.numbers == [2, 3, 4, 3, 4]
    assert ask("post", f"{own}replay/", 410, since=99)["code"] == "resync_required"
    assert ask("post", f"{own}replay/", 410, since=2, mark="nonsense")["code"] == "resync_required"
    ask("delete", own, 204)
    assert ask("get", own, 404)["code"] == "not_found"
    assert not Attempt.objects.exists()


def test_reading_changes_nothing(ask: Ask, receiver: Receiver) -> None:
    ask("post", "", 201, address=receiver.url, ruleset="dm-cr")
    before = list(Subscription.objects.values())
    for address in ("", f"{before[0]['id']}/", f"{before[0]['id']}/attempts/"):
        ask("get", address, 200)
    assert list(Subscription.objects.values()) == before
    for address in ("1/replay/", "1/ping/"):
        assert ask("get", address, 405)["code"] == "method_not_allowed"
    assert receiver.got == []


def test_each_key_sees_its_own(ask: Ask, client: Client, receiver: Receiver, settings: Any) -> None:
    settings.WEBHOOKS_PER_KEY = 2
    made = ask("post", "", 201, address=receiver.url, ruleset="dm-cr")
    other = asking(client, ApiKey.objects.issue("別のボット")[1])
    assert other("get", "", 200)["count"] == 0
    for method, address in (("get", ""), ("patch", ""), ("delete", ""), ("get", "attempts/"), ("post", "ping/")):
        assert other(method, f"{made['id']}/{address}", 404)["code"] == "not_found"
    assert other("post", f"{made['id']}/replay/", 404, since=0)["code"] == "not_found"
    ask("post", "", 201, address=receiver.url, ruleset="dm-cr")
    assert ask("post", "", 409, address=receiver.url, ruleset="dm-cr")["code"] == "too_many_subscriptions"
    other("post", "", 201, address=receiver.url, ruleset="dm-cr")


@pytest.mark.parametrize(
    ("body", "code", "parameter"),
    [
        ({}, "invalid_parameter", "address"),
        ({"ruleset": "dm-cr", "card": 1}, "invalid_parameter", "card"),
        ({"ruleset": "dm-xx"}, "invalid_parameter", "ruleset"),
        ({"card": 99_999}, "invalid_parameter", "card"),
        ({"search": "q=竜&page=2"}, "invalid_parameter", "search"),
        ({"search": "kind=faq"}, "invalid_parameter", "search"),
        ({"ruleset": "dm-cr", "since": -1}, "invalid_parameter", "since"),
        ({"ruleset": "dm-cr", "search": "q=竜"}, "invalid_parameter", None),
        ({"address": "https://localhost/", "ruleset": "dm-cr"}, "address_refused", "address"),
        ({"address": "https://10.0.0.1/", "ruleset": "dm-cr"}, "address_refused", "address"),
        ({"address": "https://rebinding.example.com/", "ruleset": "dm-cr"}, "address_refused", "address"),
        ({"address": "https://user@bot.example.com/", "ruleset": "dm-cr"}, "address_refused", "address"),
        ({"address": "https://bot.example.com/\x00", "ruleset": "dm-cr"}, "invalid_parameter", "address"),
        ({"address": "", "ruleset": "dm-cr"}, "invalid_parameter", "address"),
    ],
)
def test_what_cannot_be_subscribed_is_told(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, body: dict[str, Any], code: str, parameter: str | None
) -> None:
    monkeypatch.setattr(addresses, "system_resolver", lambda _host, _port: ["10.1.2.3"])
    whole = {"address": "https://93.184.215.14/"} | body if body else {}
    problem = ask("post", "", 400, **whole)
    assert (problem["code"], problem.get("parameter")) == (code, parameter)
    assert not Subscription.objects.exists()


def test_numbers_of_another_database_are_refused(ask: Ask, receiver: Receiver) -> None:
    sections("1.1")
    for body in ({"since": 5}, {"since": 1, "mark": "nonsense"}):
        problem = ask("post", "", 410, address=receiver.url, ruleset="dm-cr", **body)
        assert (problem["code"], problem["parameter"]) == ("resync_required", "since")
    assert ask("post", "", 201, address=receiver.url, ruleset="dm-cr", since=0)["position"] == 0


def test_cards_and_searches(ask: Ask, receiver: Receiver) -> None:
    card = make_card("青き竜")
    make_faq("墓地から出せますか？", cards=[card])
    indexing.rebuild()
    assert ask("post", "", 201, address=receiver.url, card=card.pk)["card"] == card.pk
    made = ask("post", "", 201, address=receiver.url, search="q=墓地&kind=faq")
    assert made["search"] == "q=%E5%A2%93%E5%9C%B0&kind=faq"
    assert Subscription.objects.get(pk=made["id"]).known.count() == 1


def test_another_address_is_confirmed_anew(ask: Ask, receiver: Receiver) -> None:
    made = ask("post", "", 201, address=receiver.url, ruleset="dm-cr")
    deliver_due(1)
    own = f"{made['id']}/"
    assert ask("patch", own, 400, address="https://127.0.0.2/")["code"] == "address_refused"
    with receiving() as other:
        other.answer = lambda _received: (500, {})
        assert ask("patch", own, 200, address=other.url)["state"] == "pending"
        numbers = sections("1.1")
        deliver_due(1)
        assert [one.message["type"] for one in other.got] == ["ping"]
        other.answer = lambda _received: (200, {})
        Subscription.objects.update(next_attempt_at=timezone.now())
        deliver_due(1)
        assert other.numbers == numbers
    assert receiver.numbers == []


def test_messages_are_as_described(ask: Ask, receiver: Receiver) -> None:
    ask("post", "", 201, address=receiver.url, ruleset="dm-cr")
    sections("1.1")
    deliver_due(1)
    assert len(receiver.got) == 2
    for received in receiver.got:
        operation = described()["webhooks"][received.message["type"]]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        Draft202012Validator(
            schema | {"components": described()["components"]}, format_checker=FormatChecker()
        ).validate(received.message)


def test_the_schedule_is_published() -> None:
    text = described()["webhooks"]["changes"]["post"]["description"]
    units = [(3_600, "時間"), (60, "分"), (1, "秒")]
    told = [next(f"{wait // size}{unit}" for size, unit in units if wait >= size) for wait in RETRIES]
    assert f"{'、'.join(told[:-1])}、以後{told[-1]}ごと" in text

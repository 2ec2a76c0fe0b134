"""Discord and LINE: signed requests made from their published formats; bad, old and repeated ones refused."""

import base64
import hmac
import json
import threading
import time
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from nacl.signing import SigningKey

from rulings.bots.discord import COMMANDS
from tests.makers import make_card, make_section

pytestmark = pytest.mark.django_db
KEY = SigningKey.generate()
_serial = count(1)


@pytest.fixture(autouse=True)
def configured(settings: Any, tmp_path: Any) -> None:
    settings.DISCORD_PUBLIC_KEY = KEY.verify_key.encode().hex()
    settings.LINE_SECRET, settings.LINE_TOKEN = "channel secret", "channel token"
    settings.COUNTERS_FILE = tmp_path / "counters"
    make_section("805.4a", body="この竜は召喚できません。")
    make_card("青き竜")


# -- Discord -------------------------------------------------------------------------------------------------------


def signed(body: bytes, sent_at: str | None = None, key: SigningKey = KEY) -> dict[str, str]:
    sent_at = sent_at or str(int(time.time()))
    signature = key.sign(sent_at.encode() + body).signature.hex()
    return {"X-Signature-Ed25519": signature, "X-Signature-Timestamp": sent_at}


def command(name: str, q: str, kind: int = 2) -> bytes:
    option = {"name": "q", "type": 3, "value": q} | ({"focused": True} if kind == 4 else {})
    data = {"id": "1", "name": name, "type": 1, "options": [option]}
    return json.dumps(
        {"id": str(next(_serial)), "application_id": "2", "type": kind, "token": "t", "data": data}
    ).encode()


def interact(client: Client, body: bytes, headers: dict[str, str] | None = None) -> Any:
    headers = signed(body) if headers is None else headers
    return client.post("/api/bots/discord/", body, content_type="application/json", headers=headers)


def test_discord_ping(client: Client) -> None:
    assert interact(client, b'{"type": 1, "id": "9"}').json() == {"type": 1}


@pytest.mark.parametrize("name", ["rule", "ask"])
def test_discord_commands_go_through_to_the_answer(client: Client, name: str) -> None:
    answer = interact(client, command(name, "805.4a")).json()
    assert answer["type"] == 4
    assert "この竜は召喚できません。" in answer["data"]["content"]
    assert "http://testserver/dm-cr/805.4a/" in answer["data"]["content"]
    assert answer["data"]["allowed_mentions"] == {"parse": []}


def test_discord_completions(client: Client) -> None:
    choices = interact(client, command("card", "青", kind=4)).json()["data"]["choices"]
    assert choices == [{"name": "青き竜", "value": "青き竜"}]
    rules = interact(client, command("rule", "805", kind=4)).json()["data"]["choices"]
    assert [choice["name"] for choice in rules] == ["総合ルール 805.4a この竜は召喚できません。"]
    assert interact(client, command("rule", "", kind=4)).json()["data"]["choices"] == []


def test_discord_refuses_what_is_not_signed_by_it(client: Client) -> None:
    body = command("rule", "805.4a")
    good = signed(body)
    for headers in (
        {},
        good | {"X-Signature-Ed25519": "00" * 64},
        good | {"X-Signature-Ed25519": "nonsense"},
        good | {"X-Signature-Timestamp": str(int(time.time()) + 1)},
        signed(body, key=SigningKey.generate()),
        signed(body + b" "),
    ):
        assert interact(client, body, headers).status_code == 401


def test_discord_refuses_old_and_repeated_requests(client: Client) -> None:
    body = command("rule", "805.4a")
    for sent_at in (str(int(time.time()) - 3600), str(int(time.time()) + 3600), "x"):
        assert interact(client, body, signed(body, sent_at)).status_code == 401
    headers = signed(body)
    assert interact(client, body, headers).status_code == 200
    assert interact(client, body, headers).status_code == 401


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"id": "1"}', b'{"type": 99, "id": "77"}', b"\xff"])
def test_discord_malformed(client: Client, body: bytes) -> None:
    assert interact(client, body).status_code == 400


def test_discord_odd_shapes_ask_nothing(client: Client) -> None:
    for number, data in enumerate(({}, {"options": None}, {"options": [1]}, {"options": [{"name": "q"}]}, None)):
        body = json.dumps({"type": 2, "id": f"odd {number}", "data": data}).encode()
        assert interact(client, body).json()["type"] == 4


def test_the_commands_are_what_discord_takes() -> None:
    for one in COMMANDS:
        assert 1 <= len(one["name"]) <= 32
        assert 1 <= len(one["description"]) <= 100
    call_command("discord_commands")


# -- LINE ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def line_api(settings: Any) -> Iterator[list[dict[str, Any]]]:
    """A stand-in for api.line.me that keeps what it is told."""
    told: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told.append({"path": self.path, "key": self.headers["Authorization"], **json.loads(body)})
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            """Silent."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings.LINE_API = f"http://127.0.0.1:{server.server_port}"
    yield told
    server.shutdown()


def message(text: str, **changed: Any) -> dict[str, Any]:
    event = {
        "type": "message", "mode": "active", "timestamp": int(time.time() * 1000), "replyToken": "reply",
        "webhookEventId": f"event {next(_serial)}", "deliveryContext": {"isRedelivery": False},
        "source": {"type": "user", "userId": "U1"}, "message": {"type": "text", "id": "1", "text": text},
    }  # fmt: skip
    return event | changed


def call(client: Client, *events: Any, secret: str = "channel secret", body: bytes | None = None) -> Any:  # noqa: S107
    body = json.dumps({"destination": "U0", "events": events}).encode() if body is None else body
    signature = base64.b64encode(hmac.new(secret.encode(), body, sha256).digest()).decode()
    headers = {"X-Line-Signature": signature}
    return client.post("/api/bots/line/", body, content_type="application/json", headers=headers)


def test_line_messages_are_answered(client: Client, line_api: list[dict[str, Any]]) -> None:
    assert call(client, message("805.4a")).json() == {"answered": 1}
    (told,) = line_api
    assert (told["path"], told["key"], told["replyToken"]) == ("/v2/bot/message/reply", "Bearer channel token", "reply")
    assert "この竜は召喚できません。" in told["messages"][0]["text"]


def test_line_leaves_other_old_and_repeated_events(client: Client, line_api: list[dict[str, Any]]) -> None:
    event = message("805.4a")
    assert call(client, event).json() == {"answered": 1}
    assert call(client, event).json() == {"answered": 0}
    old = message("805.4a", timestamp=int(time.time() * 1000) - 3_600_000)
    others = [message("x", type="follow"), message("x", message={"type": "sticker"}), message("x", replyToken="")]
    assert call(client, old, *others).json() == {"answered": 0}
    assert call(client).json() == {"answered": 0}
    assert len(line_api) == 1


def test_line_refuses_what_is_not_signed_by_it(client: Client, line_api: list[dict[str, Any]]) -> None:
    assert call(client, message("805.4a"), secret="another").status_code == 401
    body = json.dumps({"events": []})
    for signature in ("", "nonsense", "あ"):
        headers = {"X-Line-Signature": signature}
        assert client.post("/api/bots/line/", body, content_type="application/json", headers=headers).status_code == 401
    assert line_api == []


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"events": [1]}', b'{"events": 1}', b"\xff"])
def test_line_malformed(client: Client, body: bytes) -> None:
    assert call(client, body=body).status_code == 400


def test_line_that_does_not_take_the_reply(client: Client, settings: Any) -> None:
    settings.LINE_API = "http://127.0.0.1:9"
    assert call(client, message("805.4a")).json() == {"answered": 0}


def test_off_unless_configured(client: Client, settings: Any) -> None:
    settings.DISCORD_PUBLIC_KEY = settings.LINE_TOKEN = ""
    body = command("rule", "805.4a")
    assert interact(client, body).status_code == 404
    assert call(client, message("805.4a")).status_code == 404
    assert client.get("/api/bots/discord/").status_code == 405


@pytest.mark.parametrize("address", ["/api/bots/discord/", "/api/bots/line/"])
@pytest.mark.parametrize("method", ["get", "head", "put", "delete", "options"])
def test_other_methods_are_refused_as_json(client: Client, address: str, method: str) -> None:
    response = getattr(client, method)(address)
    assert (response.status_code, response["Allow"], response["Content-Type"]) == (405, "POST", "application/json")


def test_half_letters_and_huge_numbers_are_the_senders_fault(client: Client, line_api: list[dict[str, Any]]) -> None:
    assert interact(client, command("ask", "\ud800竜")).json()["type"] == 4
    assert interact(client, b'{"type": 2, "id": "\\ud800", "data": {}}').status_code == 200
    assert interact(client, b"[" * 200_000).status_code == 400
    assert call(client, message("\ud800竜")).json() == {"answered": 1}
    assert call(client, message("805.4a", timestamp=10**400)).status_code == 400
    assert call(client, body=b"[" * 200_000).status_code == 400

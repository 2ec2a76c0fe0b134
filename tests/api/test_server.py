"""What the server itself answers, before any code of the site runs: problem JSON too."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.live import PATIENCE, fetch, own_copy, shipped, site  # noqa: F401 - fixtures


@pytest.fixture
def address(own_copy: Path) -> Iterator[str]:  # noqa: F811
    with site(own_copy, workers=1) as found:
        yield found


def say(address: str, request: bytes) -> tuple[str, dict[str, object]]:
    """The status line and the body that come back for bytes on the wire."""
    host, _colon, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(request)
        answer = b""
        while block := connection.recv(65_536):
            answer += block
    head, _blank, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head.lower()
    return head.decode().partition("\r\n")[0], json.loads(body)


def test_what_cannot_be_read_is_a_problem(address: str) -> None:
    for request, status in (
        (b"GET /api/v1/search/?q=" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        (b"GET /api/v1/search/ HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * 9000 + b"\r\n\r\n", 431),
        (b"this is no HTTP\r\n\r\n", 400),
        (b"GET /api/v1/search/ HTTP/1.0\r\nHost: elsewhere.example\r\n\r\n", 400),
    ):
        line, problem = say(address, request)
        assert f" {status} " in line
        assert (problem["status"], problem["code"]) == (status, "malformed_request")


def test_the_longest_question_gets_through(address: str) -> None:
    question = quote("裁" * 500)
    assert fetch(f"{address}/api/v1/answer/?q={question}").status == 200
    refused = fetch(f"{address}/api/v1/answer/?q={question}{quote('裁')}").json()
    assert (refused["code"], refused["parameter"]) == ("invalid_parameter", "q")
    assert fetch(f"{address}/api/v1/search/?q={question}").status == 200

"""One POST to somebody else's server: bounded, never redirected, to the very address that was checked."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rulings.services import outbound
from rulings.services.outbound import post
from tests.services.receivers import Receiver, receiving

pytestmark = pytest.mark.usefixtures("to_this_machine")


@contextmanager
def raw_server(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that says what it likes to one client."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            try:
                connected, _peer = server.accept()
            except OSError:
                return
            with connected:
                try:
                    talk(connected)
                except OSError:
                    return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def read_all(connected: socket.socket) -> None:
    """Read a request to its end: who closes before that takes the answer back."""
    data = b""
    while not data.endswith(b"{}"):
        part = connected.recv(4_096)
        if not part:
            raise ConnectionError
        data += part


def test_sent_as_it_is(receiver: Receiver) -> None:
    reply = post(receiver.url, '{"a": "竜"}'.encode(), {"Content-Type": "application/json", "webhook-id": "m"})
    assert (reply.status, reply.error, reply.is_taken) == (204, "", True)
    (received,) = receiver.got
    assert received.path == "/hook?a=1"
    assert received.body == '{"a": "竜"}'.encode()
    assert received.headers["webhook-id"] == "m"
    assert received.headers["host"] == receiver.url.split("/")[2]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(receiver: Receiver, status: int) -> None:
    with receiving() as inner:
        receiver.answer = lambda _received: (status, {"Location": inner.url})
        reply = post(receiver.url, b"{}", {})
        assert (reply.status, reply.is_taken) == (status, False)
        assert "転送" in reply.error
        assert inner.got == []


def test_a_name_that_changes_its_mind_gains_nothing(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer is checked and used; a second look-up, that would say 127.0.0.1, is never made."""
    answers = iter([["192.0.2.1"], ["127.0.0.1"]])
    url = receiver.url.replace("127.0.0.1", "rebinding.example.com")
    assert post(url, b"{}", {}, lambda _host, _port: next(answers)).refused
    tried: list[str] = []

    def connects(self: socket.socket, address: tuple[str, int]) -> None:
        tried.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: pytest.fail("a second look-up"))
    monkeypatch.setattr(outbound.socket.socket, "connect", connects)
    asked: list[str] = []

    def says(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["93.184.215.14", "93.184.215.15"]

    assert not post(url, b"{}", {}, says).is_taken
    assert asked == ["rebinding.example.com"]
    assert tried == ["93.184.215.14", "93.184.215.15"]


def test_a_name_is_sent_to_its_address(receiver: Receiver) -> None:
    url = receiver.url.replace("127.0.0.1", "hook.example.com")
    assert post(url, b"{}", {}, lambda _host, _port: ["127.0.0.1"]).is_taken
    assert receiver.got[0].headers["host"].startswith("hook.example.com:")


def test_private_addresses_are_refused_at_the_connection(receiver: Receiver, settings: Any) -> None:
    settings.WEBHOOK_ALLOW = []
    reply = post(receiver.url, b"{}", {})
    assert (reply.status, reply.refused) == (0, True)
    assert receiver.got == []


def test_a_slow_answer_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then would reset any other timeout."""
    monkeypatch.setattr(outbound, "ANSWER_WITHIN", 0.5)
    stop = threading.Event()

    def drip(connected: socket.socket) -> None:
        connected.sendall(b"HTTP/1.1 200 OK\r\nX-")
        while not stop.wait(0.05):
            connected.sendall(b"a")

    with raw_server(drip) as port:
        reply = post(f"http://127.0.0.1:{port}/", b"{}", {})
        stop.set()
    assert (reply.status, reply.error) == (0, "時間内に答えがありませんでした。")
    assert reply.seconds < 30


def test_of_a_huge_answer_a_little_is_read() -> None:
    sent = [0]

    def pour(connected: socket.socket) -> None:
        read_all(connected)
        connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 500000000\r\n\r\n")
        while sent[0] < 500_000_000:
            sent[0] += connected.send(b"a" * 65_536)

    with raw_server(pour) as port:
        assert post(f"http://127.0.0.1:{port}/", b"{}", {}).status == 200
    assert sent[0] < 50_000_000


@pytest.mark.parametrize("size", [b"-5", b"-1", b"zz", b"", b"ffffffffffffffff", b"5;a=" + b"b" * 70_000])
def test_a_body_that_lies_about_its_size_is_bounded(size: bytes) -> None:
    """A negative chunk would be read to the end of the connection, or raise what nobody expects."""
    sent = [0]

    def pour(connected: socket.socket) -> None:
        read_all(connected)
        connected.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + size + b"\r\n")
        while sent[0] < 50_000_000:
            sent[0] += connected.send(b"a" * 65_536)

    with raw_server(pour) as port:
        assert post(f"http://127.0.0.1:{port}/", b"{}", {}).status == 200
    assert sent[0] < 50_000_000


@pytest.mark.parametrize("nonsense", [b"", b"\x00\x01\x02", b"HTTP/1.1 banana\r\n\r\n", b"HTTP/1.1 200 OK\r\n" * 200])
def test_nonsense_is_no_success(nonsense: bytes) -> None:
    def talk(connected: socket.socket) -> None:
        read_all(connected)
        connected.sendall(nonsense)

    with raw_server(talk) as port:
        reply = post(f"http://127.0.0.1:{port}/", b"{}", {})
    assert (reply.status, reply.is_taken) == (0, False)
    assert reply.error


def test_nobody_there(receiver: Receiver) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    reply = post(f"http://127.0.0.1:{port}/", b"{}", {})
    assert (reply.status, reply.error) == (0, "接続できませんでした（ConnectionRefusedError）。")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=hook.example.com",
         "-addext", "subjectAltName=DNS:hook.example.com", "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    return folder


@pytest.mark.parametrize(
    ("name", "trusted", "taken"),
    [("hook.example.com", True, True), ("other.example.com", True, False), ("hook.example.com", False, False)],
)
def test_tls_is_checked_against_the_name(
    certificate: Path, monkeypatch: pytest.MonkeyPatch, name: str, trusted: bool, taken: bool
) -> None:
    plain = ssl.create_default_context

    def trusting() -> ssl.SSLContext:
        context = plain()
        if trusted:
            context.load_verify_locations(str(certificate / "cert.pem"))
        return context

    monkeypatch.setattr(outbound.ssl, "create_default_context", trusting)
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")

    def talk(connected: socket.socket) -> None:
        with served.wrap_socket(connected, server_side=True) as secured:
            read_all(secured)
            secured.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    with raw_server(talk) as port:
        reply = post(f"https://{name}:{port}/", b"{}", {}, lambda _host, _port: ["127.0.0.1"])
    assert reply.is_taken is taken
    assert taken or "TLS" in reply.error

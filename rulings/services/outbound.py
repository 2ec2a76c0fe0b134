"""One POST to an address of somebody else: checked, bounded in time and size, never redirected."""

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulings.services import addresses
from rulings.services.addresses import IP, AddressRefusedError, Target

CONNECT_WITHIN = 5.0  # seconds, of each address
ANSWER_WITHIN = 10.0  # seconds, from the connection to the whole answer
MOST_READ = 4_096  # bytes of the answer's body
MOST_ADDRESSES = 3


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a POST: a status, or (status 0) an error in Japanese."""

    status: int
    error: str
    seconds: float
    retry_after: str = ""
    refused: bool = False  # the address itself may not be sent to

    @property
    def is_taken(self) -> bool:
        return 200 <= self.status < 300


class _Pinned(http.client.HTTPConnection):
    """A connection over a socket that is there already: no second look at the name, no proxy of the environment."""

    def __init__(self, target: Target, connected: socket.socket) -> None:
        super().__init__(target.host, target.port)
        self.sock = connected

    def connect(self) -> None:
        raise OSError("the connection has ended")


def post(url: str, body: bytes, headers: Mapping[str, str], resolve: addresses.Resolve | None = None) -> Reply:
    """POST `body`; never raises for what the other side does. Redirects count as errors."""
    began = time.monotonic()

    def after(status: int, error: str, **more: str | bool) -> Reply:
        return Reply(status, error, time.monotonic() - began, **more)  # type: ignore[arg-type]

    try:
        target = addresses.read_target(url)
        found = addresses.resolved(target, resolve)
    except AddressRefusedError as error:
        return after(0, str(error), refused=True)
    try:
        with _connected(target, found) as connected:
            answer = _exchange(target, connected, body, headers)
    except ssl.SSLError as error:
        return after(0, f"TLS の確認に失敗しました（{_reason(error)}）。")
    except TimeoutError:
        return after(0, "時間内に答えがありませんでした。")
    except (OSError, http.client.HTTPException) as error:
        return after(0, f"接続できませんでした（{type(error).__name__}）。")
    status, retry_after = answer
    if 300 <= status < 400:
        return after(status, "ほかのアドレスへの転送には従いません。")
    return after(status, "" if 200 <= status < 300 else f"宛先が {status} と答えました。", retry_after=retry_after)


def _reason(error: ssl.SSLError) -> str:
    return getattr(error, "verify_message", "") or error.reason or type(error).__name__


@contextlib.contextmanager
def _connected(target: Target, found: list[IP]) -> Iterator[socket.socket]:
    """A connection to the first of the checked addresses that takes it; TLS is checked against the name."""
    plain = _first(found[:MOST_ADDRESSES], target.port)
    late = threading.Event()
    with plain, _deadline(plain, late):
        try:
            if target.scheme == "https":
                with ssl.create_default_context().wrap_socket(plain, server_hostname=target.host) as secured:
                    yield secured
            else:
                yield plain
            if late.is_set():  # what was cut short may look whole
                raise TimeoutError
        except (OSError, http.client.HTTPException) as error:
            if late.is_set():
                raise TimeoutError from error
            raise


def _first(found: list[IP], port: int) -> socket.socket:
    failure: OSError = OSError("no address")
    for address in found:
        plain = socket.socket(socket.AF_INET if address.version == 4 else socket.AF_INET6, socket.SOCK_STREAM)
        try:
            plain.settimeout(CONNECT_WITHIN)
            plain.connect((str(address), port))
        except OSError as error:
            plain.close()
            failure = error
        else:
            return plain
    raise failure


@contextlib.contextmanager
def _deadline(plain: socket.socket, late: threading.Event) -> Iterator[None]:
    """Cut the connection when all of it takes too long: a byte now and then resets every other timeout."""
    descriptor = plain.dup()  # TLS takes the first one over

    def cut() -> None:
        late.set()
        with contextlib.suppress(OSError):
            descriptor.shutdown(socket.SHUT_RDWR)

    plain.settimeout(ANSWER_WITHIN)
    timer = threading.Timer(ANSWER_WITHIN, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        descriptor.close()


def _exchange(target: Target, connected: socket.socket, body: bytes, headers: Mapping[str, str]) -> tuple[int, str]:
    """Send and return status and Retry-After; of the body a little is read and nothing kept."""
    connection = _Pinned(target, connected)
    sent = {"Host": target.authority, "Connection": "close", "Content-Length": str(len(body)), **headers}
    connection.putrequest("POST", target.path, skip_host=True, skip_accept_encoding=True)
    for name, value in sent.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    response = connection.getresponse()
    with contextlib.suppress(OSError, http.client.HTTPException):  # the status says all
        _read_some(response)
    return response.status, response.getheader("Retry-After") or ""


def _read_some(response: http.client.HTTPResponse) -> None:
    """Read of a body what is bounded whatever it says of itself: a piece at a time, each at most a buffer.

    `read` would take a chunk of a negative size for everything that comes, or raise ValueError.
    """
    left = MOST_READ
    while left > 0 and (part := response.read1(left)):
        left -= len(part)

"""Servers of other people: they keep what they are sent and answer as the test says."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Received:
    """One POST as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def numbers(self) -> list[int]:
        return [row["number"] for row in self.message["data"].get("changes", [])]


Answer = Callable[[Received], tuple[int, dict[str, str]]]


@dataclass
class Receiver:
    """What came so far; `answer` says status and headers for each."""

    url: str = ""
    got: list[Received] = field(default_factory=list)
    answer: Answer = lambda _received: (204, {})
    more: threading.Event = field(default_factory=threading.Event)

    @property
    def deliveries(self) -> list[Received]:
        return [one for one in self.got if one.message["type"] != "ping"]

    @property
    def numbers(self) -> list[int]:
        return [number for one in self.deliveries for number in one.numbers]

    def wait_for(self, met: Callable[[], bool], seconds: float = 60.0) -> None:
        """Until `met` holds, looked at after everything that comes."""
        until = time.monotonic() + seconds
        while not met():
            assert time.monotonic() < until, [one.message for one in self.got]
            self.more.wait(0.2)
            self.more.clear()


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver on this machine."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            receiver.got.append(received)
            status, headers = receiver.answer(received)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()
            receiver.more.set()

        def log_message(self, *_args: object) -> None:
            """Tests say themselves what they need."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hook?a=1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

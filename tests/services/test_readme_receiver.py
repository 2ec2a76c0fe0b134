"""The receiver in README.md is true: it takes what is signed and refuses what is not."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from rulings.models import Entry, Subscription
from rulings.services.delivering import deliver_due
from rulings.services.subscriptions import subscribe
from tests.makers import make_ruleset
from tests.services.hooks import BASE, make_key, sections

README = Path(__file__).resolve().parents[2] / "README.md"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_until_open(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the receiver does not listen")


@pytest.mark.django_db(transaction=True)
def test_the_receiver_in_the_readme(tmp_path: Path, to_this_machine: None) -> None:
    text = README.read_text(encoding="utf-8")
    (code,) = [part.split("```")[0] for part in text.split("```python\n") if part.startswith("# receiver.py")]
    program, port = tmp_path / "receiver.py", free_port()
    program.write_text(code, encoding="utf-8")
    url = f"http://127.0.0.1:{port}/"
    _made, secret = subscribe(make_key(), url, BASE, ruleset=make_ruleset("dm-cr"))
    process = subprocess.Popen(
        [sys.executable, str(program), secret, str(port)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        wait_until_open(port)
        sections("1.1", "1.2")
        deliver_due(1)
        subscription = Subscription.objects.get()
        assert (subscription.state, subscription.position) == ("active", 2)
        forged = {"webhook-id": "msg_1", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,AAAA"}
        request = urllib.request.Request(url, b'{"data": {}}', forged)  # noqa: S310
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request, timeout=10)  # noqa: S310
        assert caught.value.code == 401
    finally:
        process.kill()
        printed = process.communicate()[0].splitlines()
    entries = Entry.objects.order_by("pk").values_list("pk", flat=True)
    assert printed == [f"created {BASE}api/v1/entries/{pk}/ True" for pk in entries]

"""The site in processes of its own, with the content that ships: for what only real sockets and processes show."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

ROOT = Path(__file__).resolve().parents[1]
MANAGE = [sys.executable, str(ROOT / "manage.py")]
PATIENCE = 120  # seconds for a start on a machine that is busy with other tests
GUNICORN = [
    sys.executable, "-m", "gunicorn", "rulings.wsgi", "--bind", "127.0.0.1:0", "--worker-class", "gthread",
    "--threads", "4", "--no-control-socket",
]  # fmt: skip
LISTENING = re.compile(r"Listening at: http://127\.0\.0\.1:(\d+)")


def environment(folder: Path, **more: str) -> dict[str, str]:
    """What a process of the site with its data in `folder` needs to know."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("RULINGS_", "DATABASE_", "DJANGO_"))
    }
    return kept | {"RULINGS_DATA_DIR": str(folder), "RULINGS_SECRET_KEY": "k" * 50} | more


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the content that ships; made once for all workers of a run. Copy it before writing."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder, done = base / "shipped", base / "shipped.done"
    with (base / "shipped.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            for command in ("migrate", "load_content"):
                run = [*MANAGE, command, "--verbosity", "0"]
                subprocess.run(run, check=True, cwd=ROOT, env=environment(folder), capture_output=True)  # noqa: S603
            done.touch()
    return folder


@pytest.fixture
def own_copy(shipped: Path, tmp_path: Path) -> Path:
    """The same folder for one test alone."""
    return Path(shutil.copytree(shipped, tmp_path / "data"))


ISSUE = "from rulings.models import ApiKey; print('key', ApiKey.objects.issue('試験')[1])"


def issued(folder: Path) -> str:
    """Make an API key for the site with its data in `folder`."""
    run = [*MANAGE, "shell", "--verbosity", "0", "-c", ISSUE]
    done = subprocess.run(run, check=True, cwd=ROOT, env=environment(folder), capture_output=True)  # noqa: S603
    return done.stdout.decode().rpartition("key ")[2].strip()


@contextmanager
def running(command: Sequence[str], ready: re.Pattern[str], folder: Path, **env: str) -> Iterator[int]:
    """Run a server until the block ends; gives the port that `ready` finds in what it says."""
    said = folder / f"said-{time.monotonic_ns()}.log"
    with said.open("w") as log:
        process = subprocess.Popen(  # noqa: S603
            list(command), cwd=ROOT, env=environment(folder, **env), stdout=log, stderr=subprocess.STDOUT
        )
    try:
        yield _port(process, said, ready)
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()


def _port(process: subprocess.Popen[Any], said: Path, ready: re.Pattern[str]) -> int:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        if found := ready.search(said.read_text(encoding="utf-8", errors="replace")):
            return int(found[1])
        time.sleep(0.05)
    raise AssertionError(f"{process.args} did not start:\n{said.read_text(errors='replace')[-3000:]}")


@contextmanager
def site(folder: Path, workers: int = 2, **env: str) -> Iterator[str]:
    """Serve the folder as `make run` does; gives the address."""
    with running([*GUNICORN, "--workers", str(workers)], LISTENING, folder, **env) as port:
        yield f"http://127.0.0.1:{port}"


@dataclass(frozen=True)
class Reply:
    """What came back, whatever its status."""

    status: int
    headers: Message
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


def fetch(url: str, body: bytes | None = None, method: str | None = None, **headers: str) -> Reply:
    """Ask a running site; `headers` with underscores for dashes."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        with urlopen(Request(url, body, named, method=method), timeout=PATIENCE) as reply:  # noqa: S310 - our own
            return Reply(reply.status, reply.headers, reply.read())
    except HTTPError as error:
        with error:
            return Reply(error.code, error.headers, error.read())

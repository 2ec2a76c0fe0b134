"""PostgreSQL over the same terms, in a cluster of the bench's own: started when opened, stopped when closed.

The programs are looked for on the path and where Debian has them (apt-get install postgresql). The cluster listens on
the loopback, with a password of its own, as whoever runs the bench; as `nobody` where that is root, whom it refuses.
"""

import contextlib
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

from rulings.search.engine import FIELDS, Document, EngineQuery
from tests.bench.peers import WANTED, MissingPeerError, Peer, tokens, tokens_asked

SETTINGS = {
    "fsync": "off",  # nothing here is worth keeping
    "shared_buffers": "512MB",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "4GB",
    "max_parallel_workers_per_gather": "0",  # one core for each engine
    "jit": "off",  # slower for queries so short
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
}
PARTS = 16_383  # places of a tsvector; a term has 256 at most


def _program(name: str) -> str:
    known = [shutil.which(name), *sorted(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), reverse=True)]
    for path in known:
        if path:
            return path
    raise MissingPeerError("apt-get install postgresql")


def _run(*command: str | Path) -> None:
    """Run a program of PostgreSQL's, not as root."""
    user = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run(
        [str(part) for part in command], cwd="/", stdin=subprocess.DEVNULL, capture_output=True, check=False, **user
    )  # type: ignore[call-overload]
    if done.returncode:
        raise MissingPeerError(f"{Path(command[0]).name}: {done.stderr.decode(errors='replace').strip()[-300:]}")


class PostgreSQL(Peer):
    """tsvector of the same terms with weights A to D for the fields, GIN, ts_rank."""

    name = "PostgreSQL"

    def __init__(self, folder: Path) -> None:
        try:
            import psycopg
        except ImportError as error:
            raise MissingPeerError("pip install 'psycopg[binary]'") from error
        self.control, initdb = _program("pg_ctl"), _program("initdb")
        self.cluster, password = folder / "cluster", folder / "password"
        if not self.cluster.exists():
            self._make(initdb, password)
        port = self._start()
        try:
            self.database = psycopg.connect(
                host="127.0.0.1",
                port=port,
                user="bench",
                password=password.read_text(encoding="ascii"),
                dbname="postgres",
                autocommit=True,
            )
        except BaseException:
            self.close()
            raise
        server = Path(f"/proc/{self.database.info.backend_pid}/schedstat")
        self.server = server if server.exists() else None

    def _make(self, initdb: str, password: Path) -> None:
        password.touch(mode=0o600)
        password.write_text(secrets.token_hex(16), encoding="ascii")
        self.cluster.mkdir(mode=0o700)
        if os.geteuid() == 0:
            for path in (self.cluster, password):
                shutil.chown(path, "nobody")
        options = ("--username=bench", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync")
        _run(initdb, "-D", self.cluster, f"--pwfile={password}", *options)

    def _start(self) -> int:
        """Start the server; return its port."""
        if (self.cluster / "postmaster.pid").exists():  # of a bench that was killed
            with contextlib.suppress(MissingPeerError):
                _run(self.control, "stop", "-w", "-m", "immediate", "-D", self.cluster)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port: int = free.getsockname()[1]
        options = " ".join(f"-c {name}='{value}'" for name, value in (SETTINGS | {"port": str(port)}).items())
        log = self.cluster / "log"
        _run(self.control, "start", "-w", "-t", "60", "-D", self.cluster, "-l", log, "-o", options)
        return port

    def seconds(self) -> float:
        """Processor time of this thread and of the server process that answers it; else of the wall."""
        if not self.server:
            return time.perf_counter()
        return int(self.server.read_text(encoding="ascii").split()[0]) / 1e9 + time.thread_time()

    def build(self, documents: Iterable[Document]) -> None:
        run = self.database.execute
        run("DROP TABLE IF EXISTS docs")
        run("CREATE TABLE docs (id integer PRIMARY KEY, terms tsvector)")
        with self.database.cursor().copy("COPY docs FROM STDIN") as copy:
            for one in documents:
                copy.write_row((one.id, _vector(one)))
        run("CREATE INDEX ON docs USING gin (terms)")
        run("VACUUM ANALYZE docs")

    def prepared(self, query: EngineQuery) -> str:
        return " | ".join(tokens_asked(query)) or "nothing"

    def search(self, prepared: str) -> list[int]:
        rows = self.database.execute(
            "SELECT id FROM docs, to_tsquery('simple', %s) asked WHERE terms @@ asked "
            "ORDER BY ts_rank('{0.12, 0.35, 0.59, 1.0}', terms, asked) DESC LIMIT %s",
            (prepared, WANTED),
        )
        return [row[0] for row in rows]

    def close(self) -> None:
        if hasattr(self, "database"):
            self.database.close()
        _run(self.control, "stop", "-w", "-m", "fast", "-D", self.cluster)


def _vector(one: Document) -> str:
    found: dict[str, list[str]] = {}
    place = 0
    for field, weight in zip(FIELDS, "ABCD", strict=True):
        for term in tokens(one, field):
            place += 1
            found.setdefault(term, []).append(f"{min(place, PARTS)}{weight}")
    return " ".join(f"{term}:{','.join(places[:250])}" for term, places in found.items())

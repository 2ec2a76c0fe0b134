"""A process killed in the middle of an import leaves the old state whole."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
TABLES = ("entry", "revision", "source", "amendment", "change", "crossreference")


def _book(size: int) -> str:
    chapters = []
    for chapter in range(100, 100 + size):
        rules = [f"{chapter}.{rule}. 第{chapter}章の{rule}番目の決まりです。" for rule in range(1, 20)]
        chapters.append("\n".join([f"{chapter}. 第{chapter}章", *rules]))
    return "\n".join(["1.準備", *chapters, ""])


def _counts(folder: Path) -> dict[str, int]:
    with sqlite3.connect(folder / "rulings.sqlite3") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return {
            table: connection.execute(f"SELECT count(*) FROM rulings_{table}").fetchone()[0]  # noqa: S608
            for table in TABLES
        }


def test_killed_while_importing(tmp_path: Path) -> None:
    env = os.environ | {
        "RULINGS_DATA_DIR": str(tmp_path),
        "RULINGS_DEBUG": "1",
        "DJANGO_SETTINGS_MODULE": "rulings.settings",
    }
    env.pop("DATABASE_URL", None)
    manage = [sys.executable, "manage.py"]
    for command in (["migrate", "-v0"], ["loaddata", "games", "-v0"]):
        subprocess.run([*manage, *command], cwd=ROOT, env=env, check=True)
    book = tmp_path / "book.txt"
    command = [*manage, "import_document", str(book), "--ruleset", "dm-cr"]
    book.write_text(_book(3), encoding="utf-8")
    subprocess.run([*command, "--published", "2025-01-01"], cwd=ROOT, env=env, check=True, capture_output=True)
    old = _counts(tmp_path)
    book.write_text(_book(40), encoding="utf-8")
    random, killed = Random(7), 0
    for _attempt in range(6):
        process = subprocess.Popen(
            [*command, "--published", "2025-06-01"], cwd=ROOT, env=env, stdout=subprocess.DEVNULL
        )
        _wait_for_writes(tmp_path, process)
        time.sleep(random.random() * 0.25)
        process.send_signal(signal.SIGKILL)
        process.wait()
        now = _counts(tmp_path)
        if now["source"] != old["source"]:
            break  # it was faster than the kill: the import is there, whole
        killed += 1
        assert now == old
    done = subprocess.run([*command, "--published", "2025-06-01"], cwd=ROOT, env=env, check=True, capture_output=True)
    assert "読み込みました" in done.stdout.decode()
    assert _counts(tmp_path)["entry"] == 1 + 40 * 20
    assert killed
    subprocess.run([*manage, "check_content"], cwd=ROOT, env=env, check=True, capture_output=True)


def _wait_for_writes(folder: Path, process: subprocess.Popen[bytes]) -> None:
    """Until the import holds the write lock (another writer is refused), or is done."""
    while process.poll() is None:
        connection = sqlite3.connect(folder / "rulings.sqlite3", timeout=0, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except sqlite3.OperationalError:
            return
        finally:
            connection.close()
        time.sleep(0.002)

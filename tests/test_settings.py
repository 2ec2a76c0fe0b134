"""Secure defaults: the site refuses to start on a key that everybody knows."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def _start(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Read the settings in a process of their own; print the folder that is written to."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RULINGS_", "DATABASE_"))}
    return subprocess.run(
        [sys.executable, "-c", "from rulings import settings; print(settings.DATA_DIR)"],
        cwd=tmp_path,
        env=kept | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("key", [None, "", " ", "built-in-key-for-debugging-only"])
def test_no_start_on_a_key_that_everybody_knows(tmp_path: Path, key: str | None) -> None:
    environment = {"RULINGS_DATA_DIR": str(tmp_path)} | ({} if key is None else {"RULINGS_SECRET_KEY": key})
    answer = _start(tmp_path, **environment)
    assert answer.returncode != 0
    assert "RULINGS_SECRET_KEY を設定してください" in answer.stderr
    assert _start(tmp_path, **environment, RULINGS_DEBUG="1").returncode == 0


def test_an_empty_data_folder_is_the_default_one_not_the_current(tmp_path: Path) -> None:
    answer = _start(tmp_path, RULINGS_DATA_DIR="", RULINGS_SECRET_KEY="k" * 50)
    assert answer.stdout.strip() == str(ROOT / "var")


def test_networks_that_are_none_are_told(tmp_path: Path) -> None:
    environment = {"RULINGS_DATA_DIR": str(tmp_path), "RULINGS_DEBUG": "1"}
    answer = _start(tmp_path, **environment, RULINGS_WEBHOOK_ALLOW="10.0.0.0/8, here")
    assert answer.returncode != 0
    assert "RULINGS_WEBHOOK_ALLOW は" in answer.stderr
    assert _start(tmp_path, **environment, RULINGS_WEBHOOK_ALLOW="10.0.0.0/8, fd00::/8").returncode == 0

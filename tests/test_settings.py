"""Secure defaults: the site refuses to start on a key that everybody knows."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def _start(tmp_path: Path, shown: str = "DATA_DIR", **environment: str) -> subprocess.CompletedProcess[str]:
    """Read the settings in a process of their own; print one of them (the folder that is written to)."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RULINGS_", "DATABASE_"))}
    return subprocess.run(
        [sys.executable, "-c", f"from rulings import settings; print(settings.{shown})"],
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


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RULINGS_LIMITS", "search"), ("RULINGS_LIMITS", "search=x"), ("RULINGS_LIMITS", "serach=5"),
        ("RULINGS_LIMITS", "search=-5"), ("RULINGS_LONG_POLLS", "x"),
        ("RULINGS_WEBHOOKS_PER_KEY", "-1"), ("DATABASE_URL", "nonsense"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_by_its_name(tmp_path: Path, name: str, value: str) -> None:
    answer = _start(tmp_path, RULINGS_DATA_DIR=str(tmp_path), RULINGS_DEBUG="1", **{name: value})
    assert answer.returncode != 0
    assert f"{name} の値「{value}」を読み取れません" in answer.stderr


def test_what_is_set_to_nothing_is_not_set(tmp_path: Path) -> None:
    names = ("RULINGS_LIMITS", "RULINGS_LONG_POLLS", "RULINGS_WEBHOOKS_PER_KEY", "RULINGS_WEBHOOK_ALLOW",
             "RULINGS_ALLOWED_HOSTS", "DATABASE_URL", "RULINGS_HTTPS")  # fmt: skip
    shown = "LIMITS['read'], settings.LONG_POLLS, settings.ALLOWED_HOSTS, settings.HTTPS"
    answer = _start(tmp_path, shown, RULINGS_DATA_DIR=str(tmp_path), RULINGS_DEBUG="1", **dict.fromkeys(names, " "))
    assert answer.stdout.strip() == "1200 2 ['localhost', '127.0.0.1', '[::1]'] False", answer.stderr


def test_hosts_of_a_domain_are_trusted_as_django_writes_them(tmp_path: Path) -> None:
    hosts = {"RULINGS_ALLOWED_HOSTS": ".example.com,b.example.org,*", "RULINGS_HTTPS": "1"}
    answer = _start(tmp_path, "CSRF_TRUSTED_ORIGINS", RULINGS_DATA_DIR=str(tmp_path), RULINGS_DEBUG="1", **hosts)
    assert answer.stdout.strip() == "['https://*.example.com', 'https://b.example.org']", answer.stderr

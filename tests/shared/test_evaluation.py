"""The judged queries, asked of the real documents: CI fails where finding gets worse."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.evaluate import OWN, PROJECT, SHIPPED
from tests.evaluate_names import ALWAYS_FIRST, AMONG_FIVE


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.evaluate", *arguments]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)


@pytest.mark.timeout(1200)  # it loads all real documents and asks some 900 questions, also where others are at work
def test_what_was_wanted_is_found(shared_dir: Path) -> None:
    done = run("--verbose")
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(name in done.stdout for name in ("judged", "dev", "held_out", "broad", "fresh", "train1", "train2"))


@pytest.mark.timeout(1200)
def test_names_and_numbers_are_found_however_they_are_written(shared_dir: Path) -> None:
    done = run("--only", "none", "--names", "20")
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(kind in done.stdout for kind in (*ALWAYS_FIRST, *AMONG_FIVE, "shortened", "nonsense"))


def test_the_lists_are_large() -> None:
    assert [len(path.read_text(encoding="utf-8").splitlines()) for path in sorted(OWN.glob("*.jsonl"))] == [
        85,
        132,
        120,
        133,
        59,
        162,
        448,
        57,
    ]
    assert SHIPPED.is_file()

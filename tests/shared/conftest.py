"""The real documents lie beside the repository, not in it: tests that need them live in this folder."""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of real documents; without it the test is skipped, and fails where CI is set."""
    if SHARED.is_dir():
        return SHARED
    message = f"実物の文書がありません (the real documents are absent): {SHARED}"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)

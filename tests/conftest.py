"""What every test shares: an index folder of its own, nothing remembered from the test before."""

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from rulings.search import indexing, names, suggesting
from rulings.services import due


@pytest.fixture(autouse=True)
def nothing_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """The look for what is due is done: query counts do not depend on which test runs first."""
    monkeypatch.setattr(due, "_tried", timezone.localdate())


@pytest.fixture(autouse=True)
def own_index(settings: Any, tmp_path: Path) -> Path:
    """Makers write no change log, by whose number what is kept in memory would be known as old."""
    settings.INDEX_DIR = tmp_path / "index"
    indexing.forget()
    names.forget()
    suggesting.forget()
    return tmp_path / "index"

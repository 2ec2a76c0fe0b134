"""An index folder for each test, nothing remembered from the test before."""

from pathlib import Path
from typing import Any

import pytest

from rulings.search import indexing, names


@pytest.fixture(autouse=True)
def own_index(settings: Any, tmp_path: Path) -> Path:
    settings.INDEX_DIR = tmp_path / "index"
    indexing.forget()
    names.forget()
    return tmp_path / "index"

"""What every test shares: an index folder of its own, nothing remembered from the test before."""

from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from rulings.search import indexing, names, suggesting, vocabulary
from rulings.services import due
from tests.services.receivers import Receiver, receiving


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
    vocabulary.forget()
    suggesting.forget()
    return tmp_path / "index"


@pytest.fixture
def to_this_machine(settings: Any) -> None:
    """Webhooks may be sent to this machine, in the clear."""
    settings.WEBHOOK_PLAIN_HTTP, settings.WEBHOOK_ALLOW = True, [ip_network("127.0.0.1/32")]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Somebody on this machine who is told."""
    with receiving() as found:
        yield found

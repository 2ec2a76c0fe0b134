"""What every test shares."""

import pytest
from django.utils import timezone

from rulings.services import due


@pytest.fixture(autouse=True)
def nothing_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """The look for what is due is done: query counts do not depend on which test runs first."""
    monkeypatch.setattr(due, "_tried", timezone.localdate())

"""suggest/: completions."""

from typing import Any

import pytest

from rulings.api import suggest as module
from rulings.search import Suggestion


def test_suggestions_have_absolute_addresses(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def suggest(q: str, game: str | None = None) -> list[Suggestion]:
        asked.append((q, game))
        return [Suggestion("card", "青き竜", 7, "/cards/7/")]

    monkeypatch.setattr(module, "suggest", suggest)
    answer = get("suggest/", q="青", game="dm")
    assert answer["results"] == [{"kind": "card", "text": "青き竜", "id": 7, "url": "http://testserver/cards/7/"}]
    assert asked == [("青", "dm")]

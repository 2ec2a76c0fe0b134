"""Exports are built and sent in constant memory: four times the content takes no more of it."""

import gc
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from rulings.api import exports
from rulings.models import Card, CardFace, Entry, Kind, Revision, Ruleset
from tests.makers import make_ruleset

pytestmark = pytest.mark.django_db
FEW = 120
TEXT = "竜が一体で置かれる時、その竜は墓地に置かれます。" * 20  # 1.4 KB


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "CHUNK", 20)


def fill(ruleset: Ruleset, begin: int, end: int) -> None:
    """Entries with their wordings, and as many cards, in a few statements."""
    wanted = [
        Entry(kind=Kind.SECTION, ruleset=ruleset, number=f"{at}", sort_key=f"{at:06}", level="rule")
        for at in range(begin, end)
    ]
    entries = Entry.objects.bulk_create(wanted)
    Revision.objects.bulk_create(
        Revision(entry=entry, event="added", number=entry.number, title="", body=f"{entry.number} {TEXT}")
        for entry in entries
    )
    names = [f"竜{at}" for at in range(begin, end)]
    cards = Card.objects.bulk_create(Card(game=ruleset.game, name=name, key=name) for name in names)
    CardFace.objects.bulk_create(
        CardFace(card=card, position=0, name=card.name, key=card.key, facts={"text": TEXT}) for card in cards
    )


def peak_of(client: Client, settings: Any, folder: Path) -> tuple[int, int]:
    """The most memory (bytes) that building and sending takes, and the size of what was sent."""
    settings.EXPORTS_DIR = folder  # an empty one: nothing is kept from before
    gc.collect()
    tracemalloc.start()
    try:
        response = client.get("/api/v1/exports/all/", headers={"accept": "application/x-ndjson"})
        sent = sum(len(block) for block in response.streaming_content)  # type: ignore[attr-defined]
        return tracemalloc.get_traced_memory()[1], sent
    finally:
        tracemalloc.stop()


def test_four_times_the_content_takes_no_more_memory(client: Client, settings: Any, tmp_path: Path) -> None:
    ruleset = make_ruleset()
    fill(ruleset, 1, 51)
    peak_of(client, settings, tmp_path / "first")  # what is imported and cached once
    Entry.objects.all().delete()
    Card.objects.all().delete()
    fill(ruleset, 1, FEW)
    few, small = peak_of(client, settings, tmp_path / "few")
    fill(ruleset, FEW, 4 * FEW)
    many, large = peak_of(client, settings, tmp_path / "many")
    assert large > 3.5 * small  # it was built anew, and is whole
    assert many < 1.5 * few, (few, many)

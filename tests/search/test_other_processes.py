"""What another process changed is known to the next search, though only one row is asked."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rulings.models import Synonym
from rulings.search import SearchRequest, search
from tests.live import ROOT, environment
from tests.makers import make_card, make_section

RENAMING = """
from django.db import transaction
from rulings.models import Card
from rulings.services.changes import ChangeLog
from rulings.text.fold import fold_key
with transaction.atomic():
    card = Card.objects.get()
    card.name, card.key = "輝く塔", fold_key("輝く塔")
    Card.objects.bulk_update([card], ["name", "key"])
    card.faces.update(name=card.name, key=card.key)
    log = ChangeLog()
    log.updated(card)
    log.record()
"""
EDITING = """
from rulings.models import Synonym
word = Synonym.objects.get(text="ぽむりドン")
word.words = "表向き"
word.save()
"""


def elsewhere(code: str, folder: Path) -> None:
    """Run `code` on this database in a process of its own."""
    database = f"sqlite:///{connection.settings_dict['NAME']}"
    own = environment(folder, DATABASE_URL=database, DJANGO_SETTINGS_MODULE="rulings.settings")
    whole = f"import django\ndjango.setup()\n{code}"
    subprocess.run([sys.executable, "-c", whole], check=True, cwd=ROOT, env=own, timeout=300)  # noqa: S603


def read_as(q: str) -> str:
    return search(SearchRequest(q=q)).reading.kind


@pytest.mark.django_db(transaction=True)
def test_a_card_renamed_and_a_word_edited_elsewhere_are_known_to_the_next_search(tmp_path: Path) -> None:
    if "sqlite" not in settings.DATABASES["default"]["ENGINE"]:
        pytest.skip("the other process is given a file")
    make_card("沈む塔")
    rule = make_section("101.1", body="山札の一番上を表向きにする。").pk
    Synonym.objects.create(text="ぽむりドン", words="ありもしない")
    assert (read_as("沈む塔"), read_as("輝く塔")) == ("card", "words")
    assert search(SearchRequest(q="ぽむりドン")).count == 0

    elsewhere(RENAMING, tmp_path / "renaming")
    assert (read_as("沈む塔"), read_as("輝く塔")) == ("words", "card")
    elsewhere(EDITING, tmp_path / "editing")
    assert [hit.entry.pk for hit in search(SearchRequest(q="ぽむりドン")).hits if hit.entry] == [rule]


@pytest.mark.django_db
def test_a_search_asks_few_queries() -> None:
    for number in range(12):
        make_section(f"101.{number}", body=f"山札を表向きにする {number}。")
    request = SearchRequest(q="山札を表向き", counted=False)
    assert len(search(request).hits) == 12
    with CaptureQueriesContext(connection) as asked:
        search(request)
    # The state of the site, the last change, the order of rules, entries, rulesets, wordings, which cards.
    assert len(asked) == 7, [query["sql"][:200] for query in asked]

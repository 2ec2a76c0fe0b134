"""Players' words in the admin: what ships can be changed and taken away for good."""

import pytest
from django.test import Client
from django.urls import reverse

from rulings.models import Origin, Synonym
from rulings.services.synonyms import load_shipped
from tests.makers import make_game

pytestmark = pytest.mark.django_db


def shipped() -> Synonym:
    make_game()
    return Synonym.objects.get(game__slug="dm", text="トラッシュ")


def test_an_edit_survives_a_new_load(admin_client: Client) -> None:
    row = shipped()
    data = {"game": row.game_id, "text": row.text, "words": "捨てられた山"}
    admin_client.post(reverse("admin:rulings_synonym_change", args=[row.pk]), data)
    row.refresh_from_db()
    assert (row.words, row.origin) == ("捨てられた山", Origin.EDITOR)
    load_shipped(make_game())
    row.refresh_from_db()
    assert row.words == "捨てられた山"


def test_a_word_taken_away_stays_away(admin_client: Client) -> None:
    row = shipped()
    admin_client.post(reverse("admin:rulings_synonym_delete", args=[row.pk]), {"post": "yes"})
    load_shipped(make_game())
    assert Synonym.objects.get(pk=row.pk).said == ()


def test_many_are_taken_away_at_once(admin_client: Client) -> None:
    row = shipped()
    own = Synonym.objects.create(text="めくりドン", words="表向き")
    data = {"action": "delete_selected", "_selected_action": [row.pk, own.pk], "post": "yes"}
    admin_client.post(reverse("admin:rulings_synonym_changelist"), data)
    assert Synonym.objects.get(pk=row.pk).said == ()
    assert not Synonym.objects.filter(pk=own.pk).exists()

"""Whoever keeps copies learns that a ruleset, a game or an amendment is called something else."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from rulings.models import Amendment, Authority, Change, Game, Ruleset
from rulings.services.editing import edit_card
from rulings.services.renaming import save_game, save_ruleset
from tests.makers import make_amendment, make_card, make_faq, make_interaction, make_ruleset, make_section

pytestmark = pytest.mark.django_db


def told() -> set[tuple[str, int]]:
    rows = Change.objects.values_list("entry", "card")
    return {("entry", entry) if entry else ("card", card) for entry, card in rows}


@pytest.mark.parametrize(
    ("field", "value"), [("slug", "dm-rules"), ("name", "新総合ルール"), ("authority", Authority.HOUSE)]
)
def test_every_entry_of_a_renamed_ruleset_is_told(field: str, value: str) -> None:
    entries = {make_section().pk, make_faq().pk}
    make_section(ruleset=make_ruleset("dm-party", name="パーティー"))
    book = Ruleset.objects.get(slug="dm-cr")
    setattr(book, field, value)
    save_ruleset(book)
    assert told() == {("entry", pk) for pk in entries}


def test_what_no_entry_shows_is_not_told() -> None:
    make_section()
    book = Ruleset.objects.get(slug="dm-cr")
    book.description = "説明"
    save_ruleset(book)
    assert told() == set()


def test_a_renamed_game_tells_its_cards_too() -> None:
    section, card = make_section(), make_card()
    game = Game.objects.get(slug="dm")
    game.slug = "duel"
    save_game(game)
    assert told() == {("entry", section.pk), ("card", card.pk)}


def test_an_amendment_edited_in_the_admin_tells_what_names_it(admin_client: Client) -> None:
    amendment = make_amendment(title="改定")
    section = make_section(amendment=amendment)
    make_section("102.1")
    address = reverse("admin:rulings_amendment_change", args=[amendment.pk])
    inline = {"groups-TOTAL_FORMS": 0, "groups-INITIAL_FORMS": 0}
    data = {"title": "二月の改定", "announced_on": "2025-01-01", "effective_on": "2030-01-01"} | inline
    assert admin_client.post(address, data).status_code == 302
    fresh = Amendment.objects.get()
    assert (fresh.title, fresh.effective_on) == ("二月の改定", date(2025, 1, 1))
    assert told() == {("entry", section.pk)}


def test_a_ruleset_with_entries_stays_in_its_game(admin_client: Client) -> None:
    section = make_section()
    make_card("竜", game=Game.objects.create(slug="ygo", name="遊戯王"))
    address = reverse("admin:rulings_ruleset_change", args=[section.ruleset_id])
    other = Game.objects.get(slug="ygo").pk
    data = {"game": other, "slug": "dm-cr", "name": "総合", "authority": "official", "position": 0}
    assert admin_client.post(address, data).status_code == 302
    book = Ruleset.objects.get()
    assert (book.name, book.game.slug) == ("総合", "dm")


def test_the_new_name_of_a_card_is_told_with_every_entry_that_shows_it() -> None:
    card = make_card("青き竜")
    naming, _other = make_faq("質問？", cards=[card]), make_faq("別の質問？")
    between = make_interaction([card, make_card("赤き竜")], ruled_by=naming)
    card.name = "改名した竜"
    card.save()
    edit_card(card, is_new=False)
    assert told() >= {("card", card.pk), ("entry", naming.pk), ("entry", between.pk)}
    assert ("entry", _other.pk) not in told()


def test_a_renamed_card_is_still_found_by_texts_of_its_former_name(admin_client: Client) -> None:
    card = make_card("青き竜")
    address = reverse("admin:rulings_card_change", args=[card.pk])
    frame = {f"{rows}-{what}": 0 for rows in ("faces", "aliases") for what in ("TOTAL_FORMS", "INITIAL_FORMS")}
    data = {"game": card.game_id, "name": "蒼き竜", "reading": "", "official_id": "", "layout": ""}
    assert admin_client.post(address, data | frame).status_code == 302
    assert [alias.text for alias in card.aliases.all()] == ["青き竜"]

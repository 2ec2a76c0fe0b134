"""What the database itself holds about entries, references and changes."""

from datetime import date

import pytest
from django.db import IntegrityError, transaction

from rulings.models import CardInteraction, Change, CrossReference, Revision, Status
from tests.makers import make_card, make_faq, make_interaction, make_section

pytestmark = pytest.mark.django_db


def test_a_number_is_unique_among_live_sections_only() -> None:
    first = make_section("101.1")
    with pytest.raises(IntegrityError), transaction.atomic():
        make_section("101.1")
    first.status, first.status_on, first.status_reason = Status.WITHDRAWN, date(2025, 6, 1), "削除されました。"
    first.save()
    make_section("101.1")


def test_an_interaction_has_two_cards_or_a_group() -> None:
    ruling = make_faq()
    with pytest.raises(IntegrityError), transaction.atomic():
        CardInteraction.objects.create(ruleset=ruling.ruleset, ruled_by=ruling, cards_key="7")
    CardInteraction.objects.create(ruleset=ruling.ruleset, ruled_by=ruling, group_name="零龍の儀")


def test_an_official_id_is_unique_in_its_ruleset() -> None:
    make_faq(official_id="42359")
    with pytest.raises(IntegrityError), transaction.atomic():
        make_faq(official_id="42359")


def test_an_ended_entry_has_a_reason_and_a_superseded_one_a_successor() -> None:
    section = make_section()
    for status in (Status.WITHDRAWN, Status.NEEDS_REVIEW, Status.SUPERSEDED):
        section.status = status
        with pytest.raises(IntegrityError), transaction.atomic():
            section.save()


def test_a_reference_resolves_to_one_thing() -> None:
    section, card = make_section(), make_card()
    revision = Revision.objects.get(entry=section)
    with pytest.raises(IntegrityError), transaction.atomic():
        CrossReference.objects.create(revision=revision, place="body", kind="rule", entry=section, card=card)


def test_a_change_has_one_subject() -> None:
    interaction = make_interaction()
    with pytest.raises(IntegrityError), transaction.atomic():
        Change.objects.create(number=1, kind="created")
    with pytest.raises(IntegrityError), transaction.atomic():
        Change.objects.create(number=1, kind="created", entry=interaction, card=interaction.cards.first())

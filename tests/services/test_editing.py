"""What an editor does by hand."""

from datetime import date

import pytest

from rulings.models import Entry
from rulings.services.editing import NumberTakenError, edit_entry
from rulings.services.wordings import Wording
from tests.makers import make_section

pytestmark = pytest.mark.django_db
DAY = date(2025, 6, 1)


def test_an_edit_that_names_no_number_keeps_it() -> None:
    one, other = make_section("101.1"), make_section("101.2")
    for section in (one, other):
        edit_entry(section, Wording("", "新しい文です。"), on=DAY)
    assert Entry.objects.get(pk=one.pk).wording.number == "101.1"
    assert Entry.objects.get(pk=other.pk).wording.number == "101.2"


def test_a_number_of_another_section_is_refused_and_nothing_is_stored() -> None:
    one, other = make_section("101.1"), make_section("101.2")
    with pytest.raises(NumberTakenError, match=r"101\.1"):
        edit_entry(other, Wording("", "新しい文です。", number="101.1"), on=DAY)
    assert other.revisions.count() == one.revisions.count() == 1

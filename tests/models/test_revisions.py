"""The ranges of an entry's revisions never overlap: the database itself refuses."""

from datetime import date

import pytest
from django.db import IntegrityError, connection, transaction

from rulings.models import Event, Revision
from tests.makers import make_section

pytestmark = pytest.mark.django_db
DAY, LATER, LAST = date(2025, 1, 1), date(2025, 6, 1), date(2026, 1, 1)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL holds it with an exclusion constraint")
def test_triggers_are_in_place() -> None:
    """A migration that rebuilds the table drops them: it must repeat the operation of 0002."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'rulings_revision'")
        names = {name for (name,) in cursor.fetchall()}
    assert {"revision_overlap_insert", "revision_overlap_update"} <= names


@pytest.mark.parametrize(
    ("begin", "end"), [(LATER, LAST), (None, LATER), (DAY, LATER), (date(2024, 1, 1), None), (DAY, None)]
)
def test_an_overlapping_revision_is_refused(begin: date | None, end: date | None) -> None:
    section = make_section(effective_on=DAY)
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(entry=section, body="別の文面", effective_on=begin, ended_on=end)


def test_moving_a_range_over_another_is_refused() -> None:
    section = make_section(effective_on=LATER)
    earlier = Revision.objects.create(entry=section, body="前の文面", effective_on=DAY, ended_on=LATER)
    earlier.ended_on = LAST
    with pytest.raises(IntegrityError), transaction.atomic():
        earlier.save()


def test_neighbours_and_empty_ranges_are_no_overlap() -> None:
    section = make_section(effective_on=LATER)
    Revision.objects.create(entry=section, body="前の文面", effective_on=DAY, ended_on=LATER)
    Revision.objects.create(entry=section, body="その日のうちに直した文面", effective_on=LATER, ended_on=LATER)
    Revision.objects.create(entry=section, body="始めの文面", effective_on=None, ended_on=DAY)
    assert section.revisions.count() == 4


def test_a_deletion_has_no_text() -> None:
    section = make_section(effective_on=DAY, ended_on=LATER)
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(entry=section, event=Event.DELETED, body="残った文面", effective_on=LATER)


def test_in_force_on_a_day() -> None:
    section = make_section(effective_on=DAY, ended_on=LATER, body="旧")
    Revision.objects.create(entry=section, effective_on=LATER, body="新")
    for on, body in [(DAY, "旧"), (date(2025, 5, 31), "旧"), (LATER, "新"), (LAST, "新")]:
        assert [revision.body for revision in Revision.objects.in_force(on)] == [body]
    assert not Revision.objects.in_force(date(2024, 12, 31)).exists()

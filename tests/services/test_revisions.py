"""Wordings written in any order make a chain without gaps or overlaps."""

from datetime import date, timedelta
from random import Random

import pytest

from rulings.models import Entry, Event, Revision, Status
from rulings.services.editing import NumberTakenError, edit_entry, withdraw_entry
from rulings.services.revisions import end_entry, write_wording
from rulings.services.wordings import Wording
from tests.makers import make_ruleset, make_section

pytestmark = pytest.mark.django_db
DAY = date(2025, 1, 1)


def _days(count: int) -> date:
    return DAY + timedelta(days=count)


def _empty_section() -> Entry:
    section = make_section("101.1")
    section.revisions.all().delete()
    return section


def _write(section: Entry, body: str, on: date | None) -> Revision | None:
    return write_wording(section, Wording(body=body, number=section.number), on=on)


def _ranges(section: Entry) -> list[tuple[date | None, date | None]]:
    return [
        (revision.effective_on, revision.ended_on)
        for revision in sorted(section.revisions.all(), key=Revision.chronology)
        if revision.effective_on is None or revision.effective_on != revision.ended_on
    ]


@pytest.mark.parametrize("seed", range(20))
def test_few_texts_in_any_order_never_overlap_and_leave_no_gap(seed: int) -> None:
    """Equal texts meet each other: what was just written holds on its day, and the database refuses nothing."""
    random = Random(seed)
    section = _empty_section()
    for _step in range(20):
        day, body = random.randint(0, 6), random.choice("甲乙丙")
        _write(section, body, None if day == 0 else _days(day))
        shown = Entry.objects.get(pk=section.pk).wording_on(_days(day))
        assert shown is not None
        assert shown.body == body
    ranges = _ranges(section)
    assert ranges[-1][1] is None
    assert all(before[1] == after[0] for before, after in zip(ranges, ranges[1:], strict=False))


@pytest.mark.parametrize("seed", range(25))
def test_the_chain_says_for_each_day_what_was_last_written_for_it(seed: int) -> None:
    """The model: a text written for a day holds until the next day for which another was written."""
    random = Random(seed)
    section = _empty_section()
    model: dict[int, str] = {}
    for step in range(random.randint(2, 14)):
        day, body = random.randint(0, 9), f"文面{step}"
        assert _write(section, body, None if day == 0 else _days(day)) is not None
        model[day] = body
    for day in range(11):
        known = [model[start] for start in sorted(model) if start <= day]
        shown = Entry.objects.get(pk=section.pk).wording_on(_days(day))
        assert (shown.body if shown else None) == (known[-1] if known else None)
    ranges = _ranges(section)
    assert ranges[-1][1] is None
    assert all(before[1] == after[0] for before, after in zip(ranges, ranges[1:], strict=False))


def test_the_same_text_changes_nothing() -> None:
    section = _empty_section()
    _write(section, "文面", DAY)
    assert _write(section, "文面", _days(30)) is None
    assert section.revisions.count() == 1


def test_events_are_told_from_the_chain() -> None:
    section = _empty_section()
    last = _write(section, "新しい文面", _days(20))
    assert last is not None
    assert last.event == Event.ADDED
    first = _write(section, "古い文面", DAY)
    assert first is not None
    assert (first.event, first.ended_on) == (Event.ADDED, _days(20))
    last.refresh_from_db()
    assert last.event == Event.EDITED
    moved = write_wording(section, Wording(body="新しい文面", number="102.9"), on=_days(40))
    assert moved is not None
    assert moved.event == Event.MOVED


def test_a_wording_found_to_be_older_begins_earlier() -> None:
    section = _empty_section()
    _write(section, "前の文面", DAY)
    last = _write(section, "今の文面", _days(20))
    older = _write(section, "今の文面", _days(10))
    assert older is not None
    assert older.pk == (last.pk if last else None)
    assert _ranges(section) == [(DAY, _days(10)), (_days(10), None)]
    assert section.wording_on(_days(9)).body == "前の文面"  # type: ignore[union-attr]
    _write(section, "今の文面", None)
    assert _ranges(section) == [(None, DAY), (DAY, _days(10)), (_days(10), None)]


def test_replaced_on_the_day_it_began() -> None:
    section = _empty_section()
    first = _write(section, "書き誤った文面", DAY)
    _write(section, "直した文面", DAY)
    assert first is not None
    first.refresh_from_db()
    assert first.effective_on == first.ended_on == DAY
    assert section.wording_on(DAY).body == "直した文面"  # type: ignore[union-attr]


def test_an_ended_entry_keeps_its_last_wording() -> None:
    section = _empty_section()
    successor = make_section("101.2", ruleset=make_ruleset())
    _write(section, "文面", None)
    revision = end_entry(section, on=_days(5), reason="削除されました。", successor=successor)
    assert revision is not None
    section = Entry.objects.get(pk=section.pk)
    assert (section.status, section.status_on, section.superseded_by) == (
        Status.SUPERSEDED,
        _days(5),
        successor,
    )
    assert section.wording_on(_days(9)).body == "文面"  # type: ignore[union-attr]
    assert section.is_in_force_on(_days(4))
    assert not section.is_in_force_on(_days(5))
    assert end_entry(section, on=_days(7), reason="もう一度") is None


def test_an_entry_that_ends_on_its_first_day_stays_readable() -> None:
    section = _empty_section()
    _write(section, "取り違えた文面", DAY)
    end_entry(section, on=DAY, reason="取り違えでした。")
    section = Entry.objects.get(pk=section.pk)
    assert (section.status, section.status_on) == (Status.WITHDRAWN, DAY)
    assert section.wording_on(_days(5)).body == "取り違えた文面"  # type: ignore[union-attr]
    assert not section.is_in_force_on(_days(1))


def test_an_entry_ends_only_until_what_is_known_to_come() -> None:
    section = _empty_section()
    _write(section, "前", DAY)
    _write(section, "後", _days(20))
    end_entry(section, on=_days(10), reason="一度消えた。")
    section.refresh_from_db()
    assert section.status == Status.CURRENT
    assert not section.is_in_force_on(_days(15))
    assert section.is_in_force_on(_days(20))


def test_a_new_wording_revives_and_settles_doubts() -> None:
    section = _empty_section()
    _write(section, "文面", DAY)
    end_entry(section, on=_days(5), reason="消えた。")
    revived = _write(section, "また現れた文面", _days(9))
    assert revived is not None
    assert revived.event == Event.ADDED
    section.refresh_from_db()
    assert (section.status, section.status_reason) == (Status.CURRENT, "")


def test_an_end_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="reason"):
        end_entry(_empty_section(), on=DAY, reason="")


def test_two_rules_never_bear_one_number_at_one_time() -> None:
    ended = make_section("101.1", effective_on=DAY)
    withdraw_entry(ended, on=_days(100), reason="終わりました。")
    make_section("101.1", body="別の決まり。", effective_on=_days(400))
    with pytest.raises(NumberTakenError, match=r"101\.1"):
        edit_entry(ended, Wording(body="また効力をもつ。", number="101.1"), on=_days(100))
    assert edit_entry(ended, Wording(body="終わる前の文。", number="101.1"), on=DAY + timedelta(days=9)) is not None

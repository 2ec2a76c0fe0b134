"""Random walks of edits, imports and days: what holds on which day, statuses, differences, the change log."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from rulings.models import (
    Amendment,
    Card,
    CardAlias,
    Change,
    Contradiction,
    Entry,
    LineageKind,
    Revision,
    Ruleset,
    Status,
)
from rulings.models.diffs import ruleset_differences
from rulings.services.checks import check_content
from rulings.services.decisions import confirm, explain
from rulings.services.due import settle
from rulings.services.editing import NumberTakenError, edit_card, edit_entry, retract_announcement, withdraw_entry
from rulings.services.faqs import import_faqs
from rulings.services.lineages import LineageError, tell_lineage
from rulings.services.renaming import save_amendment, save_ruleset
from rulings.services.wording_lists import import_wordings
from rulings.services.wordings import Wording
from tests.makers import make_card, make_ruleset
from tests.services.documents import amendment, document, load, section

START = date(2026, 1, 1)
DAYS = 12  # days of the world
BODIES = ("山札の上から一枚を見る決まり。", "手札を全て捨てる決まり。", "墓地から一枚を戻す決まり。101.1を参照。")
NUMBERS = ("101.1", "101.2", "102.1", "102.2")

walk = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
days = st.integers(0, DAYS - 1)
bodies = st.sampled_from(BODIES)
numbers = st.sampled_from(NUMBERS)


def day(number: int) -> date:
    return START + timedelta(days=number)


@contextmanager
def world(today: int) -> Iterator[None]:
    """A day of the world, undone afterwards by `undone`."""
    with mock.patch.object(timezone, "localdate", return_value=day(today)):
        yield


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Timeline:
    """Brute force: what one entry says on each day. Days of one stretch bear one mark."""

    def __init__(self, start: int, body: str) -> None:
        self.said: dict[object, str | None] = {}
        self.days: list[object] = [self._mark(None)] * DAYS
        self.write(start, body)

    def _mark(self, body: str | None) -> object:
        mark = object()
        self.said[mark] = body
        return mark

    def _end(self, on: int) -> int:
        """The first day after `on` of another stretch."""
        return next((at for at in range(on, DAYS) if self.days[at] is not self.days[on]), DAYS)

    def write(self, on: int, body: str) -> None:
        if self.said[self.days[on]] == body:
            return
        end = self._end(on)
        follows = end < DAYS and self.said[self.days[end]] == body
        self.days[on:end] = [self.days[end] if follows else self._mark(body)] * (end - on)

    def delete(self, on: int, today: int) -> None:
        """What was in effect keeps its first day; what was only announced never comes, as if it had not been."""
        if self.said[self.days[on]] is None:
            return
        end = self._end(on)
        if on == 0 or self.days[on - 1] is not self.days[on]:
            if on > today and self.said[self.days[on - 1]] is None:
                self.days[on:end] = [self.days[on - 1]] * (end - on)
                return
            on += on <= today
        self.days[on:end] = [self._mark(None)] * max(0, end - on)

    def bodies(self) -> list[str | None]:
        return [self.said[mark] for mark in self.days]


edits = st.lists(st.tuples(st.sampled_from(["write", "delete"]), days, bodies), max_size=8)


@pytest.mark.django_db
@walk
@given(start=days, first=bodies, steps=edits, today=days)
def test_as_of_answers_equal_a_brute_force_replay(
    start: int, first: str, steps: list[tuple[str, int, str]], today: int
) -> None:
    with undone(), world(today):
        ruleset = make_ruleset("dm-cr")
        entry = Entry.objects.create(kind="section", ruleset=ruleset, number="101.1", level="rule", sort_key="1")
        edit_entry(entry, Wording(body=first, number="101.1"), on=day(start))
        timeline = Timeline(start, first)
        for what, on, body in steps:
            if what == "write":
                edit_entry(entry, Wording(body=body, number="101.1"), on=day(on))
                timeline.write(on, body)
            else:
                withdraw_entry(entry, on=day(on), reason="理由")
                timeline.delete(on, today)
        fresh = Entry.objects.get(pk=entry.pk)
        assert [_body(fresh, day(at)) for at in range(DAYS)] == timeline.bodies()


def _body(entry: Entry, on: date) -> str | None:
    wording = entry.wording_on(on)
    return wording.body if wording is not None and entry.is_in_force_on(on) else None


# -- a whole ruleset -----------------------------------------------------------------------------------------------


Step = tuple[str, int, dict[str, str | None]]


@st.composite
def steps(draw: st.DrawFn) -> Step:
    """What happens: an amendment, a full text, an edit or a withdrawal, as of a day before or after today."""
    texts_change = ["amend", "book", "edit", "withdraw", "ask", "confirm", "sleep", "list", "retract"]
    what = draw(st.sampled_from([*texts_change, "rename", "retitle", "card", "tell", "explain"]))
    texts = draw(st.dictionaries(numbers, st.none() | bodies if what == "amend" else bodies, min_size=1, max_size=3))
    return what, draw(days), texts


def retract(_ruleset: Ruleset, _on: date, _serial: int) -> None:
    announced = Revision.objects.filter(due_on__gt=timezone.localdate()).order_by("-effective_on", "-pk").first()
    if announced is not None:
        retract_announcement(announced, reason="取りやめ")


def rename(ruleset: Ruleset, on: date, serial: int) -> None:
    ruleset.name, ruleset.slug = f"規則{serial}", f"rules-{serial}"
    ruleset.authority = "official" if on.day % 2 else "house"
    save_ruleset(ruleset)


def retitle(_ruleset: Ruleset, _on: date, serial: int) -> None:
    amendment = Amendment.objects.order_by("-pk").first()
    if amendment is not None:
        amendment.title = f"新しい題{serial}"
        save_amendment(amendment)


def card(ruleset: Ruleset, on: date, serial: int) -> None:
    """A card comes, is renamed, or gets a nickname."""
    known = Card.objects.order_by("pk").first()
    if known is None:
        edit_card(make_card("火竜", game=ruleset.game), is_new=True)
    elif on.day % 2:
        CardAlias.objects.create(card=known, text=f"竜{serial}")
        edit_card(known, is_new=False)
    else:
        former, known.name = known.name, f"火竜{serial}"
        known.save()
        edit_card(known, is_new=False, former=former if on.day % 4 else "")


def tell(ruleset: Ruleset, on: date, _serial: int) -> None:
    pair = list(Entry.objects.filter(ruleset=ruleset, kind="section").order_by("pk")[:2])
    if len(pair) == 2:
        with suppress(LineageError):
            tell_lineage(LineageKind.SPLIT, pair[0], pair[1], on=on)


def explain_first(_ruleset: Ruleset, _on: date, _serial: int) -> None:
    pair = Contradiction.objects.unsettled().first()
    if pair is not None:
        explain(pair, note="場が違います。")


OTHERS = {
    "retract": retract,
    "rename": rename,
    "retitle": retitle,
    "card": card,
    "tell": tell,
    "explain": explain_first,
}


def do(ruleset: Ruleset, step: Step, serial: int) -> None:
    what, on, texts = step
    sections = Entry.objects.filter(ruleset=ruleset, kind="section")
    if what == "amend":
        records = [
            section(number, body) if body else section(number, deleted=True) for number, body in sorted(texts.items())
        ]
        load(ruleset, amendment(*records, title=f"改定{serial}"), day(on))
    elif what == "book":
        load(ruleset, document(*(section(number, body or "") for number, body in sorted(texts.items()))), day(on))
    elif what == "ask":
        rows = [
            {
                "qa_id": number,
                "question": f"{number}はどうですか?",
                "answer": f"{'はい' if on % 3 else 'いいえ'}。（{number}.）《火竜》は{body}",
            }
            for number, body in texts.items()
        ]
        import_faqs(ruleset, json.dumps(rows, ensure_ascii=False).encode(), complete=on % 2 == 0)
    elif what == "list":
        rows = [{"rule": number, "text": body, "date": str(day(on))} for number, body in sorted(texts.items())]
        import_wordings(ruleset, json.dumps(rows, ensure_ascii=False).encode())
    elif what in OTHERS:
        OTHERS[what](ruleset, day(on), serial)
    elif what == "confirm":
        for entry in Entry.objects.filter(status=Status.NEEDS_REVIEW):
            confirm(entry, note="確かめました。")
    else:
        entry = sections.filter(number__in=texts).order_by("pk").first()
        if entry is not None and what == "edit":
            with suppress(NumberTakenError):  # nothing was changed
                edit_entry(entry, Wording(body=next(iter(texts.values())) or "", number=entry.number), on=day(on))
        elif entry is not None and what == "withdraw":
            withdraw_entry(entry, on=day(on), reason="理由")


def state(ruleset: Ruleset, on: date) -> dict[int, tuple[str, str]]:
    held = Revision.objects.in_force(on).filter(entry__ruleset=ruleset, entry__kind="section")
    return {revision.entry_id: (revision.number, revision.body) for revision in held}


def changed(
    ruleset: Ruleset, before: dict[int, tuple[str, str]], first: date, last: date
) -> dict[int, tuple[str, str]]:
    """`before` with the differences of two days applied."""
    found = dict(before)
    for one in ruleset_differences(ruleset, first, last):
        assert (one.old is None) == (one.entry.pk not in found)
        if one.new is None:
            del found[one.entry.pk]
        else:
            found[one.entry.pk] = (one.new.number, one.new.body)
    return found


@pytest.mark.django_db
@walk
@given(plan=st.lists(steps(), min_size=1, max_size=6), dates=st.tuples(days, days, days))
def test_a_ruleset_keeps_its_invariants(plan: list[Step], dates: tuple[int, int, int]) -> None:
    note(f"{plan} {dates}")
    with undone():
        ruleset = make_ruleset("dm-cr")
        today = 0
        for serial, step in enumerate(plan):
            today = min(DAYS - 1, today + (3 if step[0] == "sleep" else 1))
            with world(today):
                settle()
                do(ruleset, step, serial)
                _statuses_follow_dates(ruleset, day(today))
        for at in range(DAYS):
            held = list(Revision.objects.in_force(day(at)).values_list("entry", flat=True).order_by())
            assert len(held) == len(set(held))
        first, middle, last = (day(at) for at in sorted(dates))
        direct = changed(ruleset, state(ruleset, first), first, last)
        in_two = changed(ruleset, changed(ruleset, state(ruleset, first), first, middle), middle, last)
        assert direct == in_two == state(ruleset, last)


def _statuses_follow_dates(ruleset: Ruleset, today: date) -> None:
    held = state(ruleset, today)
    for entry in Entry.objects.filter(ruleset=ruleset, kind="section"):
        if entry.is_live:
            assert entry.pk in held, (entry.pk, entry.status)
            assert held[entry.pk][0] == entry.number
        elif entry.status == Status.ANNOUNCED:
            assert entry.pk not in held
    assert [finding for finding in check_content() if finding.is_broken and finding.code != "unaccounted"] == []


# -- the change log ------------------------------------------------------------------------------------------------


def export(ids: set[int] | None = None) -> dict[int, Any]:
    """The entries as the API gives them: all of them, or those that changed."""
    client = Client()
    if ids is not None:
        return {pk: _listed(client, pk) for pk in ids}
    return {pk: _listed(client, pk) for pk in Entry.objects.values_list("pk", flat=True)}


_DERIVED = ("cited_by", "cited_by_count", "references", "revisions", "source", "warnings", "parent", "children")


def _listed(client: Client, pk: int) -> dict[str, Any]:
    answer = client.get(f"/api/v1/entries/{pk}/").json()
    return {name: value for name, value in answer.items() if name not in _DERIVED}


@pytest.mark.django_db
@settings(walk, max_examples=12)
@given(before=st.lists(steps(), min_size=1, max_size=3), after=st.lists(steps(), min_size=1, max_size=4))
def test_the_change_log_over_yesterday_gives_today(before: list[Step], after: list[Step]) -> None:
    with undone():
        ruleset = make_ruleset("dm-cr")
        with world(3):
            for serial, step in enumerate(before):
                do(ruleset, step, serial)
            known, number = export(), Change.objects.latest_number()
        with world(6):
            settle()
            for serial, step in enumerate(after, len(before)):
                do(ruleset, step, serial)
            touched = set(Change.objects.filter(number__gt=number).values_list("entry", flat=True))
            assert known | export({pk for pk in touched if pk}) == export()
            rows = list(Change.objects.values_list("number", flat=True))
            assert rows == list(range(1, len(rows) + 1))


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="threads share the test database file")
def test_two_writers_at_once_leave_an_exact_log() -> None:
    ruleset = make_ruleset("dm-cr")
    load(ruleset, document(*(section(number, BODIES[0]) for number in NUMBERS)), START)
    known, number = export(), Change.objects.latest_number()
    failures: list[BaseException] = []

    def write(own: tuple[str, ...], title: str) -> None:
        try:
            for turn in range(4):
                entry = Entry.objects.get(ruleset=ruleset, number=own[turn % 2])
                edit_entry(
                    entry, Wording(body=f"{title}{turn}", number=entry.number), on=START + timedelta(days=turn + 1)
                )
                load(ruleset, amendment(section(f"{own[0]}{'abcd'[turn]}", title), title=f"{title}{turn}"), START)
        except BaseException as error:  # noqa: BLE001 - told by the test itself
            failures.append(error)
        finally:
            connection.close()

    writers = [threading.Thread(target=write, args=args) for args in ((NUMBERS[:2], "甲"), (NUMBERS[2:], "乙"))]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failures == []
    rows = list(Change.objects.values_list("number", flat=True))
    assert rows == list(range(1, len(rows) + 1))
    touched = set(Change.objects.filter(number__gt=number).values_list("entry", flat=True))
    assert known | export({pk for pk in touched if pk}) == export()

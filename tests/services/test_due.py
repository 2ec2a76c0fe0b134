"""What is announced for a day to come changes nothing before it, and everything on it."""

import json
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from rulings.models import Change, Entry, Ruleset, Status
from rulings.services import due
from rulings.services.checks import check_content
from rulings.services.due import settle
from rulings.services.editing import edit_entry, withdraw_entry
from rulings.services.faqs import import_faqs
from rulings.services.wordings import Wording
from tests.makers import make_ruleset
from tests.services.documents import amendment, at, document, load, section

pytestmark = pytest.mark.django_db
TODAY = date(2026, 3, 1)
AHEAD = date(2026, 4, 1)
Travel = Callable[[date], None]


@pytest.fixture
def travel(monkeypatch: pytest.MonkeyPatch) -> Travel:
    """Let it be another day."""

    def go(day: date) -> None:
        monkeypatch.setattr(timezone, "localdate", lambda *args, **kwargs: day)
        monkeypatch.setattr(due, "_tried", None)

    go(TODAY)
    return go


@pytest.fixture
def rules(travel: Travel) -> Ruleset:
    ruleset = make_ruleset("dm-cr")
    load(
        ruleset,
        document(
            section("117", title="超次元"),
            section("117.1", "サイキックは戻ります。"),
            section("117.2", "ウエポンは戻ります。"),
            section("117.3", "ドラグハートは戻ります。"),
        ),
        date(2025, 12, 1),
    )
    row = {
        "qa_id": "1",
        "question": "戻りますか?",
        "answer": "はい。",
        "rules_cited": ["117.2"],
        "published": "2026-01-05",
    }
    import_faqs(ruleset, json.dumps(row, ensure_ascii=False).encode())
    return ruleset


def announce(rules: Ruleset) -> None:
    load(
        rules,
        amendment(
            section("117.1", "サイキックは墓地に置かれます。"),
            section("117.4", "新しい決まりです。"),
            section("117.2", deleted=True, successor="117.4"),
        ),
        AHEAD,
    )


def statuses(rules: Ruleset) -> dict[str, str]:
    return {entry.number or entry.official_id: entry.status for entry in Entry.objects.filter(ruleset=rules)}


def test_an_announcement_changes_nothing_today(rules: Ruleset) -> None:
    before = statuses(rules)
    announce(rules)
    assert statuses(rules) == before | {"117.4": Status.ANNOUNCED}
    wording = at(rules, "117.1").wording
    assert wording is not None
    assert wording.body == "サイキックは戻ります。"
    assert not any(finding.is_broken for finding in check_content())


def test_it_takes_effect_on_its_day(rules: Ruleset, travel: Travel) -> None:
    announce(rules)
    number = Change.objects.latest_number()
    travel(AHEAD - timedelta(days=1))
    assert settle() == 0
    travel(AHEAD)
    assert settle() == 3
    found = statuses(rules)
    assert found["117.2"] == Status.SUPERSEDED
    assert found["117.4"] == found["117.1"] == Status.CURRENT
    assert found["1"] == Status.NEEDS_REVIEW
    gone = at(rules, "117.2")
    assert gone.superseded_by == at(rules, "117.4")
    assert gone.status_on == AHEAD
    kinds = {
        change.entry.number or change.entry.official_id: change.kind
        for change in Change.objects.filter(number__gt=number).select_related("entry")
        if change.entry
    }
    assert kinds == {"117.1": "updated", "117.2": "ended", "117.4": "updated", "1": "updated"}
    assert not any(finding.is_broken for finding in check_content())


def test_it_takes_effect_once(rules: Ruleset, travel: Travel) -> None:
    announce(rules)
    travel(AHEAD)
    settle()
    number = Change.objects.latest_number()
    assert settle() == 0
    announce(rules)
    assert Change.objects.latest_number() == number


def test_the_first_request_of_the_day_sees_it(rules: Ruleset, travel: Travel, client: Client) -> None:
    announce(rules)
    assert client.get("/api/v1/rulesets/dm-cr/sections/117.2/").json()["status"] == "current"
    travel(AHEAD + timedelta(days=3))
    answer = client.get("/api/v1/rulesets/dm-cr/sections/117.2/").json()
    assert (answer["status"], answer["status_on"]) == ("superseded", str(AHEAD))


def test_a_failure_leaves_the_site_standing(
    rules: Ruleset, travel: Travel, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce(rules)
    travel(AHEAD)
    monkeypatch.setattr(due, "_take_effect", lambda *args: 1 / 0)
    assert client.get("/api/v1/rulesets/dm-cr/sections/117.1/").status_code == 200


def test_an_edit_today_holds_although_another_is_announced(rules: Ruleset, travel: Travel) -> None:
    announce(rules)
    edited = at(rules, "117.1")
    edit_entry(edited, Wording(body="きょうからの文。", number="117.1"), on=TODAY)
    wording = at(rules, "117.1").wording
    assert wording is not None
    assert wording.body == "きょうからの文。"
    travel(AHEAD)
    settle()
    wording = at(rules, "117.1").wording
    assert wording is not None
    assert wording.body == "サイキックは墓地に置かれます。"


def test_a_withdrawal_to_come(rules: Ruleset, travel: Travel) -> None:
    asked = Entry.objects.get(official_id="1")
    withdraw_entry(asked, on=AHEAD, reason="差し替えのため。")
    asked.refresh_from_db()
    assert asked.status == Status.CURRENT
    travel(AHEAD)
    settle()
    asked.refresh_from_db()
    assert (asked.status, asked.status_on, asked.status_reason) == (Status.WITHDRAWN, AHEAD, "差し替えのため。")


def test_a_reused_number_changes_hands_on_the_day(rules: Ruleset, travel: Travel) -> None:
    """A new full text moves 117.3 to 117.2 and ends the old 117.2."""
    old, moving = at(rules, "117.2"), at(rules, "117.3")
    load(
        rules,
        document(
            section("117", title="超次元"),
            section("117.1", "サイキックは戻ります。"),
            section("117.2", "ドラグハートは戻ります。"),
        ),
        AHEAD,
    )
    assert at(rules, "117.2") == old
    assert at(rules, "117.3") == moving
    travel(AHEAD)
    settle()
    assert at(rules, "117.2") == moving
    old.refresh_from_db()
    assert old.status == Status.WITHDRAWN
    assert not Entry.objects.filter(ruleset=rules, number="117.3").exists()
    assert not any(finding.is_broken for finding in check_content())


def test_what_is_announced_and_taken_back_never_holds(rules: Ruleset, travel: Travel) -> None:
    announce(rules)
    book = document(
        section("117", title="超次元"),
        section("117.1", "サイキックは墓地に置かれます。"),
        section("117.3", "ドラグハートは戻ります。"),
    )
    load(rules, book, AHEAD)
    travel(AHEAD)
    settle()
    coming = at(rules, "117.4")
    assert coming.status == Status.WITHDRAWN
    assert not any(coming.is_in_force_on(AHEAD + timedelta(days=days)) for days in range(3))
    assert not any(finding.is_broken for finding in check_content())

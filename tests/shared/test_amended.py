"""The book of 2025-12-17 under the amendment of 2026-02-13, and dated wordings of 2018–2024."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from rulings.models import Amendment, Entry, Kind, Ruleset, Status
from rulings.models.amended import amended, load
from rulings.models.diffs import counted, ruleset_differences
from rulings.services.editing import NumberTakenError, edit_entry
from rulings.services.wordings import Wording
from rulings.text.fold import fold_key

pytestmark = pytest.mark.django_db
BEFORE, DAY = date(2026, 2, 12), date(2026, 2, 13)


@pytest.fixture(scope="module", autouse=True)
def book(django_db_setup: None, django_db_blocker: Any, shared_dir: Path) -> Iterator[None]:
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("loaddata", "games", verbosity=0)
        for name in ("dm-cr-1.48", "dm-cr-2026-02-13"):
            call_command("import_document", shared_dir / "documents" / f"{name}.txt", "--ruleset", "dm-cr", stdout=None)
        questions = shared_dir / "data" / "dm_official_qa.jsonl"
        call_command("import_faqs", questions, "--ruleset", "dm-cr", stdout=None)
        yield
        transaction.set_rollback(True)


@pytest.fixture
def rules() -> Ruleset:
    return Ruleset.objects.get(slug="dm-cr")


def read(address: str, **parameters: object) -> str:
    return " ".join(Client().get(address, parameters).content.decode().split())


def test_the_rule_that_ended(rules: Ruleset) -> None:
    before = read("/dm-cr/117.2/", as_of=BEFORE)
    assert "差し替え済み" not in before
    assert "今日の規則ではありません" in before
    on = read("/dm-cr/117.2/", as_of=DAY)
    assert "差し替え済み" in on
    assert "いまの項目 703.4m" in on
    answer = Client().get("/api/v1/rulesets/dm-cr/sections/117.2/", {"as_of": BEFORE}).json()
    assert (answer["status"], answer["in_force"]) == ("current", True)


def test_both_wordings_and_their_difference(rules: Ruleset) -> None:
    history = read("/dm-cr/703.4g/history/")
    assert "<ins>" in history
    assert "2025年12月17日" in history
    rows = Client().get("/api/v1/rulesets/dm-cr/sections/703.4g/history/").json()["results"]
    assert [row["effective_on"] for row in rows] == [str(DAY), "2025-12-17"]
    pieces = rows[0]["diff"]
    assert "".join(piece["text"] for piece in pieces if piece["op"] != "insert") == rows[1]["body"]
    assert "".join(piece["text"] for piece in pieces if piece["op"] != "delete") == rows[0]["body"]


def test_the_amendment_lists_its_29_numbers_and_the_difference_is_that_list(rules: Ruleset) -> None:
    amendment = Amendment.objects.get(ruleset=rules, is_complete=False)
    changes = amended(amendment)
    load(changes)
    assert Counter(one.event for one in changes) == {"added": 21, "edited": 5, "deleted": 1, "unchanged": 2}
    assert {one.number for one in changes if one.event == "unchanged"} == {"805.4a", "807.4a"}
    page = read(f"/amendments/{amendment.pk}/")
    assert all(f">{one.number}</span>" in page for one in changes)
    start = time.perf_counter()
    found = ruleset_differences(rules, BEFORE, DAY)
    assert time.perf_counter() - start < 1
    numbers = {(one.new or one.old).number for one in found}  # type: ignore[union-attr]
    assert numbers == {one.number for one in changes if one.event != "unchanged"}
    assert counted(found) == {"added": 21, "deleted": 1, "edited": 5, "moved": 0, "renumbered": 0}


def test_the_page_shows_the_numbers_in_the_groups_of_the_announcement(rules: Ruleset) -> None:
    amendment = Amendment.objects.get(ruleset=rules, is_complete=False)
    page = BeautifulSoup(Client().get(f"/amendments/{amendment.pk}/").content, "html.parser")
    groups = [
        [edit.select_one(".number").get_text(strip=True) for edit in group.select(".edit")]  # type: ignore[union-attr]
        for group in page.select(".edit-group")
    ]
    assert [len(group) for group in groups] == [22, 3, 3, 1]
    assert groups[1:] == [["117.1", "805.4a", "807.4a"], ["703.4g", "703.4m", "806.1a"], ["117.2"]]
    assert groups[0][:2] == ["204.2", "300.1"]
    assert {number.split(".")[0] for number in groups[0][2:]} == {"317", "820", "821"}
    titles = [group.h2.get_text(" ", strip=True) for group in page.select(".edit-group") if group.h2]
    assert ["内容は変わらない修正" in title for title in titles] == [False, True, False, False]


def test_what_became_doubtful_and_nothing_else() -> None:
    doubtful = Entry.objects.filter(status=Status.NEEDS_REVIEW).exclude(kind=Kind.INTERACTION)
    assert [entry.official_id for entry in doubtful] == ["42359"]


def test_dated_wordings_of_earlier_years(rules: Ruleset, shared_dir: Path) -> None:
    """Each is read back as of its day; most of them changed since. 814 of 2024 is another rule than that of today."""
    lines = (shared_dir / "data" / "dm_rule_changes.jsonl").read_text(encoding="utf-8").splitlines()
    same = Counter[bool]()
    for row in sorted(map(json.loads, lines), key=lambda row: row["date"]):
        entry = Entry.objects.of_ruleset("dm-cr").at_number(row["rule"]).first()
        if entry is None or entry.wording is None:
            continue
        day, body = date.fromisoformat(row["date"]), row["text"]
        same[fold_key(entry.wording.title + entry.wording.body) == fold_key(body)] += 1
        today = entry.wording.body
        try:
            edit_entry(entry, Wording(body=body, number=entry.number), on=day)
        except NumberTakenError:
            continue
        then = Entry.objects.get(pk=entry.pk).wording_on(day)
        assert then is not None
        assert (then.body, Entry.objects.get(pk=entry.pk).wording.body) == (body, today)  # type: ignore[union-attr]
    assert same[True] >= 9
    assert same[False] >= 9

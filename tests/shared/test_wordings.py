"""The real dated wordings of 2018–2024 under the real book: the past of 23 rules, and nothing else, changes."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from rulings.models import Amendment, Entry, Revision, Ruleset
from rulings.models.histories import histories_at
from rulings.services.checks import check_content
from rulings.services.wording_lists import import_wordings
from rulings.text.diffs import same_reading

pytestmark = pytest.mark.django_db
BOOK = date(2025, 12, 17)


@pytest.fixture
def rows(shared_dir: Path) -> list[dict[str, Any]]:
    lines = (shared_dir / "data" / "dm_rule_changes.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def today() -> dict[int, tuple[str, str]]:
    held = Revision.objects.in_force(BOOK)
    return {one.entry_id: (one.number, f"{one.title}\n{one.body}\n{one.examples}") for one in held}


def test_the_past_is_filled_in(shared_dir: Path, rows: list[dict[str, Any]], client: Client) -> None:
    call_command("loaddata", "games", verbosity=0)
    book = shared_dir / "documents" / "dm-cr-1.48.txt"
    call_command("import_document", book, "--ruleset", "dm-cr", stdout=None)
    rules, before = Ruleset.objects.get(slug="dm-cr"), today()
    data = (shared_dir / "data" / "dm_rule_changes.jsonl").read_bytes()
    report = import_wordings(rules, data)
    assert (report.doubtful, report.warnings, report.sections.created) == ([], [], 0)
    assert today() == before
    same = 0
    for row in rows:
        day = date.fromisoformat(row["date"])
        (entry,) = Entry.objects.filter(ruleset=rules).at_number_on(row["rule"], day)
        then = entry.wording_on(day)
        assert then is not None
        assert same_reading(then.body or then.title, row["text"])
        same += then.holds_on(BOOK) and then.number == row["rule"]
    assert (same, len(rows) - same) == (11, 12)
    assert Amendment.objects.filter(ruleset=rules).count() == 1 + len({row["date"] for row in rows})
    _two_histories(rules, client)
    assert import_wordings(rules, data).nothing_changed
    assert not any(finding.is_broken for finding in check_content())


def _two_histories(rules: Ruleset, client: Client) -> None:
    """814.1 was ハイパーモード in April 2024 and is キング・セル in December 2025."""
    histories = histories_at(rules, "814.1")
    assert [history.entry.number for history in histories] == ["814.1", "816.1"]
    assert [step.revision.number for step in histories[1].steps] == ["816.1", "814.1"]
    page = client.get("/dm-cr/814.1/history/").content.decode()
    assert "2つの条項に使われました" in page
    in_2024 = client.get("/dm-cr/814.1/", {"as_of": "2024-04-12"}).content.decode()
    assert "ハイパーモード" in in_2024
    assert "キング・セル" in client.get("/dm-cr/814.1/").content.decode()

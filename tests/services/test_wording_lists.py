"""The past of a ruleset filled in from a list of dated wordings."""

import json
from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rulings.models import Amendment, Change, Entry, Event, Ruleset, Source, Status
from rulings.services.checks import check_content
from rulings.services.reports import ImportReport
from rulings.services.wording_lists import import_wordings
from tests.makers import make_ruleset
from tests.services.documents import LAST, LATER, at, body_on, document, load, section

pytestmark = pytest.mark.django_db
MODE = "ハイパーモードのカードは、味方をタップして力を解放できます。"
CELL = "キング・セルは単独では使えず、指定された仲間と合体して初めて場に出ます。"
WIN = "相手の山札が無くなった時、そのプレイヤーはゲームに敗北します。"
EARLY = date(2019, 3, 1)


@pytest.fixture
def rules() -> Ruleset:
    ruleset = make_ruleset("dm-cr")
    book = (
        section("104", title="勝敗"),
        section("104.1", WIN, examples=("山札が0枚の時",)),
        section("814.1", CELL),
        section("816.1", MODE),
    )
    load(ruleset, document(*book), LATER)
    return ruleset


def row(number: str, text: str, on: date = EARLY, **fields: Any) -> dict[str, Any]:
    return {"rule": number, "text": text, "date": on.isoformat()} | fields


def read(rules: Ruleset, *rows: dict[str, Any], **options: Any) -> ImportReport:
    text = "\n".join(json.dumps(one, ensure_ascii=False) for one in rows)
    return import_wordings(rules, text.encode(), **options)


def test_an_earlier_wording_holds_until_the_next_that_is_known(rules: Ruleset) -> None:
    former = "山札が無くなったプレイヤーはゲームに敗北します。"
    read(rules, row("104.1", former, change_note="言い方を直しました。"))
    rule = at(rules, "104.1")
    assert body_on(rule, EARLY - timedelta(days=1)) is None
    assert body_on(rule, EARLY) == body_on(rule, LATER - timedelta(days=1)) == former
    assert body_on(rule, LATER) == WIN
    amendment = Amendment.objects.get(effective_on=EARLY)
    assert [group.title for group in amendment.groups.all()] == ["言い方を直しました。"]
    assert [one.event for one in rule.revisions.order_by("effective_on")] == [Event.ADDED, Event.EDITED]


def test_the_same_text_is_found_to_be_older_and_loses_nothing(rules: Ruleset) -> None:
    read(rules, row("104.1", WIN.replace("、", "，")))
    (wording,) = at(rules, "104.1").revisions.all()
    assert (wording.effective_on, wording.body, wording.examples) == (
        EARLY,
        WIN,
        [{"label": "例", "text": "山札が0枚の時"}],
    )


def test_a_number_that_was_another_rule_keeps_two_histories(rules: Ruleset) -> None:
    cell, mode = at(rules, "814.1"), at(rules, "816.1")
    read(rules, row("814.1", MODE))
    assert Entry.objects.at_number_on("814.1", EARLY).get() == mode
    assert Entry.objects.at_number_on("814.1", LATER).get() == cell
    assert body_on(cell, EARLY) is None


def test_a_rule_that_the_later_book_lacks_is_a_tombstone(rules: Ruleset) -> None:
    read(rules, row("900.1", "盾を手札に戻して発動する能力は、宣言した順に一つずつ使います。"))
    gone = at(rules, "900.1")
    assert (gone.status, gone.status_on) == (Status.WITHDRAWN, LATER)
    assert body_on(gone, EARLY) is not None
    assert body_on(gone, LATER) is None


def test_a_newer_wording_is_an_amendment_and_the_next_book_goes_on_from_it(rules: Ruleset) -> None:
    newest = WIN.replace("敗北します", "負けます")
    read(rules, row("104.1", newest, LAST))
    rule = at(rules, "104.1")
    assert rule.wording is not None
    assert rule.wording.body == newest
    book = document(section("104.1", newest), section("814.1", CELL), title="次の版")
    load(rules, book, LAST + timedelta(days=30))
    assert at(rules, "104.1") == rule
    assert at(rules, "816.1").status == Status.WITHDRAWN


def test_the_end_of_a_rule(rules: Ruleset) -> None:
    read(rules, row("814.1", "", LAST, event="deleted"))
    assert at(rules, "814.1").status == Status.WITHDRAWN
    assert body_on(at(rules, "814.1"), LAST - timedelta(days=1)) == CELL


def test_again_changes_nothing_and_a_trial_stores_nothing(rules: Ruleset) -> None:
    rows = (row("104.1", "昔の決まりでは山札が無くなると敗北します。"), row("814.1", MODE))
    before = Change.objects.count(), Source.objects.count()
    assert read(rules, *rows, dry_run=True).sections.touched == 2
    assert (Change.objects.count(), Source.objects.count()) == before
    read(rules, *rows)
    state = Change.objects.count(), Source.objects.count(), Amendment.objects.count()
    again = read(rules, *rows)
    assert again.nothing_changed
    assert again.already_imported
    assert (Change.objects.count(), Source.objects.count(), Amendment.objects.count()) == state
    assert not any(finding.is_broken for finding in check_content())


def test_the_command(rules: Ruleset, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text(f"番号,日付,本文\n814.1,2019-03-01,{MODE}\nx,,\n", encoding="utf-8")
    out = StringIO()
    call_command("import_wordings", file, "--ruleset", "dm-cr", stdout=out)
    assert "変更1" in out.getvalue()
    assert "3行目" in out.getvalue()
    with pytest.raises(CommandError, match="読み込めません"):
        call_command("import_wordings", tmp_path / "list.csv", "--ruleset", "dm-cr", "--map", "color=番号")

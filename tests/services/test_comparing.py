"""A full text over a full text: what moved, what another rule took the number of, what is asked."""

import pytest
from django.core.management import CommandError

from rulings.management.console import read_same
from rulings.models import Event, Ruleset, Status
from tests.makers import make_ruleset
from tests.services.documents import DAY, LAST, LATER, at, body_on, document, load, section

pytestmark = pytest.mark.django_db
MODE = "ハイパーモードのカードは、味方をタップして力を解放できます。"
CELL = "キング・セルは単独では使えず、指定された仲間と合体して初めて場に出ます。"
WIN = "相手の山札が無くなった時、そのプレイヤーはゲームに敗北します。"


@pytest.fixture
def rules() -> Ruleset:
    ruleset = make_ruleset("dm-cr")
    load(ruleset, document(section("104.1", WIN), section("814", title="モード"), section("814.1", MODE)), DAY)
    return ruleset


def test_another_rule_under_the_same_number_is_another_rule(rules: Ruleset) -> None:
    old = at(rules, "814.1")
    load(rules, document(section("104.1", WIN), section("814", title="セル"), section("814.1", CELL)), LATER)
    assert at(rules, "814.1").pk != old.pk
    old.refresh_from_db()
    assert old.status == Status.WITHDRAWN
    assert body_on(old, DAY) == MODE
    assert body_on(at(rules, "814.1"), LATER) == CELL


def test_a_rule_that_moved_and_was_edited_keeps_its_history(rules: Ruleset) -> None:
    old = at(rules, "814.1")
    edited = MODE.replace("解放できます", "解放してもよい")
    records = (section("104.1", WIN), section("814.1", CELL), section("816", title="モード"), section("816.1", edited))
    load(rules, document(*records), LATER)
    assert at(rules, "816.1") == old
    assert [one.event for one in old.revisions.order_by("effective_on")] == [Event.ADDED, Event.MOVED]


def test_an_older_book_fills_the_past_in_by_text(rules: Ruleset) -> None:
    newest = (section("104.1", WIN), section("814.1", CELL), section("816.1", MODE))
    load(rules, document(*newest), LAST)
    mode = at(rules, "816.1")
    older = document(section("104.1", WIN), section("810.1", MODE), title="もっと前の規則")
    load(rules, older, DAY.replace(year=2020))
    mode.refresh_from_db()
    assert mode.number == "816.1"
    numbers = [one.number for one in mode.revisions.order_by("effective_on")]
    assert numbers == ["810.1", "814.1", "816.1"]


DOUBTFUL = "ハイパーモードのカードは、味方のクリーチャーをタップして、その力を一時的に解放できるカードです。"


def test_what_the_texts_do_not_tell_is_asked_and_may_be_answered(rules: Ruleset) -> None:
    asked = document(section("104.1", WIN), section("815.1", DOUBTFUL))
    preview = load(rules, asked, LATER, dry_run=True, allow_ending=True)
    assert [one["number"] for one in preview.doubtful] == ["815.1"], preview.doubtful
    assert [one["number"] for one in preview.doubtful[0]["candidates"]] == ["814.1"]
    assert "--same" in preview.summary()
    old = at(rules, "814.1")
    decided = load(rules, asked, LATER, same={"815.1": "814.1"}, allow_ending=True)
    assert decided.doubtful == []
    assert at(rules, "815.1") == old


def test_an_answer_that_it_is_new(rules: Ruleset) -> None:
    old = at(rules, "814.1")
    load(rules, document(section("104.1", WIN), section("815.1", MODE)), LATER, same={"815.1": ""}, allow_ending=True)
    assert at(rules, "815.1") != old


def test_answers_on_the_command_line() -> None:
    assert read_same(["814.1=８１６．１", "=820"]) == {"816.1": "814.1", "820": ""}
    with pytest.raises(CommandError, match="--same"):
        read_same(["814.1"])

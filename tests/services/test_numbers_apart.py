"""One number is one rule on any day, whatever is read in whatever order."""

import json
from datetime import date

import pytest
from django.test import Client

from rulings.models import Entry, Revision, Ruleset
from rulings.services.safeguards import ImportImpossibleError
from rulings.services.wording_lists import import_wordings
from tests.makers import make_ruleset
from tests.services.documents import DAY, LAST, LATER, at, body_on, document, load, section

pytestmark = pytest.mark.django_db
ONE = "攻撃する時、山札の上から一枚を見て元に戻すことができます。"
TWO = "呪文を唱えた時、手札を全て捨てなければなりません。"
THREE = "バトルに負けた時、墓地のカードの枚数を数えます。"
FOUR = "ゲームの開始時、シールドを相手に公開し続けます。"


@pytest.fixture
def rules() -> Ruleset:
    return make_ruleset("dm-cr")


def wordings(ruleset: Ruleset, *rows: tuple[str, date, str]) -> None:
    made = [{"番号": number, "日付": str(on), "本文": body} for number, on, body in rows]
    import_wordings(ruleset, json.dumps(made, ensure_ascii=False).encode())


@pytest.mark.parametrize("gone", [1, 2, 3])
def test_the_rules_after_one_that_is_gone_move_up(rules: Ruleset, gone: int) -> None:
    texts = [ONE, TWO, THREE, FOUR]
    load(rules, document(*(section(f"101.{at}", text) for at, text in enumerate(texts, 1))), DAY)
    ids = {text: at(rules, f"101.{place}").pk for place, text in enumerate(texts, 1)}
    left = [text for place, text in enumerate(texts, 1) if place != gone]
    load(rules, document(*(section(f"101.{at}", text) for at, text in enumerate(left, 1))), LATER)
    for place, text in enumerate(left, 1):
        entry = at(rules, f"101.{place}")
        assert (entry.pk, body_on(entry, LATER)) == (ids[text], text)
    ended = Entry.objects.get(pk=ids[texts[gone - 1]])
    assert (ended.is_live, ended.number) == (False, f"101.{gone}")


def test_a_list_takes_no_number_from_a_rule_that_goes_on(rules: Ruleset) -> None:
    load(rules, document(section("101.1", ONE), section("101.2", TWO)), DAY)
    wordings(rules, ("101.1", LATER, TWO))
    held = Revision.objects.in_force(LATER).values_list("number", flat=True)
    assert sorted(held) == ["101.1", "101.2"]
    assert body_on(at(rules, "101.1"), LATER) == TWO


def test_what_the_next_book_lacks_ends_with_it_though_it_comes_back(rules: Ruleset) -> None:
    load(rules, document(section("101.1", ONE), section("101.2", TWO)), DAY)
    load(rules, document(section("101.1", ONE), section("101.2", TWO), section("101.3", THREE)), LATER)
    load(rules, document(section("101.1", ONE), section("101.4", THREE)), date(2024, 1, 1))
    entry = at(rules, "101.3")
    assert body_on(entry, date(2024, 6, 1)) == THREE
    assert body_on(entry, DAY) is None
    assert body_on(entry, LATER) == THREE


def test_a_book_of_the_past_leaves_todays_numbers_alone(rules: Ruleset) -> None:
    load(rules, document(section("101.1", ONE), section("101.2", TWO)), DAY)
    load(rules, document(section("101.1", ONE), section("101.2", THREE), section("101.3", TWO)), LATER)
    load(rules, document(section("101.1", TWO), section("101.2", ONE)), date(2024, 1, 1))
    assert {at(rules, number).number for number in ("101.1", "101.2", "101.3")} == {"101.1", "101.2", "101.3"}
    assert body_on(at(rules, "101.3"), date(2024, 6, 1)) == TWO
    assert body_on(at(rules, "101.2"), LATER) == THREE


def test_two_rules_of_one_number_are_refused_and_nothing_is_stored(
    rules: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a comparison decides: the database is not asked to hold what cannot be."""
    load(rules, document(section("101.1", ONE), section("101.2", TWO)), DAY)
    first, before = at(rules, "101.1"), Revision.objects.count()
    monkeypatch.setattr("rulings.services.sections.SectionWriter._match", lambda writer: {"101.1": writer.known[1]})
    book = document(section("101.1", THREE))
    with pytest.raises(ImportImpossibleError, match=r"同じ番号.*101\.1"):
        load(rules, book, LATER, allow_ending=True)
    report = load(rules, book, LATER, dry_run=True)
    assert "number_shared" in [warning["code"] for warning in report.warnings]
    assert Revision.objects.count() == before
    assert Entry.objects.get(pk=first.pk).is_live


def test_the_address_of_a_rule_that_moved_leads_to_it(rules: Ruleset, client: Client) -> None:
    load(rules, document(section("101.1", ONE), section("101.2", TWO)), DAY)
    load(rules, document(section("101.1", ONE), section("103.5", TWO)), LATER)
    answer = client.get("/dm-cr/101.2/")
    assert (answer.status_code, answer["Location"]) == (302, "/dm-cr/103.5/")
    row = client.get("/api/v1/rulesets/dm-cr/sections/101.2/").json()
    assert (row["number"], row["warnings"][0]["code"]) == ("103.5", "number_moved")
    assert client.get("/api/v1/rulesets/dm-cr/sections/101.2/history/").json()["count"] == 2
    assert client.get("/dm-cr/101.9/").status_code == 404
    load(rules, document(section("101.1", ONE), section("101.2", THREE), section("103.5", TWO)), LAST)
    assert client.get("/dm-cr/101.2/").status_code == 200
    assert client.get("/api/v1/rulesets/dm-cr/sections/101.2/").json()["body"] == THREE


def test_a_rule_that_comes_back_after_an_end_of_the_past_is_new(rules: Ruleset) -> None:
    load(rules, document(section("101.1", ONE), section("101.2", TWO)), DAY)
    load(rules, document(section("101.1", ONE + FOUR), section("101.2", TWO)), LAST)
    rows = [{"番号": "101.1", "日付": str(LATER), "本文": "", "出来事": "削除"}]
    import_wordings(rules, json.dumps(rows, ensure_ascii=False).encode())
    steps = [(step.event, step.effective_on) for step in at(rules, "101.1").revisions.all()]
    assert steps == [("added", DAY), ("deleted", LATER), ("added", LAST)]

"""Entries that cite a changed rule wait for a review."""

import json

import pytest

from rulings.models import CardInteraction, Change, Entry, Ruleset, Status
from rulings.services.faqs import import_faqs
from rulings.services.reports import ImportReport
from tests.makers import make_card, make_ruleset
from tests.services.documents import DAY, LAST, LATER, amendment, at, document, load, section

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules() -> Ruleset:
    ruleset = make_ruleset("dm-cr")
    load(
        ruleset,
        document(
            section("117", title="超次元"),
            section("117.1", "サイキックは戻ります。"),
            section("117.2", "ウエポンは戻ります。"),
            section("300.1", "種類の説明です。117.2を参照。"),
        ),
    )
    return ruleset


def _ask(ruleset: Ruleset, cited: str = "117.2", published: str = "2025-03-01") -> ImportReport:
    row = {
        "qa_id": "42359",
        "question": "《火竜》がいなくても《水竜》を出せますか?",
        "answer": "はい、出せます。",
        "published": published,
        "rules_cited": [cited],
    }
    return import_faqs(ruleset, json.dumps(row, ensure_ascii=False).encode())


def _delete() -> object:
    return amendment(
        section("703.4m", "ウエポンは墓地に置かれる。"),
        section("117.2", deleted=True, successor="703.4m"),
    )


def test_a_question_that_cites_a_deleted_rule(rules: Ruleset) -> None:
    make_card("火竜")
    make_card("水竜")
    _ask(rules)
    asked = Entry.objects.get(official_id="42359")
    before = Change.objects.filter(entry=asked).count()
    report = load(rules, _delete(), LAST)
    asked.refresh_from_db()
    assert (asked.status, asked.status_on) == (Status.NEEDS_REVIEW, LAST)
    for part in ("総合ルール 117.2", "2026年2月13日", "削除", "703.4m"):
        assert part in asked.status_reason
    assert Change.objects.filter(entry=asked).count() == before + 1
    assert CardInteraction.objects.get(ruled_by=asked).status == Status.NEEDS_REVIEW
    assert {found["id"] for found in report.needs_review} == {asked.pk, at(rules, "300.1").pk}


def test_the_order_of_imports_does_not_matter(rules: Ruleset) -> None:
    load(rules, _delete(), LAST)
    report = _ask(rules)
    assert Entry.objects.get(official_id="42359").status == Status.NEEDS_REVIEW
    assert [found["label"][:5] for found in report.needs_review] == ["42359"]


def test_an_answer_newer_than_the_change_stands(rules: Ruleset) -> None:
    load(rules, amendment(section("117.1", "サイキックは即座に戻ります。")), LATER)
    _ask(rules, cited="117.1", published="2025-09-01")
    assert Entry.objects.get(official_id="42359").status == Status.CURRENT


def test_an_editorial_change_leaves_no_doubt(rules: Ruleset) -> None:
    _ask(rules, cited="117.1")
    load(rules, amendment(section("117.1", "サイキックは、戻ります。"), editorial=True), LAST)
    assert Entry.objects.get(official_id="42359").status == Status.CURRENT
    load(rules, amendment(section("117.1", "サイキックは残ります。"), title="次の改定"), LAST.replace(month=3))
    assert Entry.objects.get(official_id="42359").status == Status.NEEDS_REVIEW


def test_what_the_same_document_writes_is_as_new_as_the_change(rules: Ruleset) -> None:
    load(
        rules,
        amendment(section("117.2", "ウエポンは墓地に置きます。"), section("300.1", "種類です。117.2を参照。")),
        LAST,
    )
    assert at(rules, "300.1").status == Status.CURRENT


def test_the_past_raises_no_doubt(rules: Ruleset) -> None:
    _ask(rules)
    older = document(section("117", title="超次元"), section("117.2", "昔はウエポンも残りました。"))
    load(rules, older, DAY.replace(year=2020))
    assert Entry.objects.get(official_id="42359").status == Status.CURRENT


def test_a_new_wording_settles_the_doubt(rules: Ruleset) -> None:
    load(rules, _delete(), LAST)
    assert at(rules, "300.1").status == Status.NEEDS_REVIEW
    load(rules, amendment(section("300.1", "種類の説明です。703.4mを参照。")), LAST.replace(month=3))
    assert at(rules, "300.1").status == Status.CURRENT

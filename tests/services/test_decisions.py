"""The review queue is worked off: each decision is kept, and what it means happens."""

import json

import pytest
from django.contrib.auth.models import User

from rulings.models import CardInteraction, Change, Decision, Doubt, Entry, Review, Ruleset, Status
from rulings.services.decisions import DecisionError, confirm, correct, offered_wording, offers, supersede, withdraw
from rulings.services.faqs import import_faqs
from rulings.services.wordings import Wording
from tests.makers import make_card, make_faq, make_ruleset
from tests.services.documents import DAY, LAST, LATER, amendment, document, load, section

pytestmark = pytest.mark.django_db
TEXT = "この能力を持つカードは、指定された仲間と合体して初めて場に出ます。"


@pytest.fixture
def rules() -> Ruleset:
    ruleset = make_ruleset("dm-cr")
    load(
        ruleset,
        document(section("117.2", "ウエポンは戻ります。"), section("814.1", TEXT), section("900.1", "勝ちです。")),
    )
    return ruleset


def ask(rules: Ruleset, answer: str = "はい。（総合ルール 117.2.）", **fields: object) -> Entry:
    row = {"qa_id": "7", "question": "《火竜》は《水竜》を出せますか?", "answer": answer, "published": "2025-02-01"}
    import_faqs(rules, json.dumps(row | fields, ensure_ascii=False).encode())
    return Entry.objects.get(official_id="7")


@pytest.fixture
def doubtful(rules: Ruleset) -> Entry:
    """A question that cites 117.2, which ended; two cards act in it."""
    make_card("火竜")
    make_card("水竜")
    asked = ask(rules)
    load(rules, amendment(section("703.4m", "墓地に置く。"), section("117.2", deleted=True, successor="703.4m")), LAST)
    asked.refresh_from_db()
    assert asked.status == Status.NEEDS_REVIEW
    return asked


def test_the_queue_holds_the_question_once(doubtful: Entry) -> None:
    assert CardInteraction.objects.get(ruled_by=doubtful).status == Status.NEEDS_REVIEW
    assert [entry.pk for entry in Doubt.objects.all()] == [doubtful.pk]


def test_confirm(doubtful: Entry) -> None:
    judge = User.objects.create(username="judge")
    before = Change.objects.filter(entry=doubtful).count()
    review = confirm(doubtful, note="703.4m でも同じ結果です。", reviewer=judge)
    assert (review.decision, review.reviewer) == (Decision.CONFIRMED, judge)
    assert "117.2" in review.doubt
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.status_reason) == (Status.CURRENT, "")
    assert CardInteraction.objects.get(ruled_by=doubtful).status == Status.CURRENT
    assert Change.objects.filter(entry=doubtful).count() == before + 1
    assert not Doubt.objects.exists()


def test_correct_with_the_offered_number(doubtful: Entry) -> None:
    assert [(offer.text, offer.number) for offer in offers(doubtful)] == [("総合ルール 117.2", "703.4m")]
    wording = offered_wording(doubtful)
    assert wording is not None
    assert wording.body == "はい。（総合ルール 703.4m.）"
    review = correct(doubtful, wording, note="番号を直しました。")
    assert review.revision is not None
    fresh = Entry.objects.get(pk=doubtful.pk)
    assert fresh.status == Status.CURRENT
    assert fresh.wording == review.revision
    assert offers(fresh) == []


def test_correct_without_a_change_is_refused(doubtful: Entry) -> None:
    wording = doubtful.wording
    assert wording is not None
    with pytest.raises(DecisionError, match="変わっていません"):
        correct(doubtful, Wording.of(wording), note="同じ。")
    assert not Review.objects.exists()
    assert Entry.objects.get(pk=doubtful.pk).status == Status.NEEDS_REVIEW


def test_supersede(doubtful: Entry) -> None:
    successor = make_faq("新しい質問", "いいえ。", verdict="no")
    supersede(doubtful, successor, note="新しい回答に替わりました。")
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.superseded_by) == (Status.SUPERSEDED, successor)
    assert list(successor.supersedes.all()) == [doubtful]
    assert CardInteraction.objects.get(ruled_by=doubtful).status == Status.WITHDRAWN


def test_withdraw(doubtful: Entry) -> None:
    withdraw(doubtful, note="公式から消えました。")
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.status_reason) == (Status.WITHDRAWN, "公式から消えました。")
    with pytest.raises(DecisionError, match="終了"):
        confirm(doubtful, note="やはり残します。")


def test_a_decision_needs_a_reason_and_a_living_successor(doubtful: Entry) -> None:
    with pytest.raises(DecisionError, match="理由"):
        confirm(doubtful, note=" ")
    with pytest.raises(DecisionError, match="差し替え先"):
        supersede(doubtful, doubtful, note="自分")
    gone = Entry.objects.get(number="117.2")
    with pytest.raises(DecisionError, match="差し替え先"):
        supersede(doubtful, gone, note="終わったもの")


def test_a_confirmed_answer_is_doubted_again_by_the_next_change_only(rules: Ruleset) -> None:
    asked = ask(rules, "はい。（総合ルール 814.1.）")
    load(rules, amendment(section("814.1", "変わりました。")), LATER)
    asked.refresh_from_db()
    confirm(asked, note="同じです。")
    load(rules, amendment(section("900.1", "別の条項が変わりました。"), title="次"), LATER.replace(month=8))
    asked.refresh_from_db()
    assert asked.status == Status.CURRENT
    load(rules, amendment(section("814.1", "また変わりました。"), title="その次"), LAST)
    asked.refresh_from_db()
    assert asked.status == Status.NEEDS_REVIEW
    assert "2025年6月1日" not in asked.status_reason


def test_a_moved_rule_whose_number_was_reused(rules: Ruleset) -> None:
    """814.1 becomes 816.1 and another rule takes its number: who cited it is asked, and offered 816.1."""
    asked = ask(rules, "はい。（総合ルール 814.1.）")
    other = "城の上に置かれたカードを数えることだけを、ここで新しく定めています。"
    load(
        rules,
        document(
            section("117.2", "ウエポンは戻ります。"),
            section("814.1", other),
            section("816.1", TEXT),
            section("900.1", "勝ちです。"),
        ),
        LAST,
    )
    asked.refresh_from_db()
    assert asked.status == Status.NEEDS_REVIEW
    assert "814.1 が2026年2月13日に 816.1 へ移動しました" in asked.status_reason
    assert [offer.number for offer in offers(asked)] == ["816.1"]
    assert DAY < LAST

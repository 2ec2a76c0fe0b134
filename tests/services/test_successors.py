"""What an ended entry leads to."""

import pytest

from rulings.models import Entry, Status
from rulings.services.editing import withdraw_entry
from tests.makers import make_ruleset
from tests.services.documents import DAY, LATER, amendment, at, document, load, section

pytestmark = pytest.mark.django_db


def test_successors_never_lead_in_circles() -> None:
    rules = make_ruleset("dm-cr")
    texts = ("攻撃する時の決まりです。", "呪文を唱える時の決まりです。", "山札を引く時の決まりです。")
    load(rules, document(*(section(f"101.{at}", text) for at, text in enumerate(texts, 1))), DAY)
    load(rules, amendment(section("101.1", deleted=True, successor="101.1")), LATER)
    assert at(rules, "101.1").status == Status.WITHDRAWN
    second, third = at(rules, "101.2"), at(rules, "101.3")
    withdraw_entry(second, on=LATER, reason="移りました。", successor=third)
    withdraw_entry(third, on=LATER, reason="戻りました。", successor=Entry.objects.get(pk=second.pk))
    second, third = (Entry.objects.get(pk=one.pk) for one in (second, third))
    assert (second.superseded_by, third.status, third.superseded_by) == (third, Status.WITHDRAWN, None)


def test_two_that_end_in_one_document_do_not_succeed_each_other() -> None:
    rules = make_ruleset("dm-cr")
    load(rules, document(section("101.1", "攻撃する時の決まりです。"), section("101.2", "呪文の決まりです。")), DAY)
    gone = [section("101.1", deleted=True, successor="101.2"), section("101.2", deleted=True, successor="101.1")]
    load(rules, amendment(*gone), LATER)
    assert [at(rules, number).status for number in ("101.1", "101.2")] == [Status.WITHDRAWN] * 2

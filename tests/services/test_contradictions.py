"""Answers that disagree are reported once, until they are settled."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from rulings.models import Change, Contradiction, Entry, Ruleset, Status
from rulings.services.decisions import DecisionError, explain, replace_older
from rulings.services.editing import withdraw_entry
from rulings.services.faqs import import_faqs
from rulings.services.reports import ImportReport
from tests.makers import make_card, make_ruleset
from tests.services.documents import document, load, section

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules() -> Ruleset:
    ruleset = make_ruleset("dm-cr")
    load(ruleset, document(section("101.1", "札の決まり。"), section("102.1", "場の決まり。")))
    make_card("火竜")
    make_card("水竜")
    return ruleset


def ask(rules: Ruleset, *rows: dict[str, Any]) -> ImportReport:
    return import_faqs(rules, json.dumps(rows, ensure_ascii=False).encode())


def row(number: int, question: str, answer: str, day: str = "2025-02-01") -> dict[str, Any]:
    return {"qa_id": str(number), "question": question, "answer": answer, "published": day}


ASKED = row(1, "《火竜》は《水竜》を出せますか?", "はい。（101.1.）")
DENIED = row(2, "《水竜》を《火竜》の能力で場に出すことは可能でしょうか?", "いいえ。（101.1.）", "2025-03-01")


def test_opposite_verdicts_about_the_same_cards_and_rule(rules: Ruleset) -> None:
    assert ask(rules, ASKED).contradictions == []
    found = ask(rules, DENIED).contradictions
    assert [pair["kind"] for pair in found] == ["opposite"]
    pair = Contradiction.objects.get()
    assert (pair.older.official_id, pair.newer.official_id) == ("1", "2")
    assert ask(rules, ASKED, DENIED).contradictions == []
    assert Contradiction.objects.unsettled().count() == 1


@pytest.mark.parametrize(
    "other",
    [
        row(2, "《水竜》を《火竜》の能力で場に出すことは可能でしょうか?", "いいえ。（102.1.）"),
        row(2, "《水竜》を場に出すことは可能でしょうか?", "いいえ。（101.1.）"),
        row(2, "《水竜》を《火竜》の能力で場に出すことは可能でしょうか?", "はい、出せます。（101.1.）"),
    ],
    ids=["another rule", "other cards", "the same verdict"],
)
def test_what_is_no_contradiction(rules: Ruleset, other: dict[str, Any]) -> None:
    assert ask(rules, ASKED, other).contradictions == []


def test_the_same_question_answered_again_is_offered_as_a_supersession(rules: Ruleset) -> None:
    again = row(9, "《火竜》は《水竜》を出せますか？", "いいえ、出せません。", "2025-06-01")
    assert [pair["kind"] for pair in ask(rules, ASKED, again).contradictions] == ["reasked"]
    replace_older(Contradiction.objects.get(), note="新しい回答に替わりました。")
    old, new = (Entry.objects.get(official_id=number) for number in ("1", "9"))
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, new)
    assert not Contradiction.objects.unsettled().exists()


def test_a_reason_why_both_stand(rules: Ruleset) -> None:
    ask(rules, ASKED, DENIED)
    pair = Contradiction.objects.get()
    with pytest.raises(DecisionError):
        explain(pair, note=" ")
    explain(pair, note="場が違います。")
    assert not Contradiction.objects.unsettled().exists()
    assert ask(rules, ASKED, row(3, "別の質問ですか?", "はい。")).contradictions == []


def test_the_admin_and_the_api_show_them(rules: Ruleset, admin_client: Client) -> None:
    ask(rules, ASKED, DENIED)
    pair = Contradiction.objects.get()
    assert admin_client.get("/api/v1/reviews/contradictions/").json()["results"][0]["id"] == pair.pk
    address = "/admin/rulings/contradiction/"
    assert "逆の裁定" in admin_client.get(address).content.decode()
    data = {"action": "explain_all", "_selected_action": [pair.pk], "note": "場が違います。"}
    assert admin_client.post(address, data).status_code == 302
    assert admin_client.get("/api/v1/reviews/contradictions/").json()["count"] == 0


def other_book(authority: str) -> Ruleset:
    book = make_ruleset(f"dm-{authority}", name="別の規則", authority=authority)
    load(book, document(section("900.1", "別の決まり。"), title="別の規則"))
    return book


AGAIN = row(2, "《火竜》は《水竜》を出せますか？", "いいえ、出せません。", "2025-03-01")


def test_official_rulesets_of_a_game_must_agree(rules: Ruleset) -> None:
    ask(rules, ASKED)
    assert [pair["kind"] for pair in ask(other_book("official"), AGAIN).contradictions] == ["reasked"]
    assert ask(rules, ASKED).contradictions == []


@pytest.mark.parametrize("authority", ["house", "organizer", "community"])
def test_who_may_rule_otherwise_contradicts_nobody(rules: Ruleset, authority: str) -> None:
    book = other_book(authority)
    ask(rules, ASKED)
    assert ask(book, AGAIN).contradictions == []
    assert len(ask(book, AGAIN | {"qa_id": "3", "answer": "はい、出せます。"}).contradictions) == 1


def test_a_house_rule_that_answers_otherwise_stands_beside_the_official_answer(rules: Ruleset, client: Client) -> None:
    ask(rules, ASKED)
    ask(other_book("house"), row(2, ASKED["question"], "いいえ、我が家では出せません。"))
    official, house = (Entry.objects.get(official_id=number) for number in ("1", "2"))
    page = client.get(f"/faq/{official.pk}/").content.decode()
    assert "我が家では出せません" in page
    assert "食い違う回答" not in page
    assert f"/faq/{official.pk}/" in client.get(f"/faq/{house.pk}/").content.decode()
    assert "我が家では出せません" not in client.get(f"/faq/{official.pk}/", {"as_of": "2025-01-15"}).content.decode()


def test_both_pages_and_rows_show_it_until_it_is_settled(rules: Ruleset, client: Client) -> None:
    ask(rules, ASKED)
    first = Entry.objects.get(official_id="1")
    number = Change.objects.latest_number()
    ask(rules, DENIED)
    second = Entry.objects.get(official_id="2")
    told = Change.objects.filter(number__gt=number).values_list("entry", flat=True)
    assert {first.pk, second.pk} <= set(told)
    for one, other in ((first, second), (second, first)):
        page = client.get(f"/faq/{one.pk}/").content.decode()
        assert "食い違う回答があります" in page
        assert f"/faq/{other.pk}/" in page
        row = client.get(f"/api/v1/entries/{one.pk}/").json()
        assert [link["id"] for link in row["contradicts"]] == [other.pk]
    listed = client.get("/api/v1/faqs/").json()["results"]
    assert [[link["id"] for link in row["contradicts"]] for row in listed] == [[second.pk], [first.pk]]
    number = Change.objects.latest_number()
    explain(Contradiction.objects.get(), note="場が違います。")
    assert set(Change.objects.filter(number__gt=number).values_list("entry", flat=True)) >= {first.pk, second.pk}
    assert "食い違う回答があります" not in client.get(f"/faq/{first.pk}/").content.decode()


def test_the_other_side_is_told_when_one_ends(rules: Ruleset, client: Client) -> None:
    ask(rules, ASKED, DENIED)
    first, second = (Entry.objects.get(official_id=number) for number in ("1", "2"))
    number = Change.objects.latest_number()
    withdraw_entry(first, on=timezone.localdate(), reason="誤り")
    assert second.pk in set(Change.objects.filter(number__gt=number).values_list("entry", flat=True))
    assert client.get(f"/api/v1/entries/{second.pk}/").json()["contradicts"] == []

"""answer/: for chats."""

from typing import Any

import pytest
from django.test import Client

from rulings.models import CrossReference, Entry
from rulings.search import Hit, Reading, SearchPage
from rulings.services import answering as answering_service
from rulings.services.answering import CUT, LENGTH, SURE_MARGIN, SURE_SCORE
from tests.makers import make_card, make_faq, make_section


def answering(monkeypatch: pytest.MonkeyPatch, kind: Any, *entries: Entry, scores: tuple[float, ...] = ()) -> None:
    shown = [Entry.objects.for_display().get(pk=entry.pk) for entry in entries]
    hits = [Hit(e.kind, score, entry=e) for e, score in zip(shown, scores or [1.0] * len(shown), strict=True)]
    page = SearchPage(len(shown), Reading(kind, "", number="805.4a"), [], hits, 1, 10)
    monkeypatch.setattr(answering_service, "search", lambda _request: page)


def test_a_named_rule_is_a_certain_answer(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "number", make_section("805.4a", body="本文です。"))
    answer = get("answer/", q="805.4a")
    assert (answer["certain"], answer["confidence"]) == (True, "named")
    assert answer["text"] == "本文です。\n― 総合ルール 805.4a（2025-01-01 から）\nhttp://testserver/dm-cr/805.4a/"
    assert answer["citation"]["number"] == "805.4a"
    assert answer["candidates"] == []


def test_what_only_cites_the_number_is_no_certain_answer(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "number", make_faq("なぜ？", "805.4a による。"))
    answer = get("answer/", q="805.4a")
    assert (answer["certain"], answer["confidence"]) == (False, "unsure")
    assert answer["text"].startswith("805.4a という番号の条項はありません。\n確かな答えではありません。")


def test_a_rule_that_is_gone_gives_what_holds_in_its_place(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    successor = make_section("703.4m", body="いまの文面。")
    gone = make_section(
        "805.4a", body="昔の文面。", status="superseded", superseded_by=successor, status_reason="移された"
    )
    answering(monkeypatch, "number", gone)
    answer = get("answer/", q="805.4a")
    assert answer["text"].startswith("この項目は効力がありません。いまは 703.4m を見てください。\nいまの文面。\n―")
    assert "以前の文面：昔の文面。" in answer["text"]
    assert answer["citation"]["superseded_by"]["number"] == "703.4m"
    assert [row["number"] for row in answer["citations"]] == ["805.4a", "703.4m"]


def test_a_doubtful_ruling_says_so(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "words", make_faq(status="needs_review", status_reason="117.2 の削除"))
    assert "見直しを待っている" in get("answer/", q="なぜ")["text"]


def test_the_rules_that_a_ruling_rests_on_are_named(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    successor = make_section("703.4m")
    gone = make_section("117.2", status="superseded", superseded_by=successor, status_reason="移された")
    holds = make_section("114.5")
    faq = make_faq("引ける？", "はい。114.5 と 117.2 のとおり。")
    for start, rule in enumerate((holds, gone)):
        CrossReference.objects.create(
            revision=faq.revisions.get(), place="body", start=start, end=start + 1, kind="rule",
            text=rule.number, key=rule.number, entry=rule,
        )  # fmt: skip
    answering(monkeypatch, "words", faq, scores=(SURE_SCORE,))
    assert (
        "根拠：総合ルール 114.5（2025-01-01 から）、総合ルール 117.2（効力がありません。いまは 703.4m）"
        in get("answer/", q="引ける？")["text"]
    )


def test_words_give_the_nearest_and_say_so(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    faqs = [make_faq(f"質問{number}", f"短い答え{number}。") for number in range(6)]
    answering(monkeypatch, "words", *faqs)
    answer = get("answer/", q="なぜ")
    assert answer["certain"] is False
    assert answer["text"].startswith("確かな答えではありません。")
    assert [row["id"] for row in answer["candidates"]] == [faq.pk for faq in faqs[1:4]]
    assert all(f"http://testserver/faq/{faq.pk}/" in answer["text"] for faq in faqs[:4])
    assert f"/faq/{faqs[4].pk}/" not in answer["text"]


@pytest.mark.parametrize("body", ["長い文。" * 2000, "𠮷" * 5000, "切れ目のない文" * 2000])
def test_a_long_wording_is_cut_and_keeps_its_address(get: Any, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    faq = make_faq("質問", body)
    answering(monkeypatch, "words", faq)
    text = get("answer/", q="なぜ")["text"]
    assert text.endswith(f"http://testserver/faq/{faq.pk}/")
    assert CUT in text
    assert LENGTH - 100 < len(text.encode("utf-16-le")) // 2 <= LENGTH


@pytest.mark.parametrize(
    ("scores", "confidence"),
    [
        ((SURE_SCORE, 1.0), "likely"),
        ((SURE_SCORE,), "likely"),
        ((SURE_SCORE - 0.1,), "unsure"),
        ((100.0, 100 * (1 - SURE_MARGIN)), "likely"),
        ((100.0, 100 * (1 - SURE_MARGIN) + 0.1), "unsure"),
        ((0.0, 0.0), "unsure"),
    ],
)
def test_sure_only_with_a_measured_lead(
    get: Any, monkeypatch: pytest.MonkeyPatch, scores: tuple[float, ...], confidence: str
) -> None:
    answering(monkeypatch, "words", *(make_faq(f"質問{at}") for at in range(len(scores))), scores=scores)
    assert get("answer/", q="なぜ")["confidence"] == confidence


def test_every_sentence_comes_from_a_named_entry(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    faqs = [make_faq("出せる？", "はい、出せる。"), make_faq("引ける？", "いいえ、引けない。")]
    for order in (faqs, faqs[::-1]):
        answering(monkeypatch, "words", *order)
        answer = get("answer/", q="なぜ")
        shown = answer["text"].partition("ほかに")[0]
        assert order[0].revisions.get().body in shown
        assert order[1].revisions.get().body not in answer["text"]
        assert answer["citation"]["url"] in shown


def test_a_card_without_a_ruling_is_no_answer(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    card = make_card("青き竜")
    page = SearchPage(1, Reading("card", "", cards=[card.pk]), [], [Hit("card", 1.0, card=card)], 1, 10)
    monkeypatch.setattr(answering_service, "search", lambda _request: page)
    answer = get("answer/", q="青き竜")
    assert (answer["confidence"], answer["card"]["id"], answer["citation"]) == ("none", card.pk, None)
    assert "登録されていません" in answer["text"]


def test_nothing_found_is_said(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "words")
    answer = get("answer/", q="なぜ")
    assert (answer["citation"], answer["certain"], answer["confidence"]) == (None, False, "none")
    assert "見つかりませんでした" in answer["text"]
    assert get("answer/", 400)["parameter"] == "q"


def test_plain_text_on_request(client: Client, get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "number", make_section("805.4a", body="本文です。"))
    response = client.get("/api/v1/answer/", {"q": "805.4a"}, headers={"accept": "text/plain"})
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode() == get("answer/", q="805.4a")["text"] + "\n"
    problem = client.get("/api/v1/answer/", headers={"accept": "text/plain"})
    assert (problem.status_code, problem["Content-Type"]) == (400, "application/problem+json")
    assert problem.json()["parameter"] == "q"


def test_through_the_real_search(get: Any) -> None:
    make_section("805.4a", body="この竜を支払って召喚することはできません。")
    make_faq("二体の竜を同時に出せますか？", "いいえ、一体ずつです。", verdict="no")
    assert get("answer/", q="８０５．４Ａ")["confidence"] == "named"
    assert "【いいえ】" in get("answer/", q="二体の竜を同時に出せますか")["text"]

"""answer/, citations/verify/, exports/: for chats, for those who check themselves, for those who keep a copy."""

import json
from typing import Any

import pytest
from django.test import Client

from rulings.api import answer as module
from rulings.api.answer import LENGTH
from rulings.models import Entry
from rulings.search import Hit, Reading, SearchPage
from tests.api.conftest import check, described
from tests.makers import make_card, make_faq, make_game, make_ruleset, make_section


def answering(monkeypatch: pytest.MonkeyPatch, kind: Any, *entries: Entry) -> None:
    shown = [Entry.objects.for_display().get(pk=entry.pk) for entry in entries]
    page = SearchPage(len(shown), Reading(kind, ""), [], [Hit(e.kind, 1.0, entry=e) for e in shown], 1, 10)
    monkeypatch.setattr(module, "search", lambda _request: page)


def test_a_named_rule_is_a_certain_answer(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "number", make_section("805.4a", body="本文です。"))
    answer = get("answer/", q="805.4a")
    assert answer["certain"] is True
    assert answer["text"] == "本文です。\n― 総合ルール 805.4a（2025-01-01 から）\nhttp://testserver/dm-cr/805.4a/"
    assert answer["citation"]["number"] == "805.4a"
    assert answer["candidates"] == []


def test_a_rule_that_is_gone_is_never_given_as_one_that_holds(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    successor = make_section("703.4m")
    gone = make_section("117.2", status="superseded", superseded_by=successor, status_reason="移された")
    answering(monkeypatch, "number", gone)
    answer = get("answer/", q="117.2")
    assert answer["text"].startswith("この項目は効力がありません。いまは 703.4m を見てください。")
    assert answer["citation"]["superseded_by"]["number"] == "703.4m"


def test_a_doubtful_ruling_says_so(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "words", make_faq(status="needs_review", status_reason="117.2 の削除"))
    assert "見直しを待っている" in get("answer/", q="なぜ")["text"]


def test_words_give_the_nearest_and_say_so(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    faqs = [make_faq(f"質問{number}", "長い" * 2000) for number in range(6)]
    answering(monkeypatch, "words", *faqs)
    answer = get("answer/", q="なぜ")
    assert answer["certain"] is False
    assert answer["text"].startswith("確かな答えではありません。")
    assert answer["text"].endswith(f"http://testserver/faq/{faqs[0].pk}/")
    assert len(answer["text"]) <= LENGTH
    assert [row["id"] for row in answer["candidates"]] == [faq.pk for faq in faqs[1:4]]


def test_nothing_found_is_said(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "words")
    answer = get("answer/", q="なぜ")
    assert (answer["citation"], answer["certain"]) == (None, False)
    assert "見つかりませんでした" in answer["text"]
    assert get("answer/", 400)["parameter"] == "q"


def verify(client: Client, status: int = 200, **body: Any) -> Any:
    response = client.post("/api/v1/citations/verify/", json.dumps(body), content_type="application/json")
    assert response.status_code == status, response.content
    check(response)
    return response.json()


@pytest.mark.django_db
def test_citations_are_checked(client: Client) -> None:
    successor = make_section("703.4m")
    make_section("117.2", status="superseded", superseded_by=successor, status_reason="移された")
    make_ruleset("dm-party")
    card = make_card("青き竜")
    make_card("別の竜", game=make_game("ygo", "遊戯王"))
    text = "《青き竜》は総合ルール 117.2 と 703.4m により、114.6 の《知らぬ竜》と違う。デュエパーティールール 703.4m。"
    rows = verify(client, text=text, ruleset="dm-cr")["results"]
    assert [(row["text"], row["result"]) for row in rows] == [
        ("《青き竜》", "exists"), ("総合ルール 117.2", "outdated"), ("703.4m", "exists"), ("114.6", "unknown"),
        ("《知らぬ竜》", "unknown"), ("デュエパーティールール 703.4m", "wrong_ruleset"),
    ]  # fmt: skip
    assert rows[0]["cards"] == [{"id": card.pk, "name": "青き竜"}]
    assert rows[1]["entry"]["superseded_by"]["number"] == "703.4m"
    assert all(text[row["start"] : row["end"]] == row["text"] for row in rows)


@pytest.mark.django_db
def test_what_cannot_be_checked_is_told(client: Client) -> None:
    assert verify(client, 400, text="x", ruleset="nope")["parameter"] == "ruleset"
    assert verify(client, 400, ruleset="dm-cr")["parameter"] == "text"
    assert verify(client, 400, text="\ud800", ruleset="dm-cr")["parameter"] == "text"
    assert verify(client, 400, text="a\x00b", ruleset="dm-cr")["parameter"] == "text"
    assert verify(client, 400, text="あ" * 20_001, ruleset="dm-cr")["parameter"] == "text"
    for body, kind, status in (
        ("{", "application/json", 400),
        ("[1]", "application/json", 400),
        ("x", "text/plain", 415),
    ):
        response = client.post("/api/v1/citations/verify/", body, content_type=kind)
        assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    assert client.get("/api/v1/citations/verify/").status_code == 405


def test_exports_stream_every_entry(client: Client, get: Any, django_assert_max_num_queries: Any) -> None:
    for number in range(20):
        make_section(f"1.{number}")
    make_section("2.1", status="withdrawn", status_reason="廃止")
    (row,) = get("exports/")["results"]
    assert (row["ruleset"], row["entry_count"]) == ("dm-cr", 21)
    with django_assert_max_num_queries(7):
        response = client.get(row["url"])
        lines = b"".join(response.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert response["Content-Type"] == "application/x-ndjson"
    assert response["X-Change-Number"] == "0"
    entries = [json.loads(line) for line in lines]
    assert len(entries) == 21
    assert set(entries[0]) == set(described()["components"]["schemas"]["Entry"]["properties"])
    get("exports/nope/", 404)

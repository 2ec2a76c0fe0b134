"""citations/verify/: for bots and language models that check themselves."""

import json
from datetime import date
from typing import Any

import pytest
from django.test import Client

from rulings.models import Revision
from tests.api.conftest import check
from tests.makers import make_card, make_game, make_ruleset, make_section

pytestmark = pytest.mark.django_db
OLD = "竜が一体で置かれる時、その竜は山札の下に置かれます。"
NEW = "竜が一体で置かれる時、その竜は墓地に置かれます。"


@pytest.fixture(autouse=True)
def content() -> None:
    successor = make_section("703.4m", body=NEW)
    gone = make_section(
        "117.2", body=OLD, status="superseded", superseded_by=successor, status_reason="移された",
        status_on=date(2026, 2, 13), ended_on=date(2026, 2, 13),
    )  # fmt: skip
    Revision.objects.create(entry=gone, event="deleted", effective_on=date(2026, 2, 13))
    make_section("114.5", body="一枚引くことを二回行います。")
    party = make_ruleset("dm-party", name="デュエパーティー")
    make_section("400.3", ruleset=party, body="順番は時計回りに決めるものとします。")


def verify(client: Client, text: str, ruleset: str = "dm-cr", status: int = 200) -> Any:
    body = json.dumps({"text": text, "ruleset": ruleset})
    response = client.post("/api/v1/citations/verify/", body, content_type="application/json")
    assert response.status_code == status, response.content
    check(response)
    return response.json()


def only(answer: Any) -> Any:
    (row,) = answer["results"]
    return row


def test_an_invented_number_is_refused(client: Client) -> None:
    answer = verify(client, "総合ルール 114.6 により引けます。")
    assert answer["ok"] is False
    assert (only(answer)["result"], only(answer)["entry"]) == ("unknown", None)


def test_a_number_that_is_gone_names_its_successor_and_the_wording_in_force(client: Client) -> None:
    row = only(verify(client, f"117.2「{OLD}」"))
    assert (row["result"], row["entry"]["body"]) == ("outdated", OLD)
    assert (row["successor"]["number"], row["successor"]["body"]) == ("703.4m", NEW)
    assert "703.4m" in row["message"]
    (quoted,) = row["quotations"]
    assert (quoted["same"], quoted["former"], quoted["passage"]) == (False, True, NEW)


def test_a_changed_word_in_a_quotation_is_caught(client: Client) -> None:
    good = verify(client, f"703.4m「{NEW}」")
    assert (good["ok"], only(good)["quotations"][0]["same"]) == (True, True)
    row = only(verify(client, f"703.4m「{NEW.replace('墓地', '手札')}」"))
    assert row["result"] == "quote_differs"
    diff = row["quotations"][0]["diff"]
    assert [(piece["op"], piece["text"]) for piece in diff if piece["op"] != "equal"] == [
        ("delete", "墓地"), ("insert", "手札"),
    ]  # fmt: skip


def test_the_number_of_another_ruleset(client: Client) -> None:
    row = only(verify(client, "総合ルール 400.3"))
    assert (row["result"], row["entry"]["ruleset"]) == ("wrong_ruleset", "dm-party")
    assert only(verify(client, "デュエパーティールール 400.3"))["result"] == "exists"
    make_section("400.3", body="ここには別のことが書かれているものとします。")
    row = only(verify(client, "400.3「順番は時計回りに決めるものとします。」"))
    assert (row["result"], row["entry"]["ruleset"]) == ("wrong_ruleset", "dm-party")


def test_words_of_an_earlier_wording(client: Client) -> None:
    section = make_section("200.1", body="竜は二回まで攻撃できるものとします。", ended_on=date(2025, 6, 1))
    Revision.objects.create(
        entry=section, number="200.1", event="edited", body="竜は一回だけ攻撃できます。", effective_on=date(2025, 6, 1)
    )
    row = only(verify(client, "200.1「竜は二回まで攻撃できるものとします」"))
    assert (row["result"], row["quotations"][0]["former"]) == ("outdated", True)
    assert row["entry"]["body"] == "竜は一回だけ攻撃できます。"


def test_a_former_number_of_a_section_that_moved(client: Client) -> None:
    moved = make_section("300.2", body="移ってきた条項の本文です。")
    Revision.objects.filter(entry=moved).update(effective_on=date(2025, 6, 1))
    Revision.objects.create(
        entry=moved, number="299.9", body="移ってきた条項の本文です。",
        effective_on=date(2025, 1, 1), ended_on=date(2025, 6, 1),
    )  # fmt: skip
    row = only(verify(client, "299.9"))
    assert (row["result"], row["successor"]["number"]) == ("outdated", "300.2")


def test_words_of_another_rule_are_traced(client: Client) -> None:
    row = only(verify(client, f"114.5「{NEW}」"))
    assert row["result"] == "quote_differs"
    assert [link["number"] for link in row["quotations"][0]["found_in"]] == ["703.4m"]


def test_cards_and_terms_beside_numbers(client: Client) -> None:
    card = make_card("青き竜")
    make_card("双面の竜/双面の書", faces=["双面の竜", "双面の書"])
    make_card("よその竜", game=make_game("ygo", "遊戯王"))
    text = "《青き竜》と《双面の書》、《よその竜》。114.5 の「引く」。《青き竜》の「まったく関係のない能力の文章です」"
    rows = verify(client, text)["results"]
    assert [row["result"] for row in rows] == ["exists", "exists", "unknown", "exists", "exists"]
    assert rows[0]["cards"] == [{"id": card.pk, "name": "青き竜"}]
    assert all(row["quotations"] == [] for row in rows)


def test_headings(client: Client) -> None:
    zexal = make_ruleset("ygo-zexal", game=make_game("ygo", "遊戯王"), name="遊戯王ゼアル")
    make_section("draw", ruleset=zexal, title="引く段階", level="heading")
    rows = verify(client, "「引く段階」の項を参照。「ない段階」の項を参照。", "ygo-zexal")["results"]
    assert [(row["kind"], row["result"]) for row in rows] == [("heading", "exists"), ("heading", "unknown")]


def test_a_fixed_number_of_queries(client: Client, django_assert_max_num_queries: Any) -> None:
    cards = [make_card(f"竜その{number}") for number in range(8)]
    few = f"117.2「{OLD}」《{cards[0].name}》"
    many = "".join(f"117.2「{OLD}」{number}.1「{NEW}」《{card.name}》" for number, card in enumerate(cards, 400))
    for text in (few, many):
        with django_assert_max_num_queries(24):
            verify(client, text)


@pytest.mark.parametrize("text", ["", "あ" * 20_000, "「" * 20_000, "117.2「" * 3_000, "《" * 20_000, "> \n" * 6_000])
def test_hostile_texts_are_answered(client: Client, text: str) -> None:
    assert verify(client, text, status=200 if text else 400)


def verify_body(client: Client, **body: Any) -> Any:
    response = client.post("/api/v1/citations/verify/", json.dumps(body), content_type="application/json")
    assert response.status_code == 400, response.content
    check(response)
    return response.json()


def test_what_cannot_be_checked_is_told(client: Client) -> None:
    assert verify_body(client, text="x", ruleset="nope")["parameter"] == "ruleset"
    assert verify_body(client, ruleset="dm-cr")["parameter"] == "text"
    assert verify_body(client, text="a\x00b", ruleset="dm-cr")["parameter"] == "text"
    assert verify_body(client, text="あ" * 20_001, ruleset="dm-cr")["parameter"] == "text"
    for body, kind, status in (
        ("{", "application/json", 400),
        ("[1]", "application/json", 400),
        ("x", "text/plain", 415),
    ):
        response = client.post("/api/v1/citations/verify/", body, content_type=kind)
        assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    assert client.get("/api/v1/citations/verify/").status_code == 405

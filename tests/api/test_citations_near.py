"""citations/verify/: what may have been meant, lists and ranges, and what is too much for one request."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.api.conftest import check
from tests.makers import make_card, make_game, make_ruleset, make_section

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/citations/verify/"


@pytest.fixture(autouse=True)
def content() -> None:
    for number in ("805.4", "805.4a", "805.4b", "805.4c", "506.1", "506.2", "114.5"):
        make_section(number, body="竜が一体で置かれる時、その竜は墓地に置かれます。")
    party = make_ruleset("dm-party", name="デュエパーティー")
    make_section("400.3", ruleset=party)
    make_card("青き竜の王")
    make_card("青き虎の王", game=make_game("ygo"))


def verify(client: Client, text: str, ruleset: str = "dm-cr") -> Any:
    response = client.post(ADDRESS, json.dumps({"text": text, "ruleset": ruleset}), content_type="application/json")
    assert response.status_code == 200, response.content
    check(response)
    return response.json()


def test_an_unknown_number_names_its_neighbours(client: Client) -> None:
    (row,) = verify(client, "805.4z によれば")["results"]
    assert (row["result"], row["entry"]) == ("unknown", None)
    assert [near["number"] for near in row["near_entries"]] == ["805.4c", "805.4b", "805.4a"]
    assert "805.4c" in row["message"]
    (row,) = verify(client, "114.6 によれば")["results"]
    assert [near["number"] for near in row["near_entries"]] == ["114.5"]


def test_an_unknown_card_names_those_alike_of_its_game(client: Client) -> None:
    (row,) = verify(client, "《青き竜の玉》を出します。")["results"]
    assert row["result"] == "unknown"
    assert [card["name"] for card in row["near_cards"]] == ["青き竜の王"]
    assert "《青き竜の王》" in row["message"]
    (row,) = verify(client, "《まったく別のなにか》を出します。")["results"]
    assert (row["result"], row["near_cards"]) == ("unknown", [])


def test_what_exists_has_no_neighbours_and_looks_for_none(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulings.services.nearby.near_numbers", lambda *_given: pytest.fail("nothing was unknown"))
    (row,) = verify(client, "８０５．４ａ")["results"]
    assert (row["result"], row["near_entries"], row["near_cards"]) == ("exists", [], [])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("805.4a、805.4b、および 506.1", ["805.4a", "805.4b", "506.1"]),
        ("805.4a-c", ["805.4a", "805.4c"]),
        ("８０５．４ａ〜ｃ", ["805.4a", "805.4c"]),
        ("805.4a、b", ["805.4a", "805.4b"]),
        ("506.1〜2", ["506.1", "506.2"]),
        ("805.4a～805.4c", ["805.4a", "805.4c"]),
    ],
)
def test_lists_and_ranges(client: Client, text: str, found: list[str]) -> None:
    answer = verify(client, text)
    assert [row["number"] for row in answer["results"]] == found
    assert answer["ok"] is True


@pytest.mark.parametrize("text", ["805.4a-z", "506.1〜9", "ルール 9999.1", "総合ルール 805.4zz", "総合ルール 101.1234"])
def test_no_invented_number_passes(client: Client, text: str) -> None:
    answer = verify(client, text)
    assert answer["ok"] is False
    assert answer["results"][-1]["result"] == "unknown"


@pytest.mark.parametrize("text", ["ルール 2026.2.13 版", "総合ルール1.48", "ルールは 3 つ", "506.1〜3枚"])
def test_other_numbers_are_no_citations(client: Client, text: str) -> None:
    assert verify(client, text)["ok"] is True


def test_the_number_of_another_ruleset(client: Client) -> None:
    for text, ruleset in (("デュエパ805.4a", "dm-cr"), ("805.4a", "dm-party"), ("総合ルール 400.3", "dm-cr")):
        (row,) = verify(client, text, ruleset)["results"]
        assert (row["result"], row["near_entries"]) == ("wrong_ruleset", [])


def test_very_many_citations_are_cut_and_never_called_right(client: Client) -> None:
    answer = verify(client, "805.4a と 506.1。" * 400)
    assert (len(answer["results"]), answer["ok"]) == (300, False)
    assert [(one["code"], one["parameter"]) for one in answer["warnings"]] == [("citations_cut", "text")]
    assert {row["result"] for row in answer["results"]} == {"exists"}


@pytest.mark.parametrize("body", ["[" * 100_000, '{"text":' * 50_000], ids=["lists", "objects"])
def test_what_is_nested_without_end_is_refused(client: Client, body: str) -> None:
    for address in (ADDRESS, "/api/v1/batch/"):
        response = client.post(address, body, content_type="application/json")
        assert (response.status_code, response.json()["code"]) == (400, "malformed_request")


@pytest.mark.parametrize(
    "body",
    [
        r'{"text": "\ud800"}', r'{"text": "a", "ruleset": "\udfff"}', r'{"\ud800": 1}', r'{"entries": ["\ud800"]}',
        r'{"entries": [1], "x": [{"a": "竜\udc00竜"}]}',
    ],
)  # fmt: skip
def test_half_a_letter_is_no_text(client: Client, body: str) -> None:
    """JSON can write half of a surrogate pair; nothing can look for it, keep it or answer it."""
    for address in (ADDRESS, "/api/v1/batch/"):
        response = client.post(address, body, content_type="application/json")
        assert (response.status_code, response.json()["code"]) == (400, "malformed_request")


def test_both_halves_are_a_letter(client: Client) -> None:
    body = r'{"text": "\ud83d\ude00 ルール 805.4a", "ruleset": "dm-cr"}'
    answer = client.post(ADDRESS, body, content_type="application/json").json()
    assert [row["result"] for row in answer["results"]] == ["exists"]

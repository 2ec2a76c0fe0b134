"""as_of in the API: wordings, statuses and numbers of the day; days of which nothing is known."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from rulings.services.editing import edit_entry, withdraw_entry
from rulings.services.wordings import Wording
from tests.api.conftest import Get
from tests.makers import make_amendment, make_faq, make_section

OLD, NEW = date(2025, 1, 1), date(2026, 2, 13)
BETWEEN = "2025-06-01"


@pytest.fixture
def changed(db: None) -> None:
    make_amendment(effective_on=OLD)
    edited = make_section("101.1", body="古い文。", effective_on=OLD)
    edit_entry(edited, Wording(body="新しい文。", number="101.1"), on=NEW)
    successor = make_section("101.3", body="代わりの文。", effective_on=NEW)
    ended = make_section("101.2", body="消えた文。", effective_on=OLD)
    withdraw_entry(ended, on=NEW, reason="削除されました。", successor=successor)


@pytest.mark.usefixtures("changed")
class TestADay:
    def test_one_section(self, get: Get) -> None:
        address = "rulesets/dm-cr/sections/101.2/"
        before = get(address, as_of=NEW - timedelta(days=1))
        assert (before["status"], before["superseded_by"], before["in_force"]) == ("current", None, True)
        assert before["url"].endswith("/dm-cr/101.2/?as_of=2026-02-12")
        after = get(address, as_of=NEW)
        assert (after["status"], after["superseded_by"]["number"], after["in_force"]) == ("superseded", "101.3", False)
        assert get(address)["status"] == "superseded"

    @pytest.mark.parametrize(
        ("parameters", "numbers"),
        [
            ({}, ["101.1", "101.3"]),
            ({"as_of": BETWEEN}, ["101.1", "101.2"]),
            ({"as_of": BETWEEN, "status": "current"}, ["101.1", "101.2"]),
            ({"as_of": BETWEEN, "status": "superseded"}, []),
            ({"as_of": BETWEEN, "status": "announced"}, ["101.3"]),
            ({"as_of": str(NEW), "status": "superseded"}, ["101.2"]),
            ({"as_of": str(NEW), "status": "withdrawn"}, []),
            ({"status": "superseded"}, ["101.2"]),
        ],
    )
    def test_lists(self, get: Get, parameters: dict[str, str], numbers: list[str]) -> None:
        rows = get("entries/", **parameters)["results"]
        assert [row["number"] for row in rows] == numbers
        if wanted := parameters.get("status"):
            assert {row["status"] for row in rows} <= {wanted}

    def test_a_search_by_number(self, get: Get) -> None:
        then = get("search/", q="101.2", as_of=BETWEEN)["results"][0]
        assert (then["number"], then["status"], then["body"]) == ("101.2", "current", "消えた文。")

    def test_before_anything_is_known(self, get: Get) -> None:
        problem = get("rulesets/dm-cr/sections/101.1/", 404, as_of="2020-01-01")
        assert problem["code"] == "not_known_before"
        assert "2025-01-01" in problem["detail"]
        for address in ("rulesets/dm-cr/sections/", "entries/", "search/"):
            answer = get(address, as_of="2020-01-01", **({"q": "文"} if address == "search/" else {}))
            assert answer["count"] == 0
            assert "not_known_before" in [warning["code"] for warning in answer["warnings"]]


def test_a_question_before_its_answer(get: Get) -> None:
    faq = make_faq(effective_on=NEW)
    assert get(f"faqs/{faq.pk}/", 404, as_of=BETWEEN)["code"] == "not_known_before"


def test_what_is_announced(get: Get) -> None:
    ahead = timezone.localdate() + timedelta(days=30)
    section = make_section("101.1", body="今日の文。")
    edit_entry(section, Wording(body="予告の文。", number="101.1"), on=ahead)
    today = get("rulesets/dm-cr/sections/101.1/")
    assert (today["body"], today["status"]) == ("今日の文。", "current")
    assert today["revisions"][0]["effective_on"] == str(ahead)
    assert get("rulesets/dm-cr/sections/101.1/", as_of=ahead)["body"] == "予告の文。"

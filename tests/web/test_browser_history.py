"""Back and forward within a search as you type, on networks that answer late."""

from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect

from tests.makers import make_faq
from tests.web.browsers import Visit, query_of, until

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("search_by_words"),
]


class Network:
    """Answers to searches as you type, held back until they are let go."""

    def __init__(self, page: Any) -> None:
        self.asked: list[str] = []
        self.held: list[Any] = []
        self.holding = False
        page.context.route("**/search/?*", self._answer)

    def _answer(self, route: Any) -> None:
        self.asked.append(unquote(route.request.url))
        if self.holding:
            self.held.append(route)
        else:
            route.continue_()


def type_a_search(page: Any, text: str = "攻撃") -> None:
    page.locator("#q").press_sequentially(text, delay=30)
    page.locator("#results .hit").wait_for()


def check_first_page(page: Any) -> None:
    expect(page.locator("h1")).to_have_text(["裁定を、すぐに。"])
    expect(page.locator("#results > *")).to_have_count(0)
    expect(page.locator("#q")).to_have_value("")
    assert urlsplit(page.url).path == "/"
    assert "検索結果" not in page.title()


def test_back_shows_the_first_page_at_once_and_forward_the_results(visit: Visit) -> None:
    make_faq("攻撃できますか？", "いいえ、できません。", verdict="no")
    page = visit.open("/")
    type_a_search(page)
    network = Network(page)
    page.go_back()
    check_first_page(page)
    page.go_forward()
    expect(page.locator("#results .hit")).to_have_count(1)
    expect(page.locator("#q")).to_have_value("攻撃")
    assert query_of(page) == "攻撃"
    assert "攻撃" in page.title()
    assert network.asked == [], "nothing was asked for again"


def test_an_answer_that_is_late_does_not_come_after_the_reader_has_gone_back(visit: Visit) -> None:
    make_faq("攻撃できますか？", "いいえ、できません。", verdict="no")
    page = visit.open("/")
    type_a_search(page)
    network = Network(page)
    network.holding = True
    with page.expect_request("**/search/?*"):
        page.locator("#q").press_sequentially("でき", delay=30)
    with page.expect_event("requestfailed"):  # taken back by the page
        page.go_back()
    check_first_page(page)
    for route in network.held:
        route.abort()
    page.go_forward()
    expect(page.locator("#results .hit")).to_have_count(1)
    assert query_of(page) == "攻撃", "the results that were shown, not those that were under way"


def test_a_search_that_waits_for_the_reader_to_pause_is_not_asked_after_going_back(visit: Visit) -> None:
    make_faq("攻撃できますか？")
    page = visit.open("/")
    type_a_search(page)
    network = Network(page)
    page.evaluate(
        """() => {
          const box = document.getElementById('q');
          box.value = '攻撃でき';
          box.dispatchEvent(new Event('input', { bubbles: true }));
          history.back();
          setTimeout(() => { window.pauseIsOver = true; }, 600);  // after the one of 250 ms that was set above
        }"""
    )
    until(page, "window.pauseIsOver === true && location.pathname === '/'")
    check_first_page(page)
    assert network.asked == []


def test_back_after_reading_an_entry_leads_through_the_same_pages(visit: Visit) -> None:
    faq = make_faq("攻撃できますか？", "いいえ、できません。", verdict="no")
    page = visit.open("/")
    type_a_search(page)
    page.locator("#results .hit-title a").click()
    page.wait_for_url(f"**/faq/{faq.pk}/")
    page.go_back()
    page.locator("#results .hit").wait_for()
    assert query_of(page) == "攻撃"
    page.go_back()
    check_first_page(page)


def test_back_from_a_place_within_the_page_keeps_what_is_shown(visit: Visit) -> None:
    make_faq("攻撃できますか？")
    page = visit.open("/search/?q=攻撃")
    page.locator("#q").fill("攻撃でき")
    until(page, "location.search.includes('%E3%81%8D')")
    page.evaluate("location.hash = 'results'")
    page.evaluate("window.sameDocument = true")
    page.go_back()
    assert page.evaluate("window.sameDocument") is True
    assert query_of(page) == "攻撃でき"
    assert page.locator("#results .hit").count() == 1

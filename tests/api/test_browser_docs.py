"""Both pages of the description, drawn by a real browser under their policies."""

from typing import Any

import pytest

from rulings.api.docs import RedocView
from tests.web.browsers import Visit, chromium, until, visit  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db(transaction=True)
LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg"


def test_swagger_shows_every_operation(visit: Visit) -> None:  # noqa: F811
    page = visit.open("/api/v1/docs/")
    until(page, "document.querySelectorAll('.opblock').length > 20")


def test_redoc_shows_and_finds(visit: Visit) -> None:  # noqa: F811
    visit.expected = (LOGO,)  # the policy refuses it: nothing leaves this machine
    page = visit.open("/api/v1/docs/redoc/")
    until(page, "[...document.querySelectorAll('h2')].some(one => one.textContent.includes('検索'))")
    until(page, "getComputedStyle(document.querySelector('.menu-content')).position !== 'static'")  # its styles hold
    if page.viewport_size["width"] > 800:  # else the menu is folded away
        page.fill("[role=search] input", "answer")
        until(page, "document.querySelector('[data-role=\"search:results\"]') !== null")


def test_the_policy_of_redoc_allows_no_inline_script() -> None:
    directives: Any = dict(part.strip().partition(" ")[::2] for part in RedocView.policy.split(";"))
    assert directives["script-src"] == "'self'"
    assert "unsafe" not in RedocView.policy
    assert "http" not in RedocView.policy

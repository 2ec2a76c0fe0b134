"""A real Chromium, and windows in it that note everything that goes wrong."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from rulings.models import Card, Entry
from rulings.search import Hit, Reading, SearchPage, SearchRequest, Suggestion
from rulings.web import search as search_view

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# How htmx tells what the page itself takes back while the reader types on.
ABORTED = ("htmx:afterRequest, ", "htmx:sendAbort, ")
SIZES = {"phone": (375, 812), "small": (320, 640), "desktop": (1280, 900)}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if not Path(CHROMIUM).exists():
        if os.environ.get("CI"):
            pytest.fail(f"{CHROMIUM} is needed in CI")
        pytest.skip(f"{CHROMIUM} is not installed: the pages are not tried in a browser")
    from playwright.sync_api import sync_playwright

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # playwright keeps an event loop in this thread
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@dataclass
class Visit:
    """A browser window, and everything that went wrong in it."""

    page: Any
    host: str
    troubles: list[str] = field(default_factory=list)
    expected: tuple[str, ...] = ()  # addresses whose refusal is no trouble

    def open(self, address: str) -> Any:
        self.page.goto(self.host + address)
        return self.page

    def watch(self) -> None:
        self.page.on("console", self._note_message)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("requestfailed", self._note_failed)
        self.page.on("request", self._note_foreign)

    def _note_message(self, message: Any) -> None:
        if not message.text.startswith(ABORTED):
            self.troubles.append(message.text)

    def _note_failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # what the page itself takes back while the reader types on
            self.troubles.append(f"failed {request.url} {request.failure}")

    def _note_foreign(self, request: Any) -> None:
        if not request.url.startswith((self.host, f"blob:{self.host}", "data:")):
            self.troubles.append(f"foreign {request.url}")


@pytest.fixture(params=SIZES)
def visit(request: pytest.FixtureRequest, chromium: Any, live_server: Any) -> Iterator[Visit]:
    width, height = SIZES[request.param]
    context = chromium.new_context(viewport={"width": width, "height": height}, java_script_enabled=True)
    found = Visit(context.new_page(), live_server.url)
    found.watch()
    yield found
    context.close()
    troubles = [one for one in found.troubles if not any(address in one for address in found.expected)]
    assert not troubles, troubles


def until(page: Any, expression: str, seconds: float = 30) -> None:
    """Wait until a JavaScript expression is true; the site's policy forbids what Playwright's own waiting does."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        time.sleep(0.05)


def query_of(page: Any) -> str:
    """The query in the address bar."""
    return parse_qs(urlsplit(page.url).query).get("q", [""])[0]


@pytest.fixture
def search_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that finds every entry with the query in its text, and suggestions that begin with it."""

    def search(request: SearchRequest) -> SearchPage:
        entries = Entry.objects.filter(revisions__title__contains=request.q or "-").for_display()
        hits = [Hit("faq", 1.0, entry) for entry in entries]
        kind = "number" if request.q[:1].isdigit() and not request.read else "words"
        facets = {"kind": {"faq": len(hits)}, "ruleset": {"dm-cr": len(hits), "dm-x": 1}}
        return SearchPage(len(hits), Reading(kind, f"読んだ「{request.q}」"), [], hits, 1, 20, facets, 2)  # type: ignore[arg-type]

    def suggest(q: str, game: str | None = None, limit: int = 10) -> list[Suggestion]:
        cards = Card.objects.filter(name__startswith=q)[:limit]
        return [Suggestion("card", card.name, card.pk, card.get_absolute_url()) for card in cards]

    monkeypatch.setattr(search_view, "search", search)
    monkeypatch.setattr(search_view, "suggest", suggest)

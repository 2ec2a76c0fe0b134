"""The pages in a real browser, on a phone and on a desktop, without any script."""

from datetime import date, timedelta
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.utils import timezone

from rulings.models import CrossReference, Entry, Revision, Status
from rulings.search import Highlight, Hit, Reading, SearchPage, SearchRequest
from rulings.web import search as search_view
from tests.makers import (
    make_amendment,
    make_card,
    make_faq,
    make_game,
    make_interaction,
    make_ruleset,
    make_section,
    make_source,
)
from tests.web.browsers import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "デュエリスト" * 14  # a word without any place to break


def make_content() -> dict[str, str]:
    """One of everything, with long words; its addresses by kind of page."""
    source = make_source(text="\n".join([LONG] * 5), title=f"文書{LONG}")
    part = make_section("1", level="part", title="基本", body="", sort_key="1")
    chapter = make_section("101", level="chapter", title=LONG, body="", sort_key="101", parent=part)
    table = "\t".join(["名称", LONG, "発売時期", LONG])
    body = f"{LONG}。999.9\n• 一\n  • 一の一\n{table}\n{table}\nＡ１　　Ａ２"
    examples = [{"label": "例", "text": LONG}]
    fields = {"source": source, "lines": [[1, 5]], "parent": chapter, "examples": examples}
    rule = make_section("101.1", body=body, sort_key="101.1", **fields)
    start = body.index("999.9")
    revision = Revision.objects.get(entry=rule)
    places = {"place": "body", "kind": "rule", "key": "999.9", "start": start, "end": start + 5}
    CrossReference.objects.create(revision=revision, text="999.9", **places)
    make_section("101.2", status=Status.WITHDRAWN, status_reason=LONG, status_on=date(2026, 1, 1), sort_key="101.2")
    house = make_ruleset("dm-house", name="我が家", authority="house", description=LONG)
    make_section("基本", ruleset=house, level="heading", title=LONG, sort_key="1")
    make_ruleset("ygo-fan", name=LONG, authority="community", game=make_game("ygo", "遊戯王"))
    cards = [make_card(LONG, reading=LONG), make_card("赤き竜")]
    faq = make_faq(f"《赤き竜》は{LONG}ですか？", f"いいえ、{LONG}です。", verdict="no", cards=cards, source=source)
    interaction = make_interaction(cards, ruled_by=faq)
    amendment = make_amendment(title=LONG)
    Revision.objects.filter(entry=rule).update(amendment=amendment)
    return {
        "home": "/",
        "ruleset": "/dm-cr/",
        "house": "/dm-house/",
        "chapter": "/dm-cr/101/",
        "section": "/dm-cr/101.1/",
        "withdrawn": "/dm-cr/101.2/",
        "history": "/dm-cr/101.1/history/",
        "diff": "/dm-cr/diff/?from=2024-01-01&to=2026-01-01",
        "questions": "/dm-cr/faq/",
        "faq": f"/faq/{faq.pk}/",
        "interactions": f"/interactions/?cards={cards[0].pk},{cards[1].pk}",
        "interaction": f"/interactions/{interaction.pk}/",
        "cards": "/cards/",
        "card": f"/cards/{cards[0].pk}/",
        "amendments": "/amendments/",
        "amendment": f"/amendments/{amendment.pk}/",
        "search": f"/search/?q={LONG}",
        "memo": "/memo/",
        "settings": "/settings/",
        "offline": "/offline/",
        "feedback": f"/feedback/{faq.pk}/",
        "thanks": f"/feedback/{faq.pk}/thanks/",
        "amendments of a ruleset": "/dm-cr/amendments/",
        "nothing found": "/search/?q=ないことば",
        "choosing cards": "/interactions/",
        "another day": "/dm-cr/101.1/?as_of=2025-06-01",
        "before anything is known": "/dm-cr/101.1/?as_of=2001-01-01",
    }


def taken_back() -> Entry:
    """A rule that was announced and never held."""
    day = timezone.localdate() + timedelta(days=30)
    rule = make_section("101.7", effective_on=day, ended_on=day, sort_key="101.7")
    rule.revisions.update(retracted_on=timezone.localdate(), retraction=LONG)
    Entry.objects.filter(pk=rule.pk).update(status=Status.WITHDRAWN, status_reason=LONG)
    return rule


@pytest.fixture
def search_by_title(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that finds every entry with the query in its text."""

    def search(request: SearchRequest) -> SearchPage:
        entries = Entry.objects.filter(revisions__title__contains=request.q).for_display()
        hits = [Hit("faq", 1.0, entry, highlights=[Highlight("body", LONG, [(0, 6)])]) for entry in entries]
        return SearchPage(len(hits), Reading("words", f"ことば「{request.q}」"), [], hits, 1, 20)

    monkeypatch.setattr(search_view, "search", search)


@pytest.mark.usefixtures("search_by_title")
def test_no_page_scrolls_sideways_or_reports_an_error(visit: Visit) -> None:
    for name, address in make_content().items():
        page = visit.open(address)
        page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"], f"{name} is {width} px wide"
        assert page.title()
        small = page.evaluate(
            """[...document.querySelectorAll('button, input:not([type=hidden], [type=radio], [type=checkbox]), '
            + '.choice, select, summary, .site-nav a, .brand')]
            .map(each => [each, each.getBoundingClientRect()])
            .filter(([, box]) => box.width && box.height < 43.5).map(([each]) => each.outerHTML.slice(0, 80))"""
        )
        assert small == [], f"{name} has targets that are too small for a thumb"


@pytest.mark.usefixtures("search_by_title")
def test_from_a_search_to_the_ruling_in_two_taps_without_scripts(chromium: Any, live_server: Any) -> None:
    faq = make_faq("攻撃できますか？", "いいえ、できません。", verdict="no")
    context = chromium.new_context(viewport={"width": 375, "height": 812}, java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url)
    page.locator("#q").fill("攻撃")
    page.get_by_role("button", name="検索").click()  # the first tap: the answer is already readable
    assert page.locator(".hit .verdict-no").inner_text() == "いいえ"
    assert page.locator(".hit").bounding_box()["y"] < 500
    page.get_by_role("link", name="攻撃できますか？").click()  # the second: the ruling itself
    assert page.url.endswith(f"/faq/{faq.pk}/")
    answer = page.locator(".answer .prose").bounding_box()
    assert answer["y"] + answer["height"] < 752, "the answer fits the first screen, above the bar"
    context.close()


@pytest.mark.usefixtures("search_by_title")
@pytest.mark.parametrize(("scheme", "language"), [("light", "ja"), ("dark", "ja"), ("light", "en")])
def test_axe_finds_nothing_serious(chromium: Any, live_server: Any, scheme: Any, language: str) -> None:
    context = chromium.new_context(viewport={"width": 375, "height": 812}, color_scheme=scheme)
    context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])
    page = context.new_page()
    wrong = []
    errors = {"missing": "/dm-cr/101.9/", "nowhere": "/no/such/page/", "unreadable": "/cards/?game=chess"}
    for name, address in (make_content() | errors | {"taken back": taken_back().get_absolute_url()}).items():
        page.goto(live_server.url + address)
        page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
        found = Axe().run(page)
        assert len(found.response["passes"]) > 5, f"axe looked at nothing on {name}"
        wrong += [
            (name, each["id"], [node["html"][:120] for node in each["nodes"][:3]])
            for each in found.response["violations"]
            if each["impact"] in ("serious", "critical")
        ]
    context.close()
    assert not wrong, wrong


def test_keyboard_alone(visit: Visit) -> None:
    make_section("101.1", title="見出し")
    page = visit.open("/dm-cr/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_dark_and_light(chromium: Any, live_server: Any) -> None:
    grounds = set()
    for scheme in ("light", "dark"):
        context = chromium.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(live_server.url)
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        context.close()
    assert len(grounds) == 2

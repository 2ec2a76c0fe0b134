"""Texts that want to be markup stay texts, on every page and in every form that pages come in."""

import json
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from rulings.models import CardAlias, Entry, Feedback
from rulings.search import indexing
from tests.makers import make_amendment, make_card, make_faq, make_interaction, make_ruleset, make_section, make_source
from tests.services.hooks import change
from tests.web.conftest import Reader

EVIL = """</script><script>evil()</script><img src=x onerror=evil()>"'><svg onload=evil()>{{7*7}}--><b>竜</b>"""


@pytest.fixture
def addresses(reader: Reader) -> list[str]:
    """A site all of whose texts are hostile; the addresses of its pages."""
    ruleset = make_ruleset("dm-cr", name=EVIL[:90])
    source = make_source(title=EVIL, text=f"一行目\n{EVIL}", publisher=EVIL[:90], url="https://example.com/'\"><b>")
    amendment = make_amendment(ruleset, title=EVIL, source=source)
    cards = [make_card(f"{EVIL}{number}", reading=EVIL) for number in (1, 2)]
    CardAlias.objects.create(card=cards[0], text=EVIL, key="evil")
    texts = {"title": EVIL, "body": EVIL, "examples": [{"label": EVIL, "text": EVIL}], "amendment": amendment}
    section = make_section("1.1", cards=cards, status_reason=EVIL, **texts)
    ended = make_section("1.2", status="withdrawn", status_reason=EVIL, **texts)
    named = make_section("evil", **texts)
    made = [section, ended, named, make_faq(cards=cards, official_id="<b>", **texts)]
    made.append(make_interaction(cards, body=EVIL, group_name=EVIL[:90]))
    Entry.objects.update(source=source)
    Feedback.objects.create(entry=section, kind="wrong", text=EVIL, source=EVIL)
    change(*made)
    indexing.rebuild()
    pks = ",".join(str(card.pk) for card in cards)
    own = [entry.get_absolute_url() for entry in made] + [card.get_absolute_url() for card in cards]
    fixed = ["/", "/dm-cr/", "/dm-cr/faq/", "/dm-cr/1.1/history/", "/dm-cr/diff/?from=2024-01-01&to=2025-06-01",
             "/cards/", "/amendments/", "/interactions/", "/offline/", "/memo/", "/settings/"]  # fmt: skip
    asked = urlencode({"q": EVIL})
    return [
        *own, *fixed, f"/amendments/{amendment.pk}/", f"/interactions/?cards={pks}", f"/feedback/{section.pk}/",
        f"/search/?{asked}", f"/search/?q=evil&{urlencode({'kind': EVIL})}", f"/suggest/?{asked}", f"/cards/?{asked}",
        f"/dm-cr/{EVIL[:20].replace('/', '')}/", f"/preview/?{urlencode({'url': own[0]})}", "/search/?q=竜",
    ]  # fmt: skip


def _judge(address: str, html: str) -> None:
    page = BeautifulSoup(html, "html.parser")
    for script in page.find_all("script"):
        assert script.get("src", "").startswith("/static/") or script.get("type") == "application/ld+json", address
    for data in page.find_all("script", type="application/ld+json"):
        assert json.loads(data.text)["@context"] == "https://schema.org", address
    for element in page.find_all(True):
        assert element.name != "svg" or not element.get("onload"), (address, element)
        odd = [name for name in element.attrs if name.startswith("on")]
        assert (odd, element.get("src")) != ([], "x"), (address, element)
        assert odd == [], (address, element)
        for name in ("href", "action"):
            assert not str(element.get(name, "")).lower().startswith(("javascript:", "data:")), (address, element)
    assert "49" not in page.get_text() or "7*7" in page.get_text(), address


def test_hostile_texts_are_texts_on_every_page(reader: Reader, addresses: list[str]) -> None:
    seen = 0
    for address in addresses:
        response = reader.client.get(address)
        assert response.status_code in (200, 400, 404, 410), (address, response.status_code)
        html = response.content.decode()
        seen += "evil()" in html
        _judge(address, html)
    assert seen > 15  # the texts are there, as texts


@pytest.mark.parametrize("language", ["ja", "en"])
def test_hostile_texts_in_both_languages(reader: Reader, addresses: list[str], language: str) -> None:
    reader.client.cookies["django_language"] = language
    for address in addresses[:8]:
        _judge(address, reader.client.get(address).content.decode())


def test_hostile_texts_in_feeds_and_data(reader: Reader, addresses: list[str]) -> None:
    for address in (
        "/feeds/rulings.atom",
        "/feeds/amendments.atom",
        "/feeds/rulesets/dm-cr.atom",
        "/dm-cr/amendments/feed/",
    ):
        feed = ElementTree.fromstring(reader.get(address).content)  # noqa: S314 - our own answer
        contents = [content.text or "" for content in feed.iter("{http://www.w3.org/2005/Atom}summary")]
        assert contents, address
        for content in contents:  # HTML, which readers show
            _judge(address, content)
    response = reader.get("/offline/dm-cr.json")
    assert response["Content-Type"].startswith("application/json")
    assert response["X-Content-Type-Options"] == "nosniff"


def test_hostile_texts_in_the_admin(admin_client: Client, addresses: list[str], db: Any) -> None:
    feedback = Feedback.objects.get()
    for address in ("feedback/", f"feedback/{feedback.pk}/change/", "card/", "source/", "rulesection/"):
        html = admin_client.get(f"/admin/rulings/{address}").content.decode()
        assert "evil()" in html, address
        assert "<img src=x" not in html, address
        assert "<script>evil" not in html, address

"""Feeds of what changes: in a ruleset, about a card, among what a search finds."""

from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from django.db import transaction

from rulings.models import Change, ChangeKind, Entry
from rulings.search import indexing
from rulings.services.editing import edit_entry
from rulings.services.wordings import Wording
from tests.makers import make_amendment, make_card, make_faq, make_interaction, make_ruleset, make_section
from tests.services.hooks import change
from tests.web.conftest import Reader

ATOM = {"a": "http://www.w3.org/2005/Atom"}
FEEDS = ["/feeds/amendments.atom", "/feeds/rulings.atom", "/dm-cr/amendments/feed/", "/feeds/rulesets/dm-cr.atom",
         "/feeds/search.atom?q=墓地"]  # fmt: skip


def read(reader: Reader, address: str) -> ElementTree.Element:
    response = reader.get(address)
    assert response.headers["Content-Type"].startswith("application/atom+xml")
    return ElementTree.fromstring(response.content)  # noqa: S314 - our own answer


def text(element: ElementTree.Element, name: str) -> str:
    return element.findtext(f"a:{name}", "", ATOM)


def titles(reader: Reader, address: str) -> list[str]:
    return [text(entry, "title") for entry in read(reader, address).findall("a:entry", ATOM)]


def link(element: ElementTree.Element, rel: str) -> str:
    found = element.find(f"a:link[@rel='{rel}']", ATOM)
    assert found is not None
    return found.attrib["href"]


def test_a_ruleset(reader: Reader) -> None:
    first, second = make_section("1.1", title="準備"), make_section("1.2", title="進行")
    other = make_section("9.9", ruleset=make_ruleset("dm-party", name="パーティー"))
    ruled = make_interaction(ruled_by=make_faq())
    change(first, second, other, ruled, kind=ChangeKind.CREATED)
    change(first)
    feed = read(reader, "/feeds/rulesets/dm-cr.atom")
    assert titles(reader, "/feeds/rulesets/dm-cr.atom") == [
        "【変更】1.1 準備（総合ルール）",
        "【追加】1.2 進行（総合ルール）",
    ]
    entry = feed.findall("a:entry", ATOM)[0]
    assert text(entry, "id") == f"http://testserver/e/{first.pk}/"
    assert link(entry, "alternate") == "http://testserver/dm-cr/1.1/"
    last = Change.objects.filter(entry=first).latest("number")
    assert datetime.fromisoformat(text(entry, "updated")) == last.at
    assert datetime.fromisoformat(text(feed, "updated")) == last.at
    assert datetime.fromisoformat(text(entry, "published")) == first.created_at
    assert text(feed, "id") == link(feed, "self") == "http://testserver/feeds/rulesets/dm-cr.atom"
    assert link(feed, "alternate") == "http://testserver/dm-cr/"


def test_a_title_stands_on_one_line(reader: Reader) -> None:
    make_ruleset("dm-cr")
    change(make_faq("長い質問\n\n  です" + "か" * 200), kind=ChangeKind.CREATED)
    (title,) = titles(reader, "/feeds/rulesets/dm-cr.atom")
    assert title.startswith("【追加】長い質問 ですか")
    assert len(title) < 140
    assert title.endswith("か…（総合ルール）")


def test_an_entry_keeps_its_id_whatever_becomes_of_it(reader: Reader) -> None:
    section = make_section("1.1", title="準備")
    change(section, kind=ChangeKind.CREATED)
    before = read(reader, "/feeds/rulesets/dm-cr.atom").find("a:entry", ATOM)
    Entry.objects.filter(pk=section.pk).update(number="2.2", status="withdrawn", status_reason="廃止されました")
    section.refresh_from_db()
    change(section, kind=ChangeKind.ENDED)
    (after,) = read(reader, "/feeds/rulesets/dm-cr.atom").findall("a:entry", ATOM)
    assert before is not None
    assert text(before, "id") == text(after, "id")
    assert text(after, "title").startswith("【終了】")
    assert "廃止されました" in text(after, "summary")


def test_a_card_with_its_answers(reader: Reader) -> None:
    card, other = make_card("青き竜"), make_card("赤き竜")
    faq = make_faq("<b>出せ</b>ますか？", "はい、出せます。\n・一つ目\n・二つ目", cards=[card])
    ruled = make_interaction([card, other], ruled_by=faq, title="")
    not_named = make_faq("別の質問？", "いいえ。", cards=[other])
    change(faq, ruled, not_named)
    entries = read(reader, f"/feeds/cards/{card.pk}.atom").findall("a:entry", ATOM)
    by_id = {text(entry, "id"): text(entry, "summary") for entry in entries}
    assert set(by_id) == {f"http://testserver/e/{one.pk}/" for one in (faq, ruled)}
    for drawn in by_id.values():
        assert "<strong>はい</strong>" in drawn
        assert "はい、出せます。" in drawn
        assert "<p>・一つ目</p>" in drawn
    reader.get("/feeds/cards/999999.atom", 404)


def test_a_search(reader: Reader) -> None:
    found, other = make_faq("墓地から出せますか？"), make_faq("山札は切りますか？")
    indexing.rebuild()
    change(found, other)
    indexing.catch_up()
    feed = read(reader, "/feeds/search.atom?q=墓地&kind=faq&page=3&as_of=2020-01-01")
    assert len(feed.findall("a:entry", ATOM)) == 1
    assert link(feed, "self") == "http://testserver/feeds/search.atom?q=%E5%A2%93%E5%9C%B0&kind=faq"
    assert text(feed, "id") == link(feed, "self")
    assert link(feed, "alternate") == "http://testserver/search/?q=%E5%A2%93%E5%9C%B0&kind=faq"
    edit_entry(other, Wording("山札は切りますか？", "墓地に置いてから切ります。", (), "yes"), on=date(2025, 2, 1))
    assert len(titles(reader, "/feeds/search.atom?q=墓地&kind=faq")) == 2
    Entry.objects.filter(pk=found.pk).update(status="withdrawn", status_reason="廃止")
    change(found, kind=ChangeKind.ENDED)
    assert [one[:4] for one in titles(reader, "/feeds/search.atom?q=墓地&kind=faq")] == ["【終了】", "【変更】"]
    assert titles(reader, "/feeds/search.atom?q=どこにもない言葉") == []


@pytest.mark.parametrize("odd", ["\x01", "\x0b", "\x1b", "\x7f", "\ufffe", "\uffff", "]]>", "<script>", "&nbsp;"])
def test_what_xml_cannot_hold_is_left_out(reader: Reader, odd: str) -> None:
    """In the question and in every text: a feed that no reader can read tells nothing."""
    card = make_card(f"青き{odd}竜")
    change(make_faq(f"青き{odd}竜は墓地に？", f"はい{odd}。", cards=[card]), make_section("1.1", body=f"青き{odd}竜"))
    make_amendment(title=f"改定{odd}")
    indexing.rebuild()
    assert len(titles(reader, f"/feeds/search.atom?{urlencode({'q': f'青き{odd}竜'})}")) == 2
    assert len(titles(reader, f"/feeds/cards/{card.pk}.atom")) == 1
    for address in FEEDS[:-1]:
        assert titles(reader, address)


@pytest.mark.parametrize(
    "query", ["", "?q=", "?q=%20", "?q=a&ruleset=none", "?q=a&as_of=x", "?q=a%00", "?q=" + "a" * 500, "?q=a&card=x"]
)
def test_what_cannot_be_asked_is_told(reader: Reader, query: str) -> None:
    make_section("1.1")
    assert "<h1" in reader.get(f"/feeds/search.atom{query}", 400).content.decode()


def test_while_the_index_is_built(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    make_section("1.1")

    def broken(*_args: object) -> None:
        raise indexing.IndexUnusable("broken")

    monkeypatch.setattr(indexing, "ask", broken)
    response = reader.get("/feeds/search.atom?q=墓地", 503)
    assert response["Retry-After"] == "30"
    assert "ETag" not in response


@pytest.mark.parametrize("address", FEEDS)
def test_what_has_not_changed_is_not_sent_again(
    reader: Reader, address: str, django_assert_max_num_queries: Any
) -> None:
    section = make_section("1.1", body="墓地に置く。")
    indexing.rebuild()
    change(section)
    indexing.catch_up()
    first = reader.get(address)
    assert "no-cache" in first["Cache-Control"]
    with django_assert_max_num_queries(2):
        again = reader.client.get(address, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert reader.get(address).content == first.content
    change(section)
    assert reader.client.get(address, headers={"if-none-match": first["ETag"]}).status_code == 200
    assert reader.client.head(address).status_code == 200
    assert reader.client.post(address).status_code == 405


def test_a_feed_without_entries_does_not_pretend_to_be_new(reader: Reader) -> None:
    make_ruleset("dm-cr")
    with transaction.atomic():
        Change.objects.record([Change(kind="updated", card=make_card("青き竜"))])
    updated = datetime.fromisoformat(text(read(reader, "/feeds/rulesets/dm-cr.atom"), "updated"))
    assert text(read(reader, "/feeds/rulesets/dm-cr.atom"), "updated") == updated.isoformat()


def test_pages_name_their_feeds(reader: Reader) -> None:
    card = make_card("青き竜")
    make_section("1.1", cards=[card])
    for address, feed in (
        ("/dm-cr/", "/feeds/rulesets/dm-cr.atom"),
        (f"/cards/{card.pk}/", f"/feeds/cards/{card.pk}.atom"),
        ("/search/?q=竜&kind=section&page=1", "/feeds/search.atom?q=%E7%AB%9C&kind=section"),
    ):
        page = reader.page(address)
        named = [one["href"] for one in page.find_all("link", type="application/atom+xml")]
        assert feed in named
        assert feed in [one["href"] for one in page.find_all("a") if "Atom" in one.text]
        reader.get(feed)
        dated = (
            reader.page(address, as_of="2026-01-01")
            if "?" not in address
            else reader.page(address + "&as_of=2026-01-01")
        )
        assert feed not in [one["href"] for one in dated.find_all("link", type="application/atom+xml")]
    assert "feeds/search.atom" not in str(reader.page("/search/"))
    assert "feeds/search.atom" not in str(reader.page("/search/?q=竜&kind=card"))


def test_the_length_of_a_feed_is_bounded(reader: Reader, django_assert_max_num_queries: Any) -> None:
    sections = [make_section(f"1.{number}") for number in range(60)]
    change(*sections)
    with django_assert_max_num_queries(14):
        assert len(titles(reader, "/feeds/rulesets/dm-cr.atom")) == 40

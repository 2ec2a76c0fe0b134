"""The feeds of amendments."""

from datetime import date
from xml.etree import ElementTree

from tests.makers import make_amendment, make_ruleset, make_section
from tests.web.conftest import Reader

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def read(reader: Reader, address: str) -> ElementTree.Element:
    response = reader.get(address)
    assert response.headers["Content-Type"].startswith("application/atom+xml")
    return ElementTree.fromstring(response.content)  # noqa: S314 - our own answer


def test_the_feed_of_a_ruleset(reader: Reader) -> None:
    new = make_amendment(title="二月の改定", announced_on=date(2026, 2, 1), effective_on=date(2026, 2, 13))
    make_section("101.1", amendment=new, effective_on=date(2026, 2, 13))
    make_amendment(title="古い改定", announced_on=date(2020, 1, 1), effective_on=date(2020, 1, 1))
    make_amendment(make_ruleset("dm-party", name="パーティー"), title="ほかの改定")
    entries = read(reader, "/dm-cr/amendments/feed/").findall("a:entry", ATOM)
    assert [entry.findtext("a:title", namespaces=ATOM) for entry in entries] == [
        "総合ルール｜二月の改定",
        "総合ルール｜古い改定",
    ]
    summary = entries[0].findtext("a:summary", namespaces=ATOM)
    assert summary == "施行：2026-02-13。追加：101.1。"
    link = entries[0].find("a:link", ATOM)
    assert link is not None
    assert link.attrib["href"] == f"http://testserver/amendments/{new.pk}/"


def test_a_ruleset_that_is_not_there(reader: Reader) -> None:
    reader.get("/dm-xx/amendments/feed/", 404)


def test_the_list_of_a_ruleset_names_its_feed(reader: Reader) -> None:
    make_amendment(title="二月の改定")
    make_amendment(make_ruleset("dm-party", name="パーティー"), title="ほかの改定")
    page = reader.page("/dm-cr/amendments/")
    assert "二月の改定" in page.text
    assert "ほかの改定" not in page.text
    feed = page.find("link", type="application/atom+xml")
    assert feed is not None
    assert feed["href"] == "/dm-cr/amendments/feed/"  # type: ignore[index]

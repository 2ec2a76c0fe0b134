"""robots.txt, sitemap, OpenSearch, Atom, structured data, link previews."""

import json
from xml.etree import ElementTree

from bs4 import BeautifulSoup
from django.utils.timezone import localtime

from rulings.models import Status
from tests.makers import make_amendment, make_card, make_faq, make_section
from tests.web.conftest import Reader


def xml(reader: Reader, address: str) -> ElementTree.Element:
    return ElementTree.fromstring(reader.get(address).content)  # noqa: S314 - our own


def test_the_sitemap_names_what_holds(reader: Reader) -> None:
    rule, faq = make_section("101.1"), make_faq()
    ended = make_section("101.2", status=Status.WITHDRAWN, status_reason="廃止")
    named, unnamed = make_card("青き竜"), make_card("赤き竜")
    faq.cards.add(named)
    make_amendment()
    parts = [element.text for element in xml(reader, "/sitemap.xml").iter() if element.tag.endswith("loc")]
    assert f"Sitemap: {'http://testserver'}/sitemap.xml" in reader.get("/robots.txt").content.decode()
    found = set()
    for part in parts:
        address = str(part).removeprefix("http://testserver")
        found |= {element.text for element in xml(reader, address).iter() if element.tag.endswith("loc")}
    expected = {f"http://testserver{subject.get_absolute_url()}" for subject in (rule, faq, named, rule.ruleset)}
    assert expected <= found
    assert not {f"http://testserver{subject.get_absolute_url()}" for subject in (ended, unnamed)} & found


def test_the_sitemap_asks_the_database_when_anything_last_changed(
    reader: Reader, django_assert_max_num_queries: object
) -> None:
    newest = max(make_section(f"101.{number}").updated_at for number in range(30))
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        parts = list(xml(reader, "/sitemap.xml"))
    told = {element.findtext("{*}loc"): element.findtext("{*}lastmod") for element in parts}
    assert told["http://testserver/sitemap-entries.xml"][:19] == localtime(newest).isoformat()[:19]


def test_feeds_are_atom_with_answers(reader: Reader) -> None:
    make_amendment(title="秋の改定")
    faq = make_faq("使えますか？", "いいえ、使えません。")
    atom = "{http://www.w3.org/2005/Atom}"
    amendments = xml(reader, "/feeds/amendments.atom")
    assert amendments.tag == f"{atom}feed"
    assert "秋の改定" in amendments.findtext(f"{atom}entry/{atom}title", "")
    rulings = xml(reader, "/feeds/rulings.atom")
    summary = rulings.findtext(f"{atom}entry/{atom}summary", "")
    assert BeautifulSoup(summary, "html.parser").get_text(" ", strip=True) == "はい いいえ、使えません。"
    assert rulings.find(f"{atom}entry/{atom}link").attrib["href"] == f"http://testserver/faq/{faq.pk}/"  # type: ignore[union-attr]


def test_browsers_can_add_the_search(reader: Reader) -> None:
    address = reader.page("/").select_one("link[rel=search]")["href"]
    template = xml(reader, str(address)).find("{http://a9.com/-/spec/opensearch/1.1/}Url")
    assert template is not None
    assert template.attrib["template"] == "http://testserver/search/?q={searchTerms}"


def test_a_question_is_a_qa_page_for_machines_whatever_its_text(reader: Reader) -> None:
    faq = make_faq("</script><b>使えますか？", "いいえ & 使えません。")
    page = reader.page(f"/faq/{faq.pk}/")
    data = json.loads(page.select_one('script[type="application/ld+json"]').text)
    assert data["@type"] == "QAPage"
    assert data["mainEntity"]["name"] == "</script><b>使えますか？"
    assert data["mainEntity"]["acceptedAnswer"]["text"] == "いいえ & 使えません。"
    assert page.select_one('meta[property="og:description"]')["content"] == "いいえ & 使えません。"
    listed = reader.page("/dm-cr/faq/").select_one('script[type="application/ld+json"]')
    assert json.loads(listed.text)["@type"] == "FAQPage"


def test_an_ended_question_claims_nothing(reader: Reader) -> None:
    faq = make_faq(status=Status.WITHDRAWN, status_reason="廃止")
    assert reader.page(f"/faq/{faq.pk}/").select_one('script[type="application/ld+json"]') is None

"""The interface in English: switched by the reader; what the rules say stays as it is."""

import gettext
from datetime import date
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Comment, Tag

from tests.makers import make_card, make_faq, make_interaction, make_section, make_source
from tests.web.conftest import Reader

CATALOGUE = Path(__file__).parents[2] / "locale" / "en" / "LC_MESSAGES"


@pytest.fixture
def english(reader: Reader) -> Reader:
    reader.client.post("/language/", {"language": "en"})
    return reader


def test_the_interface_is_english_and_the_content_is_not(english: Reader) -> None:
    faq = make_faq("使えますか？", "いいえ、使えません。", verdict="no")
    page = english.page(f"/faq/{faq.pk}/")
    assert page.select_one(".skip").text == "Skip to content"
    assert page.select_one(".verdict").text == "No"
    assert page.select_one(".authority").text == "Official"
    assert "いいえ、使えません。" in page.main.text
    assert "使えますか？" in page.h1.text


@pytest.mark.parametrize(
    "address", ["/", "/search/?q=x", "/dm-cr/101.1/", "/cards/", "/interactions/", "/memo/", "/offline/"]
)
def test_no_page_breaks(english: Reader, address: str) -> None:
    make_section("101.1")
    page = english.page(address)
    assert page.html["lang"] == "en"
    assert page.select_one(".search-form button").text == "Search"


def spoken(tag: Tag) -> str:
    """The language of the nearest element that names one."""
    return next(each["lang"] for each in [tag, *tag.parents] if each.get("lang"))


@pytest.mark.parametrize("status", ["current", "withdrawn"])
def test_what_is_japanese_is_marked_so_and_nothing_else(english: Reader, status: str) -> None:
    source = make_source(title="試験用の文書", published_on=date(2025, 12, 17))
    faq = make_faq("使えますか？", "いいえ。", source=source, lines=[[1, 1]], status=status, status_reason="試験")
    make_interaction([make_card("青き竜"), make_card("赤き竜")], ruled_by=faq)
    for address in (
        f"/faq/{faq.pk}/",
        "/",
        "/search/?q=使う",
        "/dm-cr/faq/",
        "/cards/",
        "/interactions/",
        "/no/no/no/",
    ):
        response = english.client.get(address)
        page = BeautifulSoup(response.content, "html.parser")
        for text in page.body.find_all(string=True):
            if not isinstance(text, Comment) and text.strip() and text.parent.name != "script":
                japanese = any("ぁ" <= letter <= "鿿" for letter in text)
                assert (spoken(text.parent) == "ja") is japanese or not text.strip().isalpha(), (address, text)
                assert spoken(text.parent) == "ja" or not japanese, (address, text)


def test_dates_are_english_too(english: Reader) -> None:
    faq = make_faq(effective_on=date(2025, 12, 17))
    assert english.page(f"/faq/{faq.pk}/").select_one("main time").text == "Dec. 17, 2025"


def test_the_japanese_page_is_left_as_it_is(reader: Reader) -> None:
    page = reader.page(make_faq(effective_on=date(2025, 12, 17)).get_absolute_url())
    assert page.select_one("main time").text == "2025年12月17日"
    assert not page.select("main [lang]:not(.citation)")


def test_an_english_answer_tells_caches_so(english: Reader) -> None:
    assert english.get("/")["Content-Language"] == "en"


def test_the_compiled_catalogue_is_that_of_the_text() -> None:
    written: dict[str, str] = {}
    key = ""
    for line in (CATALOGUE / "django.po").read_text(encoding="utf-8").split("\n"):
        if line.startswith("msgid "):
            key = line[7:-1]
        elif line.startswith("msgstr ") and key:
            written[key] = line[8:-1]
    with (CATALOGUE / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    plain = {key: value for key, value in written.items() if value and "\\" not in key + value}
    assert len(plain) > 300
    assert {key: compiled.gettext(key) for key in plain} == plain

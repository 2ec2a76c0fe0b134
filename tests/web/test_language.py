"""The interface in English: switched by the reader; what the rules say stays as it is."""

import gettext
from pathlib import Path

import pytest

from tests.makers import make_faq, make_section
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

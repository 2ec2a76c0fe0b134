"""Pages about the device, short links, QR codes, language, and what a browser needs to install the site."""

import gzip
import json

import pytest
from django.conf import settings

from rulings.web import device
from tests.makers import make_card, make_faq, make_section
from tests.web.conftest import Reader


def test_short_links_lead_to_entries_and_cards(reader: Reader) -> None:
    rule, faq, card = make_section("101.1"), make_faq(), make_card()
    for short, subject in ((f"/e/{rule.pk}/", rule), (f"/e/{faq.pk}/", faq), (f"/c/{card.pk}/", card)):
        assert reader.get(short, 302)["Location"] == subject.get_absolute_url()
    reader.get("/e/999999/", 404)


def test_a_qr_code_is_a_drawing_that_differs_by_subject(reader: Reader) -> None:
    drawings = set()
    for faq in (make_faq("一"), make_faq("二")):
        response = reader.get(f"/e/{faq.pk}/qr.svg")
        assert response["Content-Type"] == "image/svg+xml"
        drawings.add(response.content)
        page = reader.page(faq.get_absolute_url())
        assert page.select_one("img.qr")["src"] == f"/e/{faq.pk}/qr.svg"
    assert len(drawings) == 2


def test_the_citation_stands_on_the_page_without_scripts(reader: Reader) -> None:
    faq = make_faq("使えますか？", "いいえ、使えません。", verdict="no")
    text = reader.page(f"/faq/{faq.pk}/").select_one("#citation").text
    lines = ["デュエル・マスターズ 総合ルール（公式） よくある質問", "使えますか？", "【いいえ】いいえ、使えません。"]
    assert text.split("\n") == [*lines, "2025-01-01施行", f"http://testserver/e/{faq.pk}/"]


def test_the_worker_names_files_that_exist(reader: Reader) -> None:
    response = reader.get("/sw.js")
    assert response["Content-Type"].startswith("text/javascript")
    head = response.content.decode().split("\n")[1]
    shell = json.loads(head.removeprefix("const SHELL = ").removesuffix(";"))
    assert "/offline/" in shell
    modules = {path.name for path in (settings.BASE_DIR / "static" / "js").rglob("*.js")} - {"worker.js"}
    assert modules == {path.rpartition("/")[2] for path in shell if path.startswith("/static/js/")}


def test_the_worker_changes_with_any_file(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    before = device._digest()
    monkeypatch.setattr(device, "SHELL", device.SHELL[:-1])
    assert device._digest() != before


def test_the_manifest_has_icons_that_are_served(reader: Reader) -> None:
    manifest = json.loads(reader.get("/manifest.webmanifest").content)
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert (settings.BASE_DIR / icon["src"].removeprefix("/")).is_file()


@pytest.mark.parametrize(
    ("back", "expected"), [("/dm-cr/?x=1", "/dm-cr/?x=1"), ("https://evil.example/", "/"), ("", "/")]
)
def test_the_language_is_chosen_and_kept(reader: Reader, back: str, expected: str) -> None:
    make_section("101.1")
    response = reader.client.post("/language/", {"language": "en", "next": back})
    assert (response.status_code, response["Location"]) == (302, expected)
    page = reader.page("/memo/")
    assert page.html["lang"] == "en"
    reader.client.post("/language/", {"language": "ja"})
    assert reader.page("/memo/").html["lang"] == "ja"


def test_a_browser_that_speaks_english_still_gets_japanese_until_it_chooses(reader: Reader) -> None:
    response = reader.client.get("/", headers={"accept-language": "en-US,en;q=0.9"})
    assert '<html lang="ja">' in response.content.decode()


def test_styles_and_scripts_are_light() -> None:
    """All of them together, those of the offline page and htmx included: 60 KB compressed."""
    sizes = {
        name: len(gzip.compress((settings.BASE_DIR / "static" / name).read_bytes()))
        for name in device.SHELL
        if name.endswith((".css", ".js"))
    }
    assert sum(sizes.values()) < 60_000, sizes


def test_a_long_chapter_stays_light(reader: Reader) -> None:
    chapter = make_section("701", level="chapter", title="長い章", body="", sort_key="0701.")
    for number in range(300):
        make_section(
            f"701.{number}", body=f"{number}番目の条項です。" * 8, parent=chapter, sort_key=f"0701.{number:04}."
        )
    packed = reader.client.get("/dm-cr/701/", headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < 100_000


def test_pages_are_compressed(reader: Reader) -> None:
    plain = reader.get("/")
    packed = reader.client.get("/", headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(plain.content) / 2

"""The print sheet: the ruling, where it comes from and the way back to it, and nothing that is only for a screen."""

from typing import Any

import pytest

from tests.makers import make_card, make_faq, make_ruleset, make_source
from tests.web.browsers import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ONLY_ON_SCREEN = (".site-nav", ".search-form", ".tools-row", ".share > summary", ".languages", ".more", ".skip")


@pytest.fixture(params=["light", "dark"])
def paper(request: pytest.FixtureRequest, chromium: Any, live_server: Any) -> Any:
    context = chromium.new_context(viewport={"width": 794, "height": 1123}, color_scheme=request.param)
    page = context.new_page()
    page.set_default_timeout(10_000)

    def shown(address: str) -> Any:
        page.goto(live_server.url + address)
        page.emulate_media(media="print", color_scheme=request.param)
        return page

    yield shown
    context.close()


def test_a_ruling_on_paper(paper: Any) -> None:
    source = make_source(title="試験用の文書", url="https://example.com/faq")
    faq = make_faq("使えますか？", "いいえ、使えません。", verdict="no", source=source, cards=[make_card("青き竜")])
    page = paper(f"/faq/{faq.pk}/")
    for selector in ONLY_ON_SCREEN:
        assert not any(each.is_visible() for each in page.locator(selector).all()), selector
    for text in ("いいえ、使えません。", "試験用の文書", f"/e/{faq.pk}/"):
        page.get_by_text(text).first.wait_for()
    assert page.locator(".verdict-no").is_visible()
    until(
        page, "(() => { const code = document.querySelector('.qr'); return code.complete && code.naturalWidth > 0; })()"
    )
    assert page.locator(".qr").bounding_box()["width"] > 90, "28 mm, to be read by a camera"


def test_black_on_white_whatever_the_theme(paper: Any) -> None:
    page = paper(make_faq().get_absolute_url())
    colours = page.evaluate(
        "(() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]; })()"
    )
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]


def test_a_house_rule_is_one_on_paper_too(paper: Any) -> None:
    house = make_ruleset("dm-house", name="我が家", authority="house")
    page = paper(make_faq(ruleset=house).get_absolute_url())
    assert page.locator(".authority-house").first.is_visible()
    assert page.locator(".unofficial").is_visible()


def test_nothing_runs_off_the_sheet(paper: Any) -> None:
    page = paper(make_faq("長い" * 80, "答え" * 300).get_absolute_url())
    assert page.evaluate("document.documentElement.scrollWidth") <= 794

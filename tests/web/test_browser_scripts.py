"""What scripts add, tried by hand: search as you type, suggestions, keys, previews, memos, settings."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from rulings.models import CrossReference, Entry, Revision
from tests.makers import make_card, make_faq, make_section
from tests.web.browsers import Visit, query_of, until

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("search_by_words"),
]


def test_results_as_you_type_from_the_first_page(visit: Visit) -> None:
    make_faq("攻撃できますか？", "いいえ、できません。", verdict="no")
    page = visit.open("/")
    page.locator("#q").press_sequentially("攻撃", delay=30)
    page.locator("#results .hit").wait_for()
    assert page.locator("#results .verdict-no").inner_text() == "いいえ"
    assert urlsplit(page.url).path == "/search/"
    assert query_of(page) == "攻撃"
    assert "攻撃" in page.title()
    page.locator("#q").press_sequentially("でき", delay=30)
    until(page, "location.search.includes('%E3%81%8D')")
    assert page.evaluate("document.activeElement.id") == "q"


def test_an_address_of_results_is_a_whole_page(visit: Visit) -> None:
    make_faq("攻撃できますか？")
    page = visit.open("/search/?q=攻撃")
    assert page.locator("#q").input_value() == "攻撃"
    page.locator("#q").fill("攻撃でき")
    until(page, "location.search.includes('%E3%81%8D')")
    page.reload()
    assert page.locator(".hit").count() == 1


def test_a_query_can_be_read_otherwise_and_narrowed(visit: Visit) -> None:
    page = visit.open("/search/?q=805.4a")
    page.get_by_role("link", name="ことばとして読む").click()
    page.wait_for_url("**read=words*")
    page.get_by_role("link", name="おまかせで読む").wait_for()
    page.goto(visit.host + "/search/?q=805.4a")
    assert "2件" in page.locator(".left-out").inner_text()


def test_suggestions_by_keyboard(visit: Visit) -> None:
    card = make_card("青き竜", reading="あおきりゅう")
    make_card("青い鳥")
    page = visit.open("/dm-cr/") if make_section("101.1") else None
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.locator("#q").press_sequentially("青", delay=30)
    page.locator("[role=option]").first.wait_for()
    assert "あおきりゅう" in page.locator("[role=listbox]").inner_text()
    box = page.locator("#q")
    assert box.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    chosen = page.locator(f"#{box.get_attribute('aria-activedescendant')}")
    if "青い鳥" in chosen.inner_text():
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/cards/{card.pk}/")


def test_escape_closes_the_suggestions_and_enter_searches(visit: Visit) -> None:
    make_card("青き竜")
    make_section("101.1")
    page = visit.open("/dm-cr/101.1/")
    page.locator("#q").press_sequentially("青き", delay=30)
    page.locator("[role=option]").first.wait_for()
    page.keyboard.press("Escape")
    assert page.locator("[role=option]").count() == 0
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=*")
    page.goto(visit.host + "/memo/")
    page.locator("#q").focus()
    assert "青き" in page.locator(".suggestions").inner_text(), "recent look-ups are offered"
    page.get_by_role("button", name="履歴を消す").click()
    page.locator("#q").blur()
    page.locator("#q").focus()
    assert page.locator("[role=option]").count() == 0


def test_arrow_keys_turn_the_pages_of_a_book_until_switched_off(visit: Visit) -> None:
    make_section("101.1", sort_key="1")
    make_section("101.2", sort_key="2")
    page = visit.open("/dm-cr/101.1/")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/101.2/")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/101.1/")
    page.goto(visit.host + "/settings/")
    page.get_by_label("「/」で検索").uncheck()
    page.goto(visit.host + "/dm-cr/101.1/")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") != "q"


def cite(rule: Entry, cited: Entry, text: str) -> None:
    revision = Revision.objects.get(entry=rule)
    start = revision.body.index(text)
    CrossReference.objects.create(
        revision=revision,
        place="body",
        kind="rule",
        key=text,
        text=text,
        start=start,
        end=start + len(text),
        entry=cited,
    )


def test_a_cited_rule_is_shown_on_hover_and_focus(visit: Visit) -> None:
    cited = make_section("202.2", body="引用された条項の本文です。", sort_key="2")
    cite(make_section("101.1", body="くわしくは202.2を見ます。", sort_key="1"), cited, "202.2")
    page = visit.open("/dm-cr/101.1/")
    page.locator(".prose a.cite").hover()
    page.locator(".preview").wait_for()
    assert "引用された条項の本文です。" in page.locator(".preview").inner_text()
    assert page.locator(".preview .authority-official").inner_text() == "公式"
    box = page.locator(".preview").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= page.viewport_size["width"]
    page.keyboard.press("Escape")
    assert page.locator(".preview").count() == 0
    page.locator(".prose a.cite").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.locator(".preview").wait_for()


def test_a_long_press_shows_the_cited_rule_without_leaving(chromium: Any, live_server: Any) -> None:
    cited = make_section("202.2", body="引用された条項の本文です。", sort_key="2")
    cite(make_section("101.1", body="くわしくは202.2を見ます。", sort_key="1"), cited, "202.2")
    context = chromium.new_context(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{live_server.url}/dm-cr/101.1/")
    box = page.locator(".prose a.cite").bounding_box()
    session = context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.locator(".preview").wait_for()
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.url.endswith("/dm-cr/101.1/")
    page.locator(".prose a.cite").tap()
    page.wait_for_url("**/202.2/")
    context.close()


def test_the_contents_follow_what_is_read(chromium: Any, live_server: Any) -> None:
    for number in range(1, 6):
        chapter = make_section(str(100 + number), level="chapter", title=f"第{number}章", body="", sort_key=f"{number}")
        make_section(f"{100 + number}.1", body="長い本文。\n" * 40, parent=chapter, sort_key=f"{number}.1")
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{live_server.url}/dm-cr/")
    marked = page.locator(".side-toc a[aria-current]")
    assert "101" in marked.inner_text()
    page.evaluate("document.getElementById('s-104').scrollIntoView({behavior: 'instant'})")
    until(page, "document.querySelector('.side-toc a[aria-current]').textContent.includes('104')")
    assert page.locator(".side-toc").bounding_box()["y"] >= 0, "the contents stay in sight"
    context.close()


def test_a_citation_is_copied_in_one_tap(chromium: Any, live_server: Any) -> None:
    faq = make_faq("使えますか？", "いいえ、使えません。", verdict="no")
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{live_server.url}/faq/{faq.pk}/")
    page.get_by_role("button", name="引用をコピー").click()
    page.locator(".said-shown").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    for part in (
        "総合ルール（公式）",
        "使えますか？",
        "【いいえ】いいえ、使えません。",
        "2025-01-01施行",
        f"/e/{faq.pk}/",
    ):
        assert part in copied
    context.close()


def test_memos_stay_on_the_device_and_leave_as_text(visit: Visit) -> None:
    faq = make_faq("使えますか？", "いいえ、使えません。", verdict="no")
    page = visit.open(f"/faq/{faq.pk}/")
    page.get_by_role("button", name="メモに入れる").click()
    page.goto(visit.host + "/memo/")
    assert "使えますか？" in page.locator(".memo").inner_text()
    page.get_by_label("ひとこと").fill("第3卓で聞かれた")
    page.get_by_label("ひとこと").blur()
    page.reload()
    with page.expect_download() as download:
        page.get_by_role("button", name="テキストで保存").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert "いいえ、使えません。" in text
    assert "第3卓で聞かれた" in text
    page.get_by_role("button", name="消す", exact=True).click()
    assert page.locator(".memo").count() == 0
    assert page.get_by_text("まだ何も入っていません").is_visible()


def test_cards_of_a_combination_are_filled_in_by_keyboard(visit: Visit) -> None:
    cards = [make_card("青き竜"), make_card("赤き竜")]
    page = visit.open("/interactions/")
    for number, name in ((1, "青"), (2, "赤")):
        box = page.locator("input[name=card]").nth(number - 1)
        box.press_sequentially(name, delay=30)
        page.locator("[role=option]").first.wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert box.input_value() == f"{name}き竜"
    page.get_by_role("button", name="裁定を探す").click()
    page.wait_for_url(f"**/interactions/?cards={cards[0].pk},{cards[1].pk}")


def test_theme_and_type_size_are_kept(visit: Visit) -> None:
    page = visit.open("/settings/")
    page.get_by_label("暗い").check()
    page.get_by_label("とても大きい").check()
    page.goto(visit.host + "/")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 24
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    page.goto(visit.host + "/memo/")
    assert page.locator("#q").bounding_box()["width"] > 160, "room for a few letters of the query"

"""Without a network, in a real Chromium: what was kept is found, read and brought up to date."""

import json
import random
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from rulings.models import Change, ChangeCounter, ChangeKind, Entry, Revision
from rulings.text.fold import fold, squeeze
from tests.makers import make_card, make_faq, make_ruleset, make_section
from tests.web.browsers import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLD = """async (texts) => {
  const { fold, squeeze } = await import('/static/js/offline/fold.js');
  return texts.map((text) => [fold(text), squeeze(text)].map(({ text, starts, ends }) => [text, starts, ends]));
}"""


def change(entry: Entry, kind: ChangeKind = ChangeKind.CREATED) -> None:
    with transaction.atomic():
        Change.objects.record([Change(kind=kind, entry=entry)])


@pytest.fixture
def phone(chromium: Any, live_server: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 375, "height": 812}, base_url=live_server.url)
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    yield page
    context.close()


def keep(page: Any, slug: str = "dm-cr") -> None:
    """Open the offline page with the worker in charge, and keep a ruleset."""
    page.goto("/offline/")
    until(page, "!!navigator.serviceWorker.controller")
    page.locator(f"[data-slug={slug}] [data-keep]").click()
    page.get_by_text("入りました").wait_for()


def content() -> dict[str, Entry]:
    cards = [make_card("青き龍のジ・ウォッチ"), make_card("赤き竜")]
    made = {
        "rule": make_section("805.4a", body="ターンの終わりに手札を数えます。", sort_key="0805.0004.a."),
        "faq": make_faq(
            "《青き龍のジ・ウォッチ》は攻撃できますか？", "いいえ、できません。", verdict="no", cards=cards[:1]
        ),
    }
    for entry in made.values():
        change(entry)
    return made


def found(page: Any, query: str) -> list[str]:
    page.locator("#offline-q").fill(query)
    until(page, f"document.getElementById('offline-results').dataset.query === {json.dumps(query)}")
    return page.locator("#offline-results .hit").all_inner_texts()


def test_number_card_and_words_are_found_with_the_network_cut(phone: Any) -> None:
    content()
    keep(phone)
    phone.context.set_offline(True)
    phone.goto("/search/?q=８０５．４ａ")  # the box of any page leads here
    phone.locator("#offline-results .hit").wait_for()
    assert phone.locator("#offline-line").is_visible()
    assert "最後の同期" in phone.locator("#offline-synced").inner_text()
    for query, answer in (
        ("８０５．４ａ", "手札を数えます"),
        ("805-4a", "手札を数えます"),
        ("ジウォッチ", "いいえ、できません。"),
        ("青き竜", "いいえ、できません。"),
        ("こうげき 攻撃", ""),
        ("攻撃 できますか", "いいえ、できません。"),
        ("ターンの終わりの手札", "手札を数えます"),
    ):
        hits = found(phone, query)
        assert any(answer in hit for hit in hits) if answer else not hits, (query, hits)
    assert phone.locator("#offline-results .authority-official").count() == 1
    found(phone, "ジウォッチ")
    assert phone.locator("#offline-results .verdict-no").inner_text() == "いいえ"


def test_a_rule_page_is_read_with_the_network_cut_and_an_unkept_page_says_so(phone: Any) -> None:
    content()
    keep(phone)
    phone.context.set_offline(True)
    phone.goto("/dm-cr/805.4a/")
    phone.locator("#offline-results .hit").wait_for()
    assert "手札を数えます" in phone.locator("#offline-results").inner_text()
    phone.goto("/cards/1/")
    phone.get_by_text("このページの内容が入っていません").wait_for()
    phone.goto("/memo/")
    assert phone.locator("#memo-page").is_visible()


def test_only_what_changed_is_fetched(phone: Any) -> None:
    made = content()
    keep(phone)
    Revision.objects.filter(entry=made["rule"]).update(body="新しい文面です。")
    change(made["rule"], ChangeKind.UPDATED)
    change(make_faq("増えた質問ですか？", "はい、増えました。"))
    change(make_section("1.1", ruleset=make_ruleset("dm-x", name="ほか"), body="ほかの規則集。"))
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.locator("[data-update]").click()
    phone.get_by_text("新しくなった項目： 2件").wait_for()
    assert not [url for url in asked if "/exports/" in url]
    assert len([url for url in asked if "/entries/" in url]) == 3
    phone.context.set_offline(True)
    assert "新しい文面です。" in found(phone, "805.4a")[0]
    assert found(phone, "増えた質問")
    assert not found(phone, "ほかの規則集")


def test_an_interrupted_sync_keeps_what_it_has_and_goes_on(phone: Any) -> None:
    content()
    for number in range(1, 450):
        make_section(f"9.{number}", body="たくさんの条項。", sort_key=f"9{number:04}")
    cut = {"on": True}

    def export(route: Any) -> None:
        body = route.fetch().text()
        route.fulfill(body=body[: len(body) * 3 // 4] if cut["on"] else body, headers={"X-Change-Number": "2"})

    phone.context.route("**/exports/**", export)
    phone.goto("/offline/")
    row = phone.locator("[data-slug=dm-cr]")
    row.locator("[data-keep]").click()
    phone.get_by_text("途中で通信が切れました").wait_for()
    assert "途中まで入っています（200件）" in row.inner_text()
    assert found(phone, "たくさんの条項")
    cut["on"] = False
    row.get_by_role("button", name="続きから入れる").click()
    phone.get_by_text("入りました").wait_for()
    assert "451件" in row.inner_text()


def test_a_full_storage_is_told_and_the_room_given_back(phone: Any) -> None:
    content()
    phone.goto("/offline/")
    phone.evaluate(
        """() => {
          const put = IDBObjectStore.prototype.put;
          IDBObjectStore.prototype.put = function (row) {
            if (this.name === 'entries') throw new DOMException('full', 'QuotaExceededError');
            return put.call(this, row);
          };
        }"""
    )
    row = phone.locator("[data-slug=dm-cr]")
    row.locator("[data-keep]").click()
    phone.get_by_text("この端末の空きが足りません").wait_for()
    assert "入っていません" in row.inner_text()


def test_numbers_of_another_database_lead_to_a_whole_sync(phone: Any) -> None:
    made = content()
    for _time in range(3):
        change(made["rule"], ChangeKind.UPDATED)
    keep(phone)
    ChangeCounter.objects.update(database=uuid.uuid4())
    phone.locator("[data-update]").click()
    phone.get_by_text("新しくなった項目： 1件").wait_for()
    assert "2件" in phone.locator("[data-slug=dm-cr]").inner_text()


def strings() -> list[str]:
    """Strings of every script that names use, and of everything that the fold treats specially."""
    chance = random.Random(20261130)
    special = (
        "ヴァヴェヴ ー-‐―−ｰ~〜・･《》≪≫『』々ヶヵヂヅ龍國゙゚ﾞﾟ゛　 \t\n,.．0１2９aＡzÉßſİıΣςﬁ①㍻㈱ｶﾞﾊﾟが\u200b\u00ad\ufe0f"
    )
    ranges = [(0x20, 0x7E), (0xA1, 0x24F), (0x300, 0x36F), (0x370, 0x4FF), (0x2010, 0x2044), (0x3000, 0x30FF)]
    ranges += [
        (0x3190, 0x33FF),
        (0x4E00, 0x9FFF),
        (0xAC00, 0xD7A3),
        (0xF900, 0xFAD9),
        (0xFE50, 0xFEFC),
        (0xFF01, 0xFFEE),
    ]
    made = [chr(point) for first, last in ranges[:6] for point in range(first, last + 1)]
    for _time in range(4000):
        letters = []
        for _letter in range(chance.randint(1, 24)):
            first, last = chance.choice(ranges)
            letters.append(chance.choice(special) if chance.random() < 0.5 else chr(chance.randint(first, last)))
        made.append("".join(letters))
    return made


def test_the_fold_of_the_browser_is_the_fold_of_the_server(phone: Any) -> None:
    phone.goto("/offline/")
    texts = strings()
    wrong = []
    for text, (folded, squeezed) in zip(texts, phone.evaluate(FOLD, texts), strict=True):
        for mine, theirs in ((fold(text), folded), (squeeze(text), squeezed)):
            if [mine.text, list(mine.starts), list(mine.ends)] != theirs:
                wrong.append((text.encode("unicode_escape").decode(), mine.text, theirs[0]))
    assert not wrong, (len(wrong), wrong[:10])

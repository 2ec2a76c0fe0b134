"""Without a network, in a real Chromium: what was kept is found, read and brought up to date."""

import json
import random
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from rulings.models import CardAlias, Change, ChangeCounter, ChangeKind, Entry, Revision, Synonym
from rulings.text.fold import fold, fold_key, squeeze
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
        ("ぱぴぷぺ 攻撃", ""),  # a word that nobody knows
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


def test_readings_nicknames_and_players_words_find_as_on_the_server(phone: Any) -> None:
    twin = make_card("蒼き鎧／月の歌", faces=["蒼き鎧", "月の歌"], reading_key=fold_key("アオキヨロイ"))
    CardAlias.objects.create(card=twin, text="あおよろ", key=fold_key("あおよろ"))
    Synonym.objects.create(text="殴る", key=fold_key("殴る"), words="攻撃する")
    change(make_faq("《蒼き鎧／月の歌》は動けますか？", "鎧の答え。", cards=[twin]))
    change(make_faq("クリーチャーで攻撃する順は？", "順の答え。"))
    keep(phone)
    phone.context.set_offline(True)
    for query, answer in (
        ("あおきよろい", "鎧の答え"),
        ("ｱｵﾖﾛ", "鎧の答え"),
        ("月の歌", "鎧の答え"),
        ("殴る", "順の答え"),
        ("クリーチャーで殴る", "順の答え"),
        ("クリーチャー 殴る", "順の答え"),
    ):
        hits = found(phone, query)
        assert len(hits) == 1, (query, hits)
        assert answer in hits[0], query
    assert not found(phone, "横殴るい")


def test_new_names_come_with_the_next_sync(phone: Any) -> None:
    card = make_card("青き龍")
    change(make_faq("《青き龍》は？", "答え。", cards=[card]))
    keep(phone)
    assert not found(phone, "ぶるどら")
    CardAlias.objects.create(card=card, text="ブルドラ", key=fold_key("ブルドラ"))
    phone.locator("[data-update]").click()
    phone.get_by_text("新しくなった項目： 0件").wait_for()
    assert len(found(phone, "ぶるどら")) == 1


def test_what_is_kept_follows_by_itself_after_half_a_day(phone: Any) -> None:
    made = content()
    morning = datetime(2026, 12, 5, 9, 0, tzinfo=UTC)
    phone.clock.install(time=morning)
    keep(phone)
    Revision.objects.filter(entry=made["rule"]).update(body="新しい文面です。")
    change(made["rule"], ChangeKind.UPDATED)
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.clock.set_system_time(morning + timedelta(hours=11, minutes=59))
    phone.goto("/memo/")
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert not [url for url in asked if "/changes/" in url], "not yet half a day"
    phone.clock.set_system_time(morning + timedelta(hours=12, minutes=1))
    with phone.expect_response("**/offline/dm-cr.json"):  # the page stayed open; the reader comes back to it
        phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(phone, f"JSON.parse(localStorage.getItem('rulings.synced')) > {int(morning.timestamp()) * 1000 + 43_200_000}")
    phone.context.set_offline(True)
    phone.goto("/offline/")
    assert "新しい文面です。" in found(phone, "805.4a")[0]
    synced = phone.locator("#offline-synced").inner_text()
    assert "2026/12/0" in synced, synced


def test_a_sync_that_fails_by_itself_is_tried_again_and_loses_nothing(phone: Any) -> None:
    content()
    morning = datetime(2026, 12, 5, 9, 0, tzinfo=UTC)
    phone.clock.install(time=morning)
    keep(phone)
    phone.clock.set_system_time(morning + timedelta(hours=13))
    phone.context.route("**/api/v1/changes/**", lambda route: route.abort())
    with phone.expect_event("requestfailed"):
        phone.goto("/memo/")
    phone.context.unroute("**/api/v1/changes/**")
    with phone.expect_response("**/offline/dm-cr.json"):
        phone.goto("/settings/")
    phone.goto("/offline/")
    assert found(phone, "手札を数えます")


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

"""Reading as of a day: the banner, the links that carry the date, what is not known."""

from datetime import date, timedelta

import pytest
from django.http import HttpResponse
from django.utils import timezone

from rulings.models import Revision, Status
from rulings.services.editing import edit_entry, withdraw_entry
from rulings.services.wordings import Wording
from rulings.web.dating import carry, dated
from tests.makers import make_amendment, make_faq, make_section
from tests.web.conftest import Reader

OLD, NEW = date(2025, 1, 1), date(2026, 2, 13)
BETWEEN = date(2025, 6, 1)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/dm-cr/101.1/", "/dm-cr/101.1/?as_of=2025-06-01"),
        ("/search/?q=a&amp", "/search/?q=a&amp&as_of=2025-06-01"),
        ("/dm-cr/101.1/#s-1", "/dm-cr/101.1/?as_of=2025-06-01#s-1"),
        ("/dm-cr/?as_of=2024-01-01", "/dm-cr/?as_of=2024-01-01"),
        ("?page=2", "?page=2&as_of=2025-06-01"),
        ("#main", "#main"),
        ("https://example.com/", "https://example.com/"),
        ("//example.com/", "//example.com/"),
        ("/api/v1/docs/", "/api/v1/docs/"),
        ("/static/site.css", "/static/site.css"),
    ],
)
def test_addresses_as_of_a_day(address: str, expected: str) -> None:
    assert dated(address, BETWEEN) == expected


def test_links_and_search_forms_carry_the_day() -> None:
    page = HttpResponse(
        '<a class="x" href="/dm-cr/?a=1&amp;b=2">A</a><a data-today href="/dm-cr/">B</a>'
        '<form action="/search/" method="get" role="search"><input name="q"></form>'
        '<form method="get"><input type="date" name="as_of"></form>'
    )
    carry(page, BETWEEN)
    assert page.content.decode() == (
        '<a class="x" href="/dm-cr/?a=1&amp;b=2&amp;as_of=2025-06-01">A</a><a data-today href="/dm-cr/">B</a>'
        '<form action="/search/" method="get" role="search"><input type="hidden" name="as_of" value="2025-06-01">'
        '<input name="q"></form><form method="get"><input type="date" name="as_of"></form>'
    )


@pytest.fixture
def changed(db: None) -> None:
    """Rule 101.1 was edited on NEW; 101.2 ended then, replaced by 101.3."""
    make_amendment(effective_on=OLD)
    edited = make_section("101.1", body="古い文。", effective_on=OLD)
    edit_entry(edited, Wording(body="新しい文。", number="101.1"), on=NEW)
    successor = make_section("101.3", body="代わりの文。", effective_on=NEW)
    ended = make_section("101.2", body="消えた文。", effective_on=OLD)
    withdraw_entry(ended, on=NEW, reason="削除されました。", successor=successor)


@pytest.mark.usefixtures("changed")
class TestAPastDay:
    def test_the_text_of_the_day_under_a_banner(self, reader: Reader) -> None:
        text = reader.main("/dm-cr/101.1/", as_of=BETWEEN)
        assert "古い文。" in text
        assert "2025年6月1日の文面を表示しています" in text
        assert "今日の規則ではありません" in text
        today = reader.main("/dm-cr/101.1/")
        assert "新しい文。" in today
        assert "今日の規則ではありません" not in today

    def test_an_ended_rule_reads_normally_before_its_end(self, reader: Reader) -> None:
        before = reader.main("/dm-cr/101.2/", as_of=NEW - timedelta(days=1))
        assert "消えた文。" in before
        assert "に削除されました（この日より後）" in before
        assert "差し替え済み" not in before
        for after in (reader.main("/dm-cr/101.2/", as_of=NEW), reader.main("/dm-cr/101.2/")):
            assert "差し替え済み" in after
            assert "101.3" in after
            assert "消えた文。" in after

    def test_the_table_of_contents_is_that_of_the_day(self, reader: Reader) -> None:
        text = reader.main("/dm-cr/", as_of=BETWEEN)
        assert "消えた文。" in text
        assert "代わりの文。" not in text

    def test_the_day_stays_on_while_reading(self, reader: Reader) -> None:
        page = reader.page("/dm-cr/", as_of=BETWEEN)
        links = [str(link["href"]) for link in page.find_all("a") if str(link["href"]).startswith("/dm-cr/")]
        inside = [link for link in links if "as_of=2025-06-01" in link]
        assert inside
        assert [link for link in links if link not in inside] == []
        back = page.find("a", string="今日の文面に戻る")
        assert back is not None
        assert "as_of" not in str(back["href"])  # type: ignore[index]

    def test_a_search_finds_the_text_of_the_day(self, reader: Reader) -> None:
        text = reader.main("/search/", q="古い文", as_of=BETWEEN)
        assert "古い文" in text
        assert "消えた文。" in reader.main("/search/", q="101.2", as_of=BETWEEN)


@pytest.mark.usefixtures("changed")
def test_before_the_first_known_day(reader: Reader) -> None:
    for address in ("/dm-cr/", "/dm-cr/101.1/"):
        text = reader.main(address, as_of="2020-01-01")
        assert "2025年1月1日より前のものは登録されていません" in text
        assert "新しい文。" not in text


def test_a_question_before_its_answer(reader: Reader) -> None:
    faq = make_faq(effective_on=NEW)
    assert "2026年2月13日より前のものは登録されていません" in reader.main(f"/faq/{faq.pk}/", as_of=BETWEEN)


def test_what_is_announced_stands_on_the_page(reader: Reader) -> None:
    ahead = timezone.localdate() + timedelta(days=30)
    section = make_section("101.1", body="今日の文。")
    edit_entry(section, Wording(body="予告の文。", number="101.1"), on=ahead)
    text = reader.main("/dm-cr/101.1/")
    assert "今日の文。" in text
    assert "からの文面（施行前）" in text
    assert f"{ahead.year}年{ahead.month}月{ahead.day}日" in text
    assert "予告の文。" not in reader.main("/search/", q="予告の文")
    later = reader.main("/dm-cr/101.1/", as_of=ahead)
    assert "予告の文。" in later
    assert "の予定を表示しています" in later


def test_a_rule_that_is_announced(reader: Reader) -> None:
    ahead = timezone.localdate() + timedelta(days=30)
    make_section("101.1")
    coming = make_section("101.2", body="予告の文。", effective_on=ahead, status=Status.ANNOUNCED, status_on=ahead)
    Revision.objects.filter(entry=coming).update(due_on=ahead)
    text = reader.main("/dm-cr/101.2/")
    assert "まだ施行されていません" in text
    assert "予告の文。" in text
    assert "予告の文。" not in reader.main("/dm-cr/")
    assert "予告の文。" in reader.main("/dm-cr/", as_of=ahead)


def test_a_day_that_cannot_be_read(reader: Reader) -> None:
    assert "を読み取れません" in reader.main("/dm-cr/", 400, as_of="きのう")

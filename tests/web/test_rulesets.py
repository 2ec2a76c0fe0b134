"""A ruleset as a book, and what changed in it."""

from datetime import date

import pytest
from django.test import Client
from django.urls import resolve, reverse

from rulings.models import Revision
from rulings.text.slugs import SITE_WORDS
from rulings.web import rulesets
from tests.makers import make_amendment, make_faq, make_ruleset, make_section
from tests.web.conftest import Reader


def make_book() -> None:
    part = make_section("1", level="part", sort_key="1", title="基本", body="")
    chapter = make_section("101", level="chapter", sort_key="1.101", title="法則", body="", parent=part)
    rule = make_section("101.1", sort_key="1.101.1", parent=chapter, title="ルールに勝つ")
    make_section("101.1a", level="subrule", sort_key="1.101.1a", parent=rule, body="細かいこと。")


def test_a_short_book_is_read_on_one_page(reader: Reader) -> None:
    make_book()
    page = reader.page("/dm-cr/")
    assert [tag["id"] for tag in page.select(".book [id]")] == ["s-1", "s-101", "s-101.1", "s-101.1a"]
    assert "細かいこと。" in page.main.text
    assert [tag["href"] for tag in page.select(".toc-inline a")] == ["#s-1", "#s-101"]


def test_a_long_book_shows_its_contents_with_counts(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulesets, "WHOLE", 3)
    make_book()
    page = reader.page("/dm-cr/")
    assert "細かいこと。" not in page.main.text
    assert [tag["href"] for tag in page.select(".contents a")] == ["/dm-cr/1/", "/dm-cr/101/"]
    assert [tag.text.split()[-1] for tag in page.select(".contents .count")] == ["2", "2"]


@pytest.mark.parametrize("whole", [0, 1000])
def test_a_book_costs_the_same_queries_however_long(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: object, whole: int
) -> None:
    monkeypatch.setattr(rulesets, "WHOLE", whole)
    make_book()
    for number in range(2, 40):
        make_section(f"101.{number}", sort_key=f"1.101.{number:04}")
    with django_assert_num_queries(11 if whole else 9):  # type: ignore[operator]
        reader.get("/dm-cr/")


def test_questions_have_a_page_of_their_own(reader: Reader) -> None:
    heading = make_section("qa", level="heading", title="よくある質問", body="")
    make_faq("攻撃できますか？", "いいえ、できません。", verdict="no", parent=heading)
    link = reader.page("/dm-cr/").select_one(".book a.more")
    assert link["href"] == "/dm-cr/faq/"
    text = reader.main("/dm-cr/faq/")
    assert "攻撃できますか？ いいえ いいえ、できません。" in text


def test_a_house_rule_is_unmistakable(reader: Reader) -> None:
    base = make_ruleset()
    house = make_ruleset("dm-house", name="我が家", authority="house", base=base)
    make_section("basics", ruleset=house, level="heading", title="基本")
    for address in ("/dm-house/", "/dm-house/basics/", "/dm-house/faq/"):
        assert "公式の規則ではありません" in reader.main(address), address
    assert "土台： 総合ルール" in reader.main("/dm-house/")
    assert "我が家 ハウスルール" in reader.main("/dm-cr/")


@pytest.mark.parametrize("slug", sorted(SITE_WORDS))
def test_reserved_words_are_no_rulesets(slug: str) -> None:
    with pytest.raises(Exception, match="NoReverseMatch|Reverse"):
        reverse("ruleset", args=[slug])
    assert reverse("ruleset", args=[f"{slug}-rules"]) == f"/{slug}-rules/"


def test_a_ruleset_never_hides_admin_or_api(client: Client, db: None) -> None:
    make_ruleset("api", name="だめ")
    assert client.get("/api/").status_code == 404
    assert resolve("/dm-cr/history/").url_name == "section"


def test_unknown_ruleset(reader: Reader) -> None:
    assert "「nope」という規則集はありません" in reader.main("/nope/", 404)


def test_what_changed_between_two_dates(reader: Reader) -> None:
    amendment = make_amendment(effective_on=date(2026, 2, 13))
    entry = make_section("101.1", body="古い文。", effective_on=date(2025, 1, 1), ended_on=date(2026, 2, 13))
    Revision.objects.create(
        entry=entry,
        number="101.1",
        body="新しい文。",
        event="edited",
        effective_on=date(2026, 2, 13),
        amendment=amendment,
    )
    make_section("101.2", body="加わった文。", effective_on=date(2026, 2, 13))
    make_section("101.3", body="変わらない文。")
    text = reader.main("/dm-cr/diff/", **{"from": "2026-02-12", "to": "2026-02-13"})
    assert "変更101.1古新しい文。" in text.replace(" ", "")
    assert "追加 101.2" in text
    assert "変わらない文" not in text
    assert "変わった条項はありません" in reader.main("/dm-cr/diff/", **{"from": "2025-06-01", "to": "2025-07-01"})
    assert "始まりの日付より前" in reader.main("/dm-cr/diff/", 400, **{"from": "2026-02-13", "to": "2026-02-12"})
    assert "読み取れません" in reader.main("/dm-cr/diff/", 400, **{"from": "きのう"})

"""Fragments shown beside links, and completions under the search box."""

import pytest

from rulings.models import Ruleset
from tests.makers import make_card, make_faq, make_interaction, make_ruleset, make_section
from tests.web.conftest import Reader


def test_every_kind_of_page_has_a_preview(reader: Reader) -> None:
    house = make_ruleset("dm-house", name="我が家", authority="house")
    cards = [make_card("青き竜"), make_card("赤き竜")]
    faq = make_faq("使えますか？", "いいえ。", verdict="no")
    for subject, words in (
        (make_section("101.1", body="条項の本文。"), ("条項の本文。", "公式")),
        (make_section("1.1", ruleset=house, body="我が家の本文。"), ("我が家の本文。", "ハウスルール", "非公式")),
        (faq, ("使えますか？", "いいえ")),
        (make_interaction(cards, ruled_by=faq), ("青き竜", "いいえ。")),
        (cards[0], ("《青き竜》",)),
    ):
        text = reader.get("/preview/", at=subject.get_absolute_url()).content.decode()
        assert "<html" not in text
        assert all(word in text for word in words), (subject, text)


@pytest.mark.parametrize("at", ["", "/", "/dm-cr/", "/dm-cr/9.9/", "/faq/999/", "//evil.example/", "/admin/", "\x00"])
def test_other_addresses_have_none(reader: Reader, at: str) -> None:
    make_section("101.1")
    assert Ruleset.objects.exists()
    assert reader.client.get("/preview/", {"at": at}).status_code in (400, 404)


def test_completions_show_readings_and_only_cards_where_cards_are_asked_for(reader: Reader) -> None:
    make_card("青き竜", reading="あおきりゅう")
    make_section("805.4a", body="本文。")
    options = reader.page("/suggest/", q="青き").select("[role=option]")
    assert "あおきりゅう" in options[0].text
    assert reader.page("/suggest/", q="805").select("[role=option]")
    assert not reader.page("/suggest/", q="805", kind="card").select("[role=option]")
    assert not reader.page("/suggest/", q="").select("[role=option]")

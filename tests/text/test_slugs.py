"""Slugs that people can read and URLs can bear."""

from urllib.parse import quote, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulings.text.numbers import parse_number
from rulings.text.slugs import RESERVED, is_slug, slugify


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("処理の順", "処理の順"),
        ("鬼の時間、迷宮", "鬼の時間-迷宮"),
        ("石 （一人分）", "石-一人分"),
        ("「相手」の範囲", "相手の範囲"),
        ("攻撃・ブロックなど", "攻撃ブロックなど"),
        ("ＦＡＱ＆Ｑ", "faqq"),
        ("a/b?c#d%e~f", "a-b-cde-f"),
        ("305.2", "項目-305-2"),
        ("５００", "項目-500"),
        ("history", "項目-history"),
        ("FAQ", "項目-faq"),
        ("", "項目"),
        ("◆※！", "項目"),
    ],
)
def test_slugs(text: str, slug: str) -> None:
    assert slugify(text) == slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [("処理の順", True), ("項目-faq", True), ("a~2", True)]
    + [(text, False) for text in ("", "a/b", "a?b", "a b", ".", "..", "history", "faq", "<b>")],
)
def test_what_may_be_an_address(text: str, expected: bool) -> None:
    assert is_slug(text) is expected


def test_a_long_slug_ends_where_a_word_does() -> None:
    slug = slugify("場に出ている生き物は次の自分の手番が来るまで動けません")
    assert len(slug) <= 24
    assert slug == "場に出ている生き物は次の自分の手番が来るまで"


@given(st.text())
@settings(max_examples=500)
def test_a_slug_is_never_empty_reserved_or_a_number(text: str) -> None:
    slug = slugify(text)
    assert slug
    assert slug not in RESERVED
    assert parse_number(slug) is None
    assert all(char.isalnum() or char == "-" for char in slug)
    assert unquote(quote(slug)) == slug
    assert len(slug) <= 24 + len("項目-")

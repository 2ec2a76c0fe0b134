import re
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rulings.text import fold as module
from rulings.text.fold import Folded, fold, fold_key, squeeze

japanese = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("アーヴァヴェカ゛゜ﾞﾟｶﾊぁがか\u3099\u309a-−―ｰ〜～・ 　\n龍竜々Ⅱi³①《≪「a1.８\u200b\ufe0fヶ"),
    ),
    max_size=40,
)

EQUAL = [
    ("ザーディクリカ", "ｻﾞｰﾃﾞｨｸﾘｶ"),
    ("ザーディクリカ", "サ\u3099ーテ\u3099ィクリカ"),
    ("ザーディクリカ", "ざーでぃくりか"),
    ("クリーチャー", "クリ-チャ-"),
    ("クリーチャー", "クリ―チャ―"),
    ("クリーチャー", "クリ−チャ−"),
    ("クリーチャー", "ｸﾘｰﾁｬｰ"),
    ("クリーチャー", "クリーーチャー"),
    ("ジ・ウォッチ", "ジウォッチ"),
    ("ジ・ウォッチ", "ジ ウォッチ"),
    ("ヴェロキボアロス", "ベロキボアロス"),
    ("ヴァルボーグ", "バルボーグ"),
    ("《青眼の白龍》", "青眼の白竜"),
    ("≪零龍≫", "『零龍』"),
    ("S・トリガー", "Ｓトリガー"),
    ("天翼 クリティブ-１", "天翼クリティブ－1"),
    ("カツキング ー熱血の物語ー", "カツキングー熱血の物語ー"),
    ("禁断 ～封印されしX～", "禁断〜封印されしＸ〜"),
    ("禁断 ～封印されしX～", "禁断~封印されしx~"),
    ("ドルファⅡ", "ドルファII"),
    ("熱血³", "熱血3"),
    ("鬼ヶ王魔", "鬼ケ王魔"),
    ("沈黙の守護者、シュタイン", "沈黙の守護者シュタイン"),
    ("葛\U000e0100城", "葛城"),
    ("零\u200b龍", "零龍"),
    ("「修羅」の頂 VAN・ベートーベン", "修羅の頂vanベートーベン"),
    ("少しづつ", "少しずつ"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_writings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert fold_key(one) == fold_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("ハハ", "パパ"), ("クリーチャー1体", "クリーチャ1体"), ("805.4a", "8054a"), ("?", "!")]
)
def test_different_words_stay_different(one: str, other: str) -> None:
    assert fold_key(one) != fold_key(other)


def test_fold_keeps_punctuation_and_squeeze_does_not() -> None:
    assert fold("「はい、805.4a。」").text == "「ハイ、805.4a。」"
    assert squeeze("「はい、805.4a。」").text == "ハイ805.4a"
    assert fold("New Era  の 4 枚").text == "new eraノ4枚"


def test_spans_lead_back_to_the_original() -> None:
    text = "それは ﾊﾟﾜｰ 3 の竜"
    folded = squeeze(text)
    at = folded.text.index("パワー3")
    start, end = folded.original_span(at, at + 4)
    assert text[start:end] == "ﾊﾟﾜｰ 3"


@given(japanese)
@example("ア -")
@example("ヴ ァ")
@example("ア‐‐1")
@settings(max_examples=600, deadline=None)
def test_folding_twice_is_folding_once(text: str) -> None:
    for form in (fold, squeeze):
        once = form(text).text
        assert form(once).text == once


@given(japanese)
@settings(max_examples=400, deadline=None)
def test_spans_are_valid_and_in_order(text: str) -> None:
    for form in (fold, squeeze):
        folded = form(text)
        assert len(folded.text) == len(folded.starts) == len(folded.ends)
        assert all(0 <= s < e <= len(text) for s, e in zip(folded.starts, folded.ends, strict=True))
        assert list(folded.starts) == sorted(folded.starts)
        assert list(folded.ends) == sorted(folded.ends)


@given(japanese)
@settings(max_examples=200, deadline=None)
def test_keys_are_stable_and_never_empty_for_a_text(text: str) -> None:
    assert fold_key(fold_key(text)) == fold_key(text)
    assert bool(fold_key(text)) == bool(text)


# -- stretches are folded at once: what comes of it is what each character by itself gives ---------------------------


def _by_character(text: str) -> Folded:
    with patch.object(module, "_STRETCH", re.compile(r"(?!)")):
        return fold(text)


@given(st.lists(st.one_of(japanese, st.sampled_from(["クリーチャー", "国の", "ーー", "竜ー", "々", "ヴ"])), max_size=5))
@settings(max_examples=600, deadline=None)
@example(["が\u3099\u3099", "ウ", "゛"])
def test_a_stretch_is_folded_as_its_characters_are(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert fold(text) == _by_character(text)


def test_every_character_of_a_stretch_is_folded_as_it_is_alone() -> None:
    for code in range(0x20, 0x10000):
        one = f"一{chr(code)}一"
        assert fold(one) == _by_character(one), hex(code)


def test_a_long_text_keeps_its_offsets() -> None:
    text = "長い文、" * 3_000
    assert fold(text) == _by_character(text)

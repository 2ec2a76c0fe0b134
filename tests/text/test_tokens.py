import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.text.tokens import split_words

WORDS = [
    ("", ""),
    ("相手のクリーチャーを破壊する。", "相手|の|クリーチャー|を|破壊|する|。"),
    ("《青眼の白龍》を2枚", "《青眼の白龍》|を|2|枚"),
    ("≪零龍≫と《閉じない", "≪零龍≫|と|《|閉|じ|ない"),
    ("305.2aおよび８０５．４ｂ", "305.2a|および|８０５．４ｂ"),
    ("305.2abc", "305|.|2abc"),
    ("1.123abc", "1|.|123abc"),
    ("S・トリガーとS-MAX進化", "S・トリガー|と|S-MAX|進化"),
    ("・ターン・プレイヤー", "・|ターン・プレイヤー"),
    ("召喚することはできません", "召喚|する|こと|は|できません"),
    ("一行\n\n  二行", "一行|\n|\n|  |二行"),
    ("カ\u3099ード、か\u3099", "カ\u3099ード|、|か\u3099"),
    ("葛\U000e0100城", "葛\U000e0100|城"),
]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_words(text: str, words: str) -> None:
    assert "|".join(split_words(text)) == words


@given(st.text(st.one_of(st.characters(), st.sampled_from("《》≪≫1１.．aカー・かのを龍\n \u3099"))))
def test_nothing_is_lost(text: str) -> None:
    words = split_words(text)
    assert "".join(words) == text
    assert all(words)


@pytest.mark.parametrize(
    "text", ["《" * 20_000, "1." * 20_000, "1" * 50_000, "あ" * 50_000, "ア・" * 20_000, "a-" * 20_000]
)
def test_hostile_texts_are_split_in_no_time(text: str) -> None:
    start = time.process_time()
    assert "".join(split_words(text)) == text
    assert time.process_time() - start < 2

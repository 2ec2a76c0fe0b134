import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulings.text.fold import squeeze
from rulings.text.highlight import LENGTH, excerpt, find_spans

LONG = "はじめの文です。" * 20 + "ここで《ｻﾞｰﾃﾞｨｸﾘｶ》が破壊された。" + "あとの文です。" * 20


@pytest.mark.parametrize(
    ("text", "needle", "marked"),
    [
        ("《龍風混成 ザーディクリカ》を出す", "ザーディクリカ", ["ザーディクリカ"]),
        ("ｻﾞｰﾃﾞｨｸﾘｶを出す", "ザーディクリカ", ["ｻﾞｰﾃﾞｨｸﾘｶ"]),
        ("ジ・ウォッチの能力", "ジウォッチ", ["ジ・ウォッチ"]),
        ("S ・トリガーとＳトリガー", "Sトリガー", ["S ・トリガー", "Ｓトリガー"]),
        ("なにもない", "墓地", []),
    ],
)
def test_marks_what_is_written_another_way(text: str, needle: str, marked: list[str]) -> None:
    spans = find_spans(text, [squeeze(needle).text])
    assert [text[start:end] for start, end in spans] == marked


def test_an_excerpt_holds_the_needle_and_begins_at_a_sentence() -> None:
    cut = excerpt(LONG, [squeeze("ザーディクリカ").text])
    assert len(cut.snippet) <= LENGTH + 1
    assert [cut.snippet[start:end] for start, end in cut.spans] == ["ｻﾞｰﾃﾞｨｸﾘｶ"]
    assert LONG[LONG.index(cut.snippet) - 1] == "。"
    assert cut.snippet.endswith("。")


def test_closing_brackets_stay_with_what_they_close() -> None:
    quoted = "「このクリーチャーは攻撃できない。」のように《青き竜》は破壊される。」』"
    text = "はじめの文です。" * 20 + quoted + "あとの文です。" * 9 + "』終わり。" * 9
    cut = excerpt(text, [squeeze("青き竜").text])
    assert cut.snippet.startswith("のように《青き竜》")
    assert excerpt(text, [squeeze("このクリーチャー").text], 60).snippet[0] not in "」』"
    short = excerpt("あ" * 30 + "（い" + "う" * 20 + "。）』え" + "お" * 60, [], 58)
    assert short.snippet.endswith("。）』")


def test_an_opening_is_where_the_text_begins() -> None:
    cut = excerpt(LONG, [squeeze("ザーディクリカ").text], opening=True)
    assert LONG.startswith(cut.snippet)
    assert cut.spans == []


def test_touching_marks_are_one() -> None:
    assert find_spans("山札墓地", [squeeze("山札").text, squeeze("墓地").text]) == [(0, 4)]


@given(st.text(max_size=300), st.lists(st.text(min_size=1, max_size=5), max_size=4))
@settings(max_examples=200, deadline=None)
def test_excerpts_are_stretches_with_valid_spans(text: str, needles: list[str]) -> None:
    cut = excerpt(text, [squeeze(needle).text for needle in needles])
    assert cut.snippet in text
    last = -1
    for start, end in cut.spans:
        assert last < start < end <= len(cut.snippet)
        last = end

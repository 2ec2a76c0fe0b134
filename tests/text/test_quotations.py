"""Quoted words: which citation they belong to, and whether they are the cited words."""

import pytest

from rulings.text.diffs import Op
from rulings.text.quotations import compare, find_quotations

RULE = "竜は眠っている間、攻撃することができません。ただし起きた竜は攻撃できます。"


@pytest.mark.parametrize(
    "quoted",
    [
        "竜は眠っている間、攻撃することができません",
        "竜は眠っている間,攻撃する ことができません。",
        "竜は眠っている間…ただし起きた竜は攻撃できます",
        "竜は眠っている間、（中略）起きた竜は攻撃できます。",
        "> 竜は眠っている間、\n> 攻撃することができません。",
    ],
)
def test_the_same_words_in_any_writing(quoted: str) -> None:
    assert compare(quoted, ["見出し", RULE]).same


@pytest.mark.parametrize(
    ("quoted", "deleted", "inserted"),
    [
        ("竜は眠っている間、攻撃することができます", "できません", "できます"),
        ("竜は眠っている間、防御することができません", "攻撃", "防御"),
        ("眠っている間、攻撃することができません。ただし飛んだ竜は攻撃できます。", "起きた", "飛んだ"),
    ],
)
def test_a_changed_word_is_caught_and_shown(quoted: str, deleted: str, inserted: str) -> None:
    found = compare(quoted, [RULE])
    assert not found.same
    assert deleted in "".join(piece.text for piece in found.diff if piece.op is Op.DELETE)
    assert inserted in "".join(piece.text for piece in found.diff if piece.op is Op.INSERT)
    kept = "".join(piece.text for piece in found.diff if piece.op is not Op.INSERT)
    assert kept == found.passage.rstrip("。")


def test_parts_in_another_order_are_not_the_same() -> None:
    assert not compare("起きた竜は攻撃できます…竜は眠っている間", [RULE]).same


def test_other_words_have_no_diff() -> None:
    found = compare("プレイヤーは山札を好きなだけ見てよいものとします", [RULE])
    assert (found.same, found.diff) == (False, ())
    assert compare("なにかの言葉がここにある", []).likeness == 0.0
    assert compare("……", [RULE]).same is False


def owners(text: str, *cited: str) -> list[tuple[str, str]]:
    spans = [(text.index(one), text.index(one) + len(one)) for one in cited]
    return [(found.text, cited[found.citation]) for found in find_quotations(text, spans)]


@pytest.mark.parametrize(
    ("text", "cited", "expected"),
    [
        ("101.1「竜は攻撃できない間です」", ["101.1"], [("竜は攻撃できない間です", "101.1")]),
        ("「竜は攻撃できない間です」（101.1）", ["101.1"], [("竜は攻撃できない間です", "101.1")]),
        (
            "101.1「竜は攻撃できない間です」（102.1）",
            ["101.1", "102.1"],
            [("竜は攻撃できない間です", "102.1")],
        ),
        ("101.1 の「竜」", ["101.1"], []),  # a term
        ("101.1\n\n「竜は攻撃できない間です」", ["101.1"], []),  # another paragraph
        ("101.1\n\n> 竜は攻撃できない間です\n", ["101.1"], [("> 竜は攻撃できない間です\n", "101.1")]),
        ("「竜は攻撃できない間です」", [], []),
        ("101.1「竜は「眠り」の間は攻撃しない」", ["101.1"], [("竜は「眠り」の間は攻撃しない", "101.1")]),
        ("101.1「閉じない言葉がここに続く", ["101.1"], []),
        ("101.1 \"竜は攻撃できない間です\"", ["101.1"], [("竜は攻撃できない間です", "101.1")]),
    ],
)  # fmt: skip
def test_whose_words_they_are(text: str, cited: list[str], expected: list[tuple[str, str]]) -> None:
    assert owners(text, *cited) == expected


def test_a_cited_heading_in_quotes_is_no_quotation() -> None:
    text = "「とても長い見出しの名前」の項を参照"
    assert find_quotations(text, [(0, text.index("の項"))]) == []


def test_marks_within_marks() -> None:
    text = "101.1「『竜は強い』と竜は強いと書いてある」"
    (found,) = find_quotations(text, [(0, 5)])
    assert found.text == "『竜は強い』と竜は強いと書いてある"
    assert find_quotations("101.1「「「竜はとても強い竜だ」", [(0, 5)])[0].text == "竜はとても強い竜だ"

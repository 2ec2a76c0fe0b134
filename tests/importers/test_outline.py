"""The outline form, on small outlines in our own words."""

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulings.importers.account import check_account
from rulings.importers.errors import ParseError
from rulings.importers.outline import parse_outline
from rulings.importers.records import Fate, Level, ParsedDocument

OUTLINE = """石と紙
みんなのボードゲーム

Last Update 2019/5/6 文責：ためし

あらまし

● 種類
　二人で石を取り合う。
※言い伝えでは、三人で遊んだともいう。

決まり

用意するもの

● 石 （一人分）

• 石の数： 10 ～ 20個。
• 条件：
  　丸い石であること。
  ※四角い石は使えない。
• 席は次のとおり。

甲　　乙

机

丙　　丁

○ 飾り： 無し。

取り方

○ ふつうの取り

• 手番に一つ取る。
• 取れる数は色による。
  • 白： 一つ。
    • 丸い白： 二つ。
  • 黒： 三つ。
• 例）甲が白を取ると、次は乙の番。

※取り直しはできない。

※ 横取り

• 相手の石を取ること。

品物

○ 一覧

名前	年	数	形
白箱	2011		箱
黒箱	2012	80
（参考）試作品あり

◆ Back ◆
"""


@pytest.fixture
def outline() -> ParsedDocument:
    return parse_outline(OUTLINE)


def _section(doc: ParsedDocument, printed: str):
    return next(section for section in doc.sections if section.printed == printed)


def test_every_line_is_accounted_for(outline: ParsedDocument) -> None:
    assert check_account(OUTLINE, outline) == []
    assert not outline.warnings


def test_title_and_date(outline: ParsedDocument) -> None:
    assert (outline.title, outline.published) == ("石と紙 みんなのボードゲーム", date(2019, 5, 6))
    notes = [account.line for account in outline.account if account.fate is Fate.SOURCE_NOTE]
    assert notes == [1, 2, 4]
    assert [a.line for a in outline.account if a.fate is Fate.NOT_CONTENT] == [OUTLINE.count("\n")]


def test_a_dressed_title_ends_the_front_matter() -> None:
    doc = parse_outline(
        "あそび\n\n【遊戯】石取り【決まり】\n\n石取りとは\n\nはじめに\n\n石を取る。\n\n終わり\n\n• 勝つ\n"
    )
    assert doc.title == "【遊戯】石取り【決まり】"
    assert [(section.printed, section.parent) for section in doc.sections] == [
        ("石取りとは", ""),
        ("はじめに", "石取りとは"),
        ("終わり", "石取りとは"),
        ("勝つ", "終わり"),
    ]


def test_headings_nest(outline: ParsedDocument) -> None:
    parents = {section.title: section.parent for section in outline.sections if section.level is Level.HEADING}
    assert parents == {
        "あらまし": "",
        "種類": "あらまし",
        "決まり": "",
        "用意するもの": "決まり",
        "石 （一人分）": "用意するもの",
        "取り方": "決まり",
        "ふつうの取り": "取り方",
        "横取り": "ふつうの取り",
        "品物": "決まり",
        "一覧": "品物",
    }


@pytest.mark.parametrize(
    ("printed", "title", "body"),
    [
        ("種類", "種類", "二人で石を取り合う。\n※言い伝えでは、三人で遊んだともいう。"),
        ("石の数", "石の数", "石の数： 10 ～ 20個。"),
        ("条件", "条件", "条件：\n丸い石であること。\n※四角い石は使えない。"),
        ("席は次のとおり。", "", "席は次のとおり。\n甲　　乙\n机\n丙　　丁"),
        ("飾り", "飾り", "飾り： 無し。"),
        (
            "取れる数は色による。",
            "",
            "取れる数は色による。\n  • 白： 一つ。\n    • 丸い白： 二つ。\n  • 黒： 三つ。",
        ),
        ("ふつうの取り", "ふつうの取り", "※取り直しはできない。"),
        ("一覧", "一覧", "名前\t年\t数\t形\n白箱\t2011\t\t箱\n黒箱\t2012\t80\n（参考）試作品あり"),
    ],
)
def test_bodies(outline: ParsedDocument, printed: str, title: str, body: str) -> None:
    section = _section(outline, printed)
    assert (section.title, section.body) == (title, body)


def test_an_example_among_the_bullets_belongs_to_the_one_before(outline: ParsedDocument) -> None:
    (example,) = _section(outline, "取れる数は色による。").examples
    assert (example.label, example.text) == ("例", "甲が白を取ると、次は乙の番。")


def test_addresses(outline: ParsedDocument) -> None:
    assert _section(outline, "石の数").number == "石-一人分-石の数"
    assert _section(outline, "手番に一つ取る。").number == "ふつうの取り-手番に一つ取る"


def test_the_same_words_twice_get_two_addresses() -> None:
    doc = parse_outline("題\n\n章\n\n• 同じ\n• 同じ\n")
    assert [section.number for section in doc.sections] == ["章", "章-同じ", "章-同じ-2"]


def test_nothing_to_read() -> None:
    with pytest.raises(ParseError):
        parse_outline(" \n")


_PIECES = [
    "● ",
    "○",
    "• ",
    "  • ",
    "　",
    "※",
    "例）",
    "用語： 値",
    "\t",
    "\n",
    "\n\n",
    "見出し",
    "◆ Back ◆",
    "2020/1/1",
    "甲　　乙",
]
_texts = st.one_of(st.text(), st.lists(st.sampled_from(_PIECES), max_size=60).map("".join))


@given(_texts)
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        doc = parse_outline(text)
    except ParseError:
        return
    assert check_account(text, doc) == []


@pytest.mark.parametrize("piece", ["見出し\n\n", "• あ\n", " • い\n", "○ う\n", "甲　　乙\n", "あ　　", "：", "──"])
def test_reading_takes_linear_time(piece: str) -> None:
    begin = time.process_time()
    parse_outline("題\n\n見出し\n\n" + piece * 20_000)
    assert time.process_time() - begin < 5


def test_deeper_and_deeper_bullets() -> None:
    text = "題\n\n見出し\n\n" + "".join(" " * depth + "• あ\n" for depth in range(300))
    assert check_account(text, parse_outline(text)) == []


def test_numbers_over_bullets_are_headings_and_bare_definitions_are_items() -> None:
    definitions, numbers = "人数：3人\n時間：50分\n", "1. 集まる\n・八人まで\n2. 始める\n・当日\n"
    text = f"題\n\n決まり\n\n{definitions}\n{numbers}\n手順\n\n1. 混ぜる\n2. 配る\n"
    doc = parse_outline(text)
    assert [(section.level, section.printed, section.body) for section in doc.sections] == [
        (Level.HEADING, "決まり", ""),
        (Level.ITEM, "人数", "人数：3人"),
        (Level.ITEM, "時間", "時間：50分"),
        (Level.HEADING, "1. 集まる", ""),
        (Level.ITEM, "八人まで", "八人まで"),
        (Level.HEADING, "2. 始める", ""),
        (Level.ITEM, "当日", "当日"),
        (Level.HEADING, "手順", ""),
        (Level.ITEM, "混ぜる", "1. 混ぜる"),
        (Level.ITEM, "配る", "2. 配る"),
    ]
    assert check_account(text, doc) == []

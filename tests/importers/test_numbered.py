"""Rule books, in small. The texts are made up; what they have in common with real ones is their shape."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.importers.account import check_account
from rulings.importers.errors import ParseError
from rulings.importers.numbered import parse_numbered
from rulings.importers.records import Example, Fate, Level, ParsedDocument, SectionRecord

_PLAIN = """\
# 試験用カードゲーム 規則書


試験用カードゲーム規則書 Ver.2.03
最終更新日 2024 年5 月6 日

もくじ
0.序文
1.盤と駒
 100. 用意するもの
101. 駒の動き
2.対局
200. 通則
201.
 手番

0. 序文

000.この本について
000.1.  この本は試験用カードゲームの決まりをまとめたものです。

1. 盤と駒
100.用意するもの
100.1. 盤は 9 枚のマスからなります。マスの色は赤と青のどちらかであり、どちらの色のマスにも駒を置くことがで
きます。
100.2 駒は二種類です。
例：《赤い 竜》、《青い竜》
例 2：《12 番目の竜》は赤の駒として数え
ます。
101. 駒の動き
101.1. 駒は前に進む
駒は一度の手番に一マスだけ前に進みます。後ろに進むことはできません。横に進むことができる駒も存在します。
101.1a 駒が盤の端にあるときは進めません。これは、101.1. の例外です。
101.1B 端の駒は、次の手番に向きを変えます。（参考
101.1a）
100.2. 駒の色は変わりません。
2. 対局の流れ
200. 通則
201. 手番
201.1.
 手番は交互に行います。
101.3a 手番を飛ばすことはできません。
201.2 c 手番の終わりに盤を見せます。
"""
# A PDF leaves a space at the end of every line.
BOOK = "\n".join(f"{line} " for line in _PLAIN.split("\n"))


@pytest.fixture(scope="module")
def book() -> ParsedDocument:
    return parse_numbered(BOOK)


def section(doc: ParsedDocument, number: str) -> SectionRecord:
    return next(section for section in doc.sections if section.number == number)


def warnings(doc: ParsedDocument) -> list[tuple[str, int]]:
    return [(warning.code, warning.line) for warning in doc.warnings]


def line_of(start: str) -> int:
    return next(number for number, line in enumerate(BOOK.split("\n"), 1) if line.strip().startswith(start))


def test_title_version_and_date(book: ParsedDocument) -> None:
    assert (book.title, book.version) == ("試験用カードゲーム 規則書", "2.03")
    assert str(book.published) == "2024-05-06"
    assert book.is_complete


def test_levels_in_the_order_of_the_numbers(book: ParsedDocument) -> None:
    assert [(entry.number, entry.level) for entry in book.sections] == [
        ("0", Level.PART),
        ("000", Level.CHAPTER),
        ("000.1", Level.RULE),
        ("1", Level.PART),
        ("100", Level.CHAPTER),
        ("100.1", Level.RULE),
        ("100.2", Level.RULE),
        ("101", Level.CHAPTER),
        ("101.1", Level.RULE),
        ("101.1a", Level.SUBRULE),
        ("101.1b", Level.SUBRULE),
        ("100.2~2", Level.RULE),
        ("101.3a", Level.SUBRULE),
        ("2", Level.PART),
        ("200", Level.CHAPTER),
        ("201", Level.CHAPTER),
        ("201.1", Level.RULE),
        ("201.2c", Level.SUBRULE),
    ]


@pytest.mark.parametrize(
    ("number", "parent", "printed"),
    [
        ("1", "", "1."),
        ("100", "1", "100."),
        ("100.2", "100", "100.2"),
        ("101.1a", "101.1", "101.1a"),
        ("101.1b", "101.1", "101.1B"),
        ("100.2~2", "101", "100.2."),
        ("101.3a", "201.1", "101.3a"),
        ("201.2c", "201.2", "201.2 c"),
    ],
)
def test_parents_and_print(book: ParsedDocument, number: str, parent: str, printed: str) -> None:
    assert (section(book, number).parent, section(book, number).printed) == (parent, printed)


def test_texts(book: ParsedDocument) -> None:
    assert section(book, "2").title == "対局の流れ"
    assert section(book, "100.1").body.startswith("盤は9枚のマスからなります。")
    assert section(book, "100.1").body.endswith("置くことができます。")
    assert section(book, "101.1").title == "駒は前に進む"
    assert section(book, "101.1").body.startswith("駒は一度の")
    assert section(book, "101.1b").body.endswith("（参考101.1a）")
    assert section(book, "201.1").body == "手番は交互に行います。"


def test_examples(book: ParsedDocument) -> None:
    assert section(book, "100.2").body == "駒は二種類です。"
    assert section(book, "100.2").examples == [
        Example("例", "《赤い 竜》、《青い竜》"),
        Example("例2", "《12番目の竜》は赤の駒として数えます。"),
    ]


def test_what_an_editor_should_look_at(book: ParsedDocument) -> None:
    assert warnings(book) == [
        ("duplicate_number", line_of("100.2. ")),
        ("heading_differs", line_of("2. 対局の流れ")),
        ("misplaced_number", line_of("101.3a")),
        ("number_jump", line_of("201.2 c")),
    ]


def test_every_line_is_accounted_for(book: ParsedDocument) -> None:
    assert check_account(BOOK, book) == []
    fates = {entry.line: (entry.fate, entry.reason) for entry in book.account}
    assert fates[1][0] is Fate.SOURCE_NOTE
    assert fates[line_of("もくじ")] == fates[line_of("手番")] == (Fate.NOT_CONTENT, "目次")
    assert fates[line_of("2. 対局の流れ")][0] is Fate.HEADING
    assert fates[line_of("例：")][0] is Fate.ENTRY


def test_page_numbers_and_running_heads_are_no_text() -> None:
    pages = [f"10{n}.1. 頁{n}の決まりがここに書かれ\n- {n} -\n規則書\nています。" for n in range(1, 5)]
    text = "規則書\n2024/5/6\n" + "\n".join(pages)
    doc = parse_numbered(text)
    assert doc.sections[0].body == "頁1の決まりがここに書かれています。"
    assert {entry.reason for entry in doc.account if entry.fate is Fate.NOT_CONTENT} == {
        "ページ番号",
        "柱（ページの見出し）",
    }
    assert check_account(text, doc) == []


def test_a_page_may_end_between_headings() -> None:
    pages = [f"{n}. 部\n- {n} -\n{n}00. 章\n{n}00.1. 決まりです。" for n in range(1, 5)]
    doc = parse_numbered("\n".join(pages))
    assert [entry.number for entry in doc.sections if entry.level is Level.PART] == ["1", "2", "3", "4"]


def test_a_document_cut_at_both_ends() -> None:
    text = "て、これは続きです。\n305.2. 駒を置きます。\n305.3. 駒を"
    doc = parse_numbered(text)
    assert [entry.number for entry in doc.sections] == ["305.2", "305.3"]
    assert [entry.parent for entry in doc.sections] == ["305", "305"]
    assert doc.account[0].fate is Fate.UNREAD
    assert "unread_lines" in [warning.code for warning in doc.warnings]


@pytest.mark.parametrize(
    "line",
    [
        "100.2） で決めます。",
        "100.2. の例外です。",
        "100.9により決まります。",
        "700.3 の決まりによります。",
        "1.5 倍になります。",
    ],
)
def test_a_citation_at_the_start_of_a_line_begins_nothing(line: str) -> None:
    doc = parse_numbered(f"100. 章\n100.1. {'駒を動かす決まりは別の条項、' * 4}これは\n{line}")
    assert [entry.number for entry in doc.sections] == ["100", "100.1"]


def test_a_book_whose_chapters_have_one_digit_has_no_parts() -> None:
    doc = parse_numbered(
        "1. 総則\n1.1. 駒を置きます。\n1.2. 駒を動かします。\n1.2a 一マス動かします。\n2. 駒\n2.1. 歩があります。"
    )
    assert [(entry.number, entry.parent) for entry in doc.sections] == [
        *(("1", ""), ("1.1", "1"), ("1.2", "1"), ("1.2a", "1.2"), ("2", ""), ("2.1", "2")),
    ]
    assert [warning.code for warning in doc.warnings] == ["no_date"]


@pytest.mark.parametrize("text", ["", "ただの文です。", "1\n2\n3", "12.", "目次\n100. 章\n101. 章"])
def test_nothing_to_read(text: str) -> None:
    with pytest.raises(ParseError):
        parse_numbered(text)


PIECES = st.sampled_from(
    [
        "100.",
        "1.",
        "2.",
        "100.1.",
        "100.1a ",
        "101.1. ",
        "３００．１",
        "例：",
        "例２：",
        "もくじ",
        "》",
        "《",
        "「",
        "。",
        " ",
        "\n",
        "\n",
        "あ",
        "X",
        "の",
    ]
)


@given(st.lists(PIECES, max_size=60).map("".join) | st.text())
def test_any_text_gives_a_sound_account_or_is_refused(text: str) -> None:
    try:
        doc = parse_numbered(text)
    except ParseError:
        return
    assert check_account(text, doc) == []
    assert sorted(entry.sort_key for entry in doc.sections) == [entry.sort_key for entry in doc.sections]


@pytest.mark.parametrize(
    "text",
    [
        "あ" * 1_000_000,
        "1" * 1_000_000,
        "1." * 500_000,
        "305.1. あ。 " * 80_000,
        "《" * 500_000,
        "例：" * 300_000,
        "305.1." + "\t " * 300_000,
    ],
    ids=["one line", "digits", "numbers", "rules in one line", "brackets", "examples", "spaces"],
)
def test_a_huge_line_takes_seconds_at_most(text: str) -> None:
    start = time.monotonic()
    with suppress(ParseError):
        parse_numbered(text)
    assert time.monotonic() - start < 10

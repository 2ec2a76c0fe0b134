import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.text.rejoin import display_width, rejoin, restore_names, spellings_of, tidy_spaces

FULL = "あ" * 19 + "い"  # a line that fills a column of 40


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("山札は 40 枚です", "山札は40枚です"),
        ("最終更新日 2025 年12 月17 日 ", "最終更新日2025年12月17日"),
        ("NEO 進化と S・トリガー", "NEO進化とS・トリガー"),
        ("S ・トリガー", "S・トリガー"),
        ("できます 。", "できます。"),
        ("ゾーン (手札) から", "ゾーン(手札)から"),
        ("開いて、 もう一方", "開いて、もう一方"),
        ("超 ＧＲゾーン", "超ＧＲゾーン"),
        ("対戦相手は カードを引く", "対戦相手はカードを引く"),
        ("クリーチャー はタップする", "クリーチャーはタップする"),
        ("第一章 総則", "第一章 総則"),
        ("This  is  a card", "This is a card"),
        ("カード New Year Card を", "カードNew Year Cardを"),
        ("《青い龍 テスト》 を 2 枚", "《青い龍 テスト》を2枚"),
        ("《X1 テスト》と《Wave テスト》", "《X1 テスト》と《Wave テスト》"),
        ("《12 番目の扉》", "《12番目の扉》"),
        ("《星 テスト 星 》", "《星 テスト 星》"),
        ("《赤い  龍》", "《赤い 龍》"),
        ("《赤 / 青》", "《赤 / 青》"),
        ("全角　空白", "全角　空白"),
        ("", ""),
    ],
)
def test_spaces(text: str, expected: str) -> None:
    assert tidy_spaces(text) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([FULL, "うえ。"], [FULL + "うえ。"], id="a word broken at the end of the line"),
        pytest.param(["カードは4 ", "枚まで"], ["カードは4枚まで"], id="a digit before its counter"),
        pytest.param(
            ["短い文です。", FULL, "終わり。"], ["短い文です。", FULL + "終わり。"], id="a paragraph that ends early"
        ),
        pytest.param(["あ" * 19 + "。", FULL], ["あ" * 19 + "。" + FULL], id="a sentence that ends at the margin"),
        pytest.param(["見出しの短い行", FULL, "終わり。"], ["見出しの短い行", FULL + "終わり。"], id="a heading"),
        pytest.param(
            ["見出しが文として終わる", FULL], ["見出しが文として終わる", FULL], id="a heading with a predicate"
        ),
        pytest.param(["短い行の", FULL], ["短い行の" + FULL], id="a line that ends in a particle"),
        pytest.param(["短い行", "は、" + FULL], ["短い行は、" + FULL], id="a line that begins with a particle"),
        pytest.param([FULL, "", "うえ。"], [FULL + "うえ。"], id="a page break within a sentence"),
        pytest.param([FULL + "。", "", "うえ。"], [FULL + "。", "うえ。"], id="a blank line after a sentence"),
        pytest.param(
            ["次のカードの例：", "《赤い龍》", "《青い 龍》", "《Red Dragon》"],
            ["次のカードの例：", "《赤い龍》", "《青い 龍》", "《Red Dragon》"],
            id="a list of names",
        ),
        pytest.param([FULL + "「あ。", "い」"], [FULL + "「あ。い」"], id="a sentence end within quotes"),
        pytest.param(["a new", "card"], ["a new card"], id="Latin words"),
        pytest.param(["短い行です。", "※注釈です。"], ["短い行です。", "※注釈です。"], id="a note"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_paragraphs(lines: list[str], expected: list[str]) -> None:
    assert rejoin(lines, width=40) == "\n".join(expected)


def test_a_narrow_column_beside_a_picture() -> None:
    lines = ["あ" * 10, "い" * 10, "う" * 9 + "。", "え" * 10, "お" * 20, "か。"]
    assert rejoin(lines, width=40) == "".join(lines)


def test_the_number_before_the_first_line_counts_for_its_width() -> None:
    lines = ["あ" * 16 + "る", FULL]
    assert rejoin(lines, width=40) == "\n".join(lines)
    assert rejoin(lines, width=40, indent=7) == "".join(lines)


def test_a_name_broken_at_its_space_is_spelled_as_elsewhere() -> None:
    names = spellings_of(["これは《青い龍 テスト》です", "《青い龍"])
    assert rejoin(["二枚目の《青い龍 ", "テスト》を出す"], names=names) == "二枚目の《青い龍 テスト》を出す"
    assert restore_names("《赤い龍テスト》", names) == "《赤い龍テスト》"


@given(st.lists(st.text(alphabet="あア漢aZ1０。、「」《》（） 　・：-", max_size=30), max_size=8))
def test_only_spaces_are_ever_lost(lines: list[str]) -> None:
    joined = rejoin(lines, width=40)
    assert "".join(joined.split()) == "".join("".join(lines).split())


@given(st.lists(st.text(max_size=40), max_size=6))
def test_any_text_is_survived(lines: list[str]) -> None:
    rejoin(lines)


def test_display_width() -> None:
    assert display_width("aあ１") == 5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.importers import ParseError, parse, recognise
from rulings.importers.account import check_account
from rulings.importers.records import Form
from tests.importers.test_amendment import NOTICE
from tests.importers.test_numbered import BOOK

PAGE = """\
遊び方

◆駒を置きます。
◆駒を動かします。
例１：前に進みます。

質問

Ｑ：後ろに進めますか？
Ａ：いいえ、進めません。
（ルール　101.1.）"""
OUTLINE = """\
我が家の決まり

はじめに

家で遊ぶための決まりです。

基本

• 二人で遊ぶ
• 先に着いた方が勝つ
  • 同時なら引き分け"""
RULES = (
    "305. 塔\n305.1. 塔を置きます。\n305.2. 塔は動きません。\n305.2a 塔は壊れません。\n306. 騎\n306.1. 騎は動きます。"
)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        pytest.param(BOOK, Form.NUMBERED, id="book"),
        pytest.param(RULES, Form.NUMBERED, id="some chapters of a book"),
        pytest.param("305.1. 塔を置きます。", Form.NUMBERED, id="one rule"),
        pytest.param(
            RULES.translate({ord(str(n)): chr(0xFF10 + n) for n in range(10)}), Form.NUMBERED, id="full-width"
        ),
        pytest.param(NOTICE, Form.AMENDMENT, id="amendment"),
        pytest.param(NOTICE.split("\n\n", 1)[1], Form.AMENDMENT, id="amendment without its date"),
        pytest.param(NOTICE[-80:], Form.AMENDMENT, id="the end of an amendment"),
        pytest.param("105.1. あ。\n210.3a い。\n107.4. う。", Form.AMENDMENT, id="single rules in no order"),
        pytest.param(PAGE, Form.PAGE, id="page"),
        pytest.param(PAGE[PAGE.index("Ｑ") :], Form.PAGE, id="questions alone"),
        pytest.param(PAGE[: PAGE.index("質問")], Form.PAGE, id="statements alone"),
        pytest.param(OUTLINE, Form.OUTLINE, id="outline"),
        pytest.param(OUTLINE.replace("•", "・ "), Form.OUTLINE, id="outline with other bullets"),
        pytest.param("表\n\n名称\t枚数\n赤\t3\n青\t4", Form.OUTLINE, id="table"),
    ],
)
def test_forms(text: str, form: Form) -> None:
    assert recognise(text) is form
    doc = parse(text)
    assert doc.form is form
    assert check_account(text, doc) == []


@pytest.mark.parametrize("text", ["", " \n ", "ただの文です。", "1\n2\n3", "あ" * 1000])
def test_no_structure(text: str) -> None:
    with pytest.raises(ParseError):
        parse(text)


def test_a_form_may_be_named() -> None:
    assert parse(RULES, Form.AMENDMENT).form is Form.AMENDMENT


@given(
    st.text()
    | st.lists(
        st.sampled_from([*BOOK.split("\n"), *NOTICE.split("\n"), *PAGE.split("\n"), *OUTLINE.split("\n")]), max_size=30
    ).map("\n".join)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        doc = parse(text)
    except ParseError:
        return
    assert check_account(text, doc) == []


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("101.1. " + "歩は前に進みます。".encode("utf-7").decode("ascii"), "UTF-7"),
        ("101.1. A player draws a card.\n101.2. A player attacks.", "日本語でない"),
        ("100.1.\n100.2.\n100.3.\n", "数字だけ"),
        ("101.1. =E6=AD=A9=E3=81=AF", "quoted-printable"),
        ("101.1. \\u6b69\\u306f", "符号"),
        ("101.1. " + "歩は前に".encode().decode("cp1252", "ignore"), "文字化け"),
        ("101.1. ????????", "置き換わった"),
    ],
)
def test_a_text_without_any_japanese_is_refused(text: str, cause: str) -> None:
    for form in (None, *Form):
        with pytest.raises(ParseError, match=cause):
            parse(text, form)

"""The page form, on small pages in our own words."""

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulings.importers import parse
from rulings.importers.account import check_account
from rulings.importers.asking import split_date
from rulings.importers.decoding import decode
from rulings.importers.errors import ParseError
from rulings.importers.page import parse_page
from rulings.importers.records import Fate, Form, Level, ParsedDocument
from rulings.text.verdicts import Verdict

PAGE = """三人戦とは

三人で遊ぶための形式です。

↓対戦の様子はこちら！

遊び方の手引き

心がけること
①ゆっくり遊びましょう
急がなくて構いません。
②声をかけ合いましょう
黙っていると伝わりません。

卓の目安
・やさしい卓
初めての人を歓迎します。
・はげしい卓
勝ちにこだわります。

組み方

◆枚数：50枚（リーダー込み）
◆同じ名前は１枚まで（《たくさんいる兵》を除く)。

※合意があれば変えても構いません。

処理の順

◆だれに効くか
・「相手」と書いてある場合
選ばれた１人に効きます。
例１：《火の槍》は１人だけを焼きます。

ただし、場に残る効果は全員に効きます。
例１：《重い空気》は全員を遅くします。
■や▶で区切られた効果は同じ人に効きます。
例２：《二本の矢》は同じ人に飛びます。

・「全員」と書いてある場合
全員に効きます。

◆待っている効果
番の人から順に片づけます。
例：番の順：A→B→C
Aが《鐘》を鳴らしました。
《鐘》の効果
↓
《こだま》の効果

※《こだま》は、先に場を離れていたら何もしません。

よくある質問

Q：《火の槍》は二人を焼けますか？
A：いいえ、焼けません。
一人だけです。
（ルール　301.2）2023.4.5

Ｑ２．二人が同時に負けたら？
どうなりますか？
Ａ２．はい、引き分けです。


もっと知りたい方はコチラから！
※ボタンを押してください。
"""


@pytest.fixture
def page() -> ParsedDocument:
    return parse_page(PAGE)


def _section(doc: ParsedDocument, title: str):
    return next(section for section in doc.sections if section.title == title)


def test_every_line_is_accounted_for(page: ParsedDocument) -> None:
    assert check_account(PAGE, page) == []
    assert not page.warnings
    assert [account.line for account in page.account if account.fate is Fate.UNREAD] == []


def test_headings_nest_under_a_heading_of_nothing_but_headings(page: ParsedDocument) -> None:
    parents = {section.title: section.parent for section in page.sections if section.level is Level.HEADING}
    assert parents == {
        "三人戦とは": "",
        "遊び方の手引き": "",
        "心がけること": "遊び方の手引き",
        "卓の目安": "遊び方の手引き",
        "組み方": "",
        "処理の順": "",
        "よくある質問": "",
    }
    assert page.title == "三人戦とは"


def test_sort_keys_are_in_the_order_of_the_document(page: ParsedDocument) -> None:
    firsts = [section.lines[0].first for section in page.sections]
    assert firsts == sorted(firsts)
    assert _section(page, "心がけること").sort_key == "0002.0001."
    assert [faq.sort_key for faq in page.faqs] == ["0005.0001.", "0005.0002."]


@pytest.mark.parametrize(
    ("title", "number", "printed", "body"),
    [
        (
            "ゆっくり遊びましょう",
            "心がけること-ゆっくり遊びましょう",
            "①ゆっくり遊びましょう",
            "急がなくて構いません。",
        ),
        ("はげしい卓", "卓の目安-はげしい卓", "はげしい卓", "勝ちにこだわります。"),
        ("枚数", "組み方-枚数", "枚数", "枚数：50枚（リーダー込み）"),
        ("待っている効果", "処理の順-待っている効果", "待っている効果", "番の人から順に片づけます。"),
    ],
)
def test_items(page: ParsedDocument, title: str, number: str, printed: str, body: str) -> None:
    section = _section(page, title)
    assert (section.number, section.printed, section.body) == (number, printed, body)
    assert section.level is Level.ITEM


def test_a_note_set_off_from_the_list_is_the_headings(page: ParsedDocument) -> None:
    assert _section(page, "組み方").body == "※合意があれば変えても構いません。"


def test_text_after_an_example_is_a_section_under_it(page: ParsedDocument) -> None:
    first = _section(page, "「相手」と書いてある場合")
    assert first.parent == _section(page, "だれに効くか").number
    assert [example.text[:5] for example in first.examples] == ["《火の槍》"]
    later = [section for section in page.sections if section.parent == first.number]
    assert [(section.body[:4], [example.label for example in section.examples]) for section in later] == [
        ("ただし、", ["例１"]),
        ("■や▶で", ["例２"]),
    ]


def test_a_worked_example_keeps_its_steps_and_its_note(page: ParsedDocument) -> None:
    (example,) = _section(page, "待っている効果").examples
    assert example.label == "例"
    assert example.text.startswith("番の順：A→B→C\nAが")
    assert "《鐘》の効果\n↓\n《こだま》の効果" in example.text
    assert example.text.endswith("※《こだま》は、先に場を離れていたら何もしません。")


def test_questions_and_answers(page: ParsedDocument) -> None:
    first, second = page.faqs
    assert first.answer == "いいえ、焼けません。\n一人だけです。\n（ルール　301.2）"
    assert (first.verdict, first.published, first.section) == (Verdict.NO, date(2023, 4, 5), "よくある質問")
    assert second.question == "二人が同時に負けたら？\nどうなりますか？"
    assert (second.answer, second.verdict, second.published) == ("はい、引き分けです。", Verdict.YES, None)


def test_invitations_are_no_content(page: ParsedDocument) -> None:
    lines = PAGE.split("\n")
    invited = [lines[a.line - 1] for a in page.account if a.fate is Fate.NOT_CONTENT]
    assert invited == ["↓対戦の様子はこちら！", "もっと知りたい方はコチラから！", "※ボタンを押してください。"]


@pytest.mark.parametrize(
    ("answer", "text", "published"),
    [
        ("できます。2022.9.20", "できます。", date(2022, 9, 20)),
        ("できます。（2022年9月20日）", "できます。", date(2022, 9, 20)),
        ("できます。\n2022/09/20", "できます。", date(2022, 9, 20)),
        ("発売は2022.9.20", "発売は2022.9.20", None),
        ("できます。2022.13.40", "できます。2022.13.40", None),
    ],
)
def test_a_date_behind_the_answer(answer: str, text: str, published: date | None) -> None:
    assert split_date(answer) == (text, published)


def test_a_question_without_an_answer_is_reported() -> None:
    text = "質問\n\nQ：なぜですか？\n\n次の章\n\n◆続きがあります。"
    doc = parse_page(text)
    assert not doc.faqs
    assert [(warning.code, warning.line) for warning in doc.warnings] == [("faq_incomplete", 3)]
    assert check_account(text, doc) == []


def test_slugs_do_not_depend_on_what_else_is_there(page: ParsedDocument) -> None:
    shorter = parse_page(PAGE.replace("◆同じ名前は１枚まで（《たくさんいる兵》を除く)。\n", "").replace("↓", "→"))
    assert {section.number for section in shorter.sections} < {section.number for section in page.sections}


@pytest.mark.parametrize("text", ["", "\n \n　\n"])
def test_nothing_to_read(text: str) -> None:
    with pytest.raises(ParseError):
        parse_page(text)


_PIECES = [
    "◆",
    "・",
    "①",
    "※",
    "例：",
    "Q：",
    "A：",
    "↓",
    "こちら！",
    "2022.9.20",
    "。",
    "\n",
    "\n\n",
    "　",
    "\t",
    "見出し",
    "「",
    "《",
]
_texts = st.one_of(st.text(), st.lists(st.sampled_from(_PIECES), max_size=60).map("".join))


@given(_texts)
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        doc = parse_page(text)
    except ParseError:
        return
    assert check_account(text, doc) == []


@pytest.mark.parametrize("piece", ["！", "◆あ\n", "例：い\n", "Q：う\n\n", "見出し\n\n", "　", "\t|", "《", "・か\n"])
def test_reading_takes_linear_time(piece: str) -> None:
    begin = time.process_time()
    parse_page("見出し\n" + piece * 20_000)
    assert time.process_time() - begin < 5


def test_bare_definitions_and_steps() -> None:
    text = "三人戦\n\n決まり\n\n人数：3人\n時間：50分\n\n◆手順\n①混ぜます。\n②配ります。\n→先手が決まります。\n"
    doc = parse_page(text)
    assert [(section.title, section.body) for section in doc.sections if section.level is Level.ITEM] == [
        ("人数", "人数：3人"),
        ("時間", "時間：50分"),
        ("手順", "①混ぜます。\n②配ります。\n→先手が決まります。"),
    ]
    assert check_account(text, doc) == []


def _asked(*lines: str) -> tuple[list[tuple[str, str]], list[tuple[str, int]], list[int]]:
    """Questions with answers, warnings, unread lines of a page of questions."""
    text = "よくある質問\n\n" + "\n".join(lines)
    doc = parse_page(text)
    assert check_account(text, doc) == []
    unread = [account.line for account in doc.account if account.fate is Fate.UNREAD]
    faqs = [(faq.question, faq.answer) for faq in doc.faqs]
    return faqs, [(warning.code, warning.line) for warning in doc.warnings], unread


def test_the_same_question_twice() -> None:
    same = _asked(
        "Q：出せますか？",
        "A：はい。",
        "",
        "Q：引けますか？",
        "A：いいえ。",
        "",
        "Ｑ：出せますか？",
        "Ａ：はい。2022.9.20",
    )
    assert same == (
        [("出せますか？", "はい。"), ("引けますか？", "いいえ。")],
        [("duplicate_question", 9)],
        [],
    )
    other = _asked("Q：出せますか？", "A：はい。", "", "Q：出せますか？", "A：いいえ。")
    assert other == ([("出せますか？", "はい。"), ("出せますか？", "いいえ。")], [("duplicate_question", 6)], [])


def test_an_answer_without_a_question() -> None:
    found = _asked("A：はい、出せます。", "何度でも。", "", "Q：引けますか？", "A：いいえ。")
    assert found == ([("引けますか？", "いいえ。")], [("answer_without_question", 3)], [3, 4])


def test_a_second_answer_goes_on_with_the_first() -> None:
    found = _asked("Q：引けますか？", "A：いいえ。", "A：番が来れば引けます。")
    assert found == ([("引けますか？", "いいえ。\n番が来れば引けます。")], [("second_answer", 5)], [])


def test_a_letter_is_no_answer() -> None:
    assert _asked("Q：引けますか？", "A：いいえ。", "A が引きます。")[0] == [
        ("引けますか？", "いいえ。\nA が引きます。")
    ]
    faqs, warnings, unread = _asked("席は次のとおりです。", "A：先手", "B：後手", "", "Q：引けますか？", "A：はい。")
    assert (faqs, warnings, unread) == ([("引けますか？", "はい。")], [], [])


@pytest.mark.parametrize("each", ["<p>{}</p>", "{}<br>"])
def test_a_page_saved_as_html_reads_like_its_text(page: ParsedDocument, each: str) -> None:
    heads = {section.title for section in page.sections if section.level is Level.HEADING}
    wrapped = [f"<h2>{line}</h2>" if line in heads else each.format(line) for line in PAGE.split("\n")]
    html = "<html><body>" + "\n".join(wrapped) + "</body></html>"
    again = parse_page(decode(html.encode()).text)
    assert [(one.number, one.title, one.body, one.examples) for one in again.sections] == [
        (one.number, one.title, one.body, one.examples) for one in page.sections
    ]
    assert [(faq.question, faq.answer) for faq in again.faqs] == [(faq.question, faq.answer) for faq in page.faqs]


@pytest.mark.parametrize("form", [Form.PAGE, Form.OUTLINE])
@pytest.mark.parametrize(
    "title", ["準備", "■準備", "1. 準備", "準備をしましょう。", "（準備）", "四十文字を超える長い見出し" * 4, "①準備"]
)
def test_what_html_calls_a_heading_is_one(title: str, form: Form) -> None:
    items = "<p>◆札は二枚です。</p><p>◆手札も二枚です。</p>"
    html = f"<html><h1>遊び方</h1><p>◆盾は一枚です。</p><h2>{title}</h2>{items}</html>"
    decoded = decode(html.encode())
    doc = parse(decoded.text, form, decoded.headings)
    (heading,) = [one for one in doc.sections if one.title == title.lstrip("■")]
    assert heading.level is Level.HEADING
    assert [one.body for one in doc.sections if one.parent == heading.number] == ["札は二枚です。", "手札も二枚です。"]
    assert check_account(decoded.text, doc) == []


@pytest.mark.parametrize("form", [Form.PAGE, Form.OUTLINE])
def test_the_levels_of_html_headings_say_what_stands_under_what(form: Form) -> None:
    parts = "".join(
        f"<h2>{part}の章</h2><p>◆{part}の決まりです。</p><h3>{part}の節</h3><p>◆{part}の細かい決まりです。</p>"
        for part in ("札", "場", "盾")
    )
    decoded = decode(f"<html><h1>遊び方</h1>{parts}</html>".encode())
    doc = parse(decoded.text, form, decoded.headings)
    heads = {one.title: one for one in doc.sections if one.level is Level.HEADING}
    for part in ("札", "場", "盾"):
        assert heads[f"{part}の節"].parent == heads[f"{part}の章"].number
        assert heads[f"{part}の章"].parent == ""
    assert check_account(decoded.text, doc) == []


def test_headings_of_one_level_are_read_as_in_a_text() -> None:
    html = "<html>" + "".join(f"<h2>{part}の章</h2><p>◆{part}の決まりです。</p>" for part in ("札", "場")) + "</html>"
    decoded = decode(html.encode())
    doc = parse(decoded.text, Form.PAGE, decoded.headings)
    assert {one.parent for one in doc.sections if one.level is Level.HEADING} == {""}


def test_titles_keep_their_texts_where_every_line_is_a_paragraph() -> None:
    lines = [
        "遊ぶ前に",
        "①丁寧に遊びましょう",
        "最後まで丁寧に遊びましょう！",
        "②助け合いましょう",
        "みんなで助け合いましょう！",
    ]
    doc = parse(decode("".join(f"<p>{line}</p>" for line in lines).encode()).text, Form.PAGE)
    titled = {one.title: one.body for one in doc.sections if one.body}
    assert titled["丁寧に遊びましょう"] == "最後まで丁寧に遊びましょう！"
    assert titled["助け合いましょう"] == "みんなで助け合いましょう！"

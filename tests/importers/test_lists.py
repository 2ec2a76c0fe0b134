"""Lists of questions and cards, in every form that people keep them in."""

import json
import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulings.games import PROFILES
from rulings.importers.errors import ParseError
from rulings.importers.lists import parse_cards, parse_faqs
from rulings.text.verdicts import Verdict

DM, YGO = PROFILES["dm"], PROFILES["ygo"]

CSV = 'question,answer,date\n"二行の\n質問ですか？",はい、そうです。,2020-01-02\n次は？,いいえ。,\n'


@pytest.mark.parametrize(
    "text",
    [
        '質問,回答,公開日\n"二行の\n質問ですか？","はい、そうです。",2020年1月2日\n',
        'q;a;date\n"二行の\n質問ですか？";はい、そうです。;2020/1/2\n',
        '\ufeffQ\tA\tdate\r\n"二行の\r\n質問ですか？"\tはい、そうです。\t2020.1.2\r\n',
        '[{"question": "二行の\\n質問ですか？", "answer": "はい、そうです。", "published": "2020-01-02"}]',
        '{"count": 1, "results": [{"q": "二行の\\n質問ですか？", "a": "はい、そうです。", "date": "2020-01-02"}]}',
        '{"question": "二行の\\n質問ですか？", "answer": "はい、そうです。", "published": "2020-01-02", "rules": []}\n',
    ],
)
def test_forms_of_lists(text: str) -> None:
    faqs, warnings = parse_faqs(text, {})
    assert warnings == []
    (faq,) = faqs
    assert (faq.question, faq.answer) == ("二行の\n質問ですか？", "はい、そうです。")
    assert (faq.verdict, faq.published, faq.sort_key) == (Verdict.YES, date(2020, 1, 2), "0001.")


def test_lines_of_a_faq() -> None:
    faqs, _ = parse_faqs('question,answer\n"一\n二",三\n四,五\n', {})
    assert [(faq.lines[0].first, faq.lines[0].last) for faq in faqs] == [(2, 3), (4, 4)]
    faqs, _ = parse_faqs('[\n{"q": "あ", "a": "い"},\n{"q": "う",\n "a": "え"}]', {})
    assert [(faq.lines[0].first, faq.lines[0].last) for faq in faqs] == [(2, 2), (3, 4)]


@pytest.mark.parametrize(
    ("cell", "cited"),
    [('["110.1", "305.3"]', ["110.1", "305.3"]), ('"110.1、305.3"', ["110.1", "305.3"]), ("null", [])],
)
def test_cited_rules(cell: str, cited: list[str]) -> None:
    faqs, _ = parse_faqs(f'{{"question": "あ", "answer": "い", "qa_id": 7, "rules_cited": {cell}}}', {})
    assert (faqs[0].rules_cited, faqs[0].official_id) == (cited, "7")


def test_mapping_overrides_the_known_names() -> None:
    faqs, _ = parse_faqs("とい,こたえ,question\n何？,これ。,ちがう\n", {"question": "とい", "answer": "こたえ"})
    assert (faqs[0].question, faqs[0].answer) == ("何？", "これ。")


def test_an_unknown_field_names_the_known_ones() -> None:
    with pytest.raises(ParseError, match=r"verdict.*question、answer、official_id、published、url、rules_cited"):
        parse_faqs(CSV, {"verdict": "x"})


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"q": "あ", "a": "い"}\n{"q": broken\n{"q": "う", "a": "え"}', 2),
        ('{"q": "あ", "a": "い"}\n[1]\n{"q": "う", "a": "え"}', 2),
        ('{"q": "あ", "a": "い"}\n{"a": "え"}\n{"q": "う", "a": "え"}', 2),
        ('{"q": "あ", "a": "い"}\n{"q": ["う"], "a": "え"}\n{"q": "う", "a": "え"}', 2),
        ("q,a\nあ,い\n,え\nう,え\n", 3),
        ("q,a\nあ,い\nう,え,お\nう,え\n", 3),
        ("q,a,date\nあ,い,\nう,え,いつか\n", 3),
    ],
)
def test_bad_rows_are_reported_and_the_others_read(text: str, line: int) -> None:
    faqs, warnings = parse_faqs(text, {})
    assert len(faqs) == 2
    assert [warning.line for warning in warnings] == [line]


@pytest.mark.parametrize(
    "text", ["", "   ", "a,b\n1,2\n", "[]", "[1, 2]", "{", '{"x": 1}', "q,a\n", "q,a\n,\n", "[" * 100_000]
)
def test_nothing_readable(text: str) -> None:
    with pytest.raises(ParseError):
        parse_faqs(text, {})


def test_cards_of_one_face() -> None:
    cards, warnings = parse_cards(
        '{"konami_id": 5, "name_ja": "岩の人", "reading": "いわのひと", "card_type": "Monster", "atk": 9, "def": null}',
        {},
        YGO,
    )
    assert warnings == []
    assert (cards[0].name, cards[0].reading, cards[0].official_id) == ("岩の人", "いわのひと", "5")
    assert cards[0].faces[0].facts == {"card_type": "モンスター", "atk": 9}


def test_cards_in_a_table() -> None:
    cards, _ = parse_cards("カード名,文明,コスト,type,よけい\n試しの竜,火、水,5,EC,x\n", {}, DM)
    assert cards[0].faces[0].facts == {"type": "進化クリーチャー", "civilizations": ["火", "水"], "cost": 5}


def test_twin_cards() -> None:
    rows = '{{"name": "{}", "layout": "T", "sides": [{{"type": "C", "cost": 5}}, {{"type": "S", "cost": 2}}]}}'
    for name in ("表の名 / 裏の名", "表の名/裏の名", "表の名／裏の名"):
        cards, warnings = parse_cards(rows.format(name), {}, DM)
        assert warnings == []
        assert cards[0].name == name
        assert [(face.name, face.facts["type"]) for face in cards[0].faces] == [
            ("表の名", "クリーチャー"),
            ("裏の名", "呪文"),
        ]


def test_a_twin_whose_name_does_not_split_keeps_it() -> None:
    cards, warnings = parse_cards(
        '{"name": "一つの名", "layout": "T", "sides": [{"type": "C"}, {"type": "S"}]}', {}, DM
    )
    assert [face.name for face in cards[0].faces] == ["一つの名", "一つの名"]
    assert [(warning.code, warning.line) for warning in warnings] == [("face_count", 1)]


def test_a_slash_in_a_plain_name_is_part_of_it() -> None:
    cards, _ = parse_cards('{"name": "*/試し/*", "layout": null, "sides": [{"type": "OA"}]}', {}, DM)
    assert [face.name for face in cards[0].faces] == ["*/試し/*"]


@pytest.mark.parametrize(
    ("name", "aliases"),
    [
        ("試竜・ABC（エービーシー）", ["試竜・ABC", "試竜・エービーシー"]),
        ("鉄（テツ）銅（ドウ）の槍", ["鉄銅の槍", "テツドウの槍"]),
        ("花の舞（フラワー・ダンス）", ["花の舞", "フラワー・ダンス"]),
        ("隊長（仮）さん", []),
        ("ふつうの名", []),
    ],
)
def test_readings_in_parentheses(name: str, aliases: list[str]) -> None:
    cards, _ = parse_cards(f'{{"name": "{name}"}}', {}, DM)
    assert (cards[0].name, cards[0].aliases) == (name, aliases)


def test_codes_nobody_knows_stay() -> None:
    cards, _ = parse_cards('{"name": "あ", "sides": [{"type": "XYZ"}]}', {}, DM)
    assert cards[0].faces[0].facts == {"type": "XYZ"}


@pytest.mark.parametrize(
    "row",
    [
        '{"name": ""}',
        '{"name": "い", "sides": 3}',
        '{"name": "い", "sides": [1]}',
        '{"name": ["い"]}',
        '{"name": "い", "type": {}}',
    ],
)
def test_bad_cards(row: str) -> None:
    cards, warnings = parse_cards(f'{{"name": "あ"}}\n{row}', {}, DM)
    assert [card.name for card in cards] == ["あ"]
    assert [warning.line for warning in warnings] == [2]


_PIECES = [
    '{"q":"a","a":"b"}',
    "q,a\n",
    "あ,い\n",
    "[",
    "]",
    "{",
    "}",
    '"',
    ",",
    "\t",
    ";",
    "\n",
    "\r",
    "\0",
    "null",
    "1",
]
_texts = st.one_of(st.text(), st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))


@given(_texts)
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (lambda: parse_faqs(text, {}), lambda: parse_cards(text, {}, DM)):
        try:
            records, _ = read()
        except ParseError:
            continue
        assert records


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "sides", "type", "q", "a", "races"]), inner, max_size=4)
    ),
)


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["name", "q", "a", "sides", "layout", "races", "cost", "date", "id", "aliases"]), _values
        ),
        max_size=3,
    )
)
@settings(max_examples=300, deadline=None)
def test_any_values_are_read_or_reported(rows: list[dict[str, object]]) -> None:
    for read in (lambda: parse_faqs(json.dumps(rows), {}), lambda: parse_cards(json.dumps(rows), {}, DM)):
        try:
            records, warnings = read()
        except ParseError:
            continue
        assert len(records) + len({w.line for w in warnings}) >= 1


def test_long_lists_take_linear_time() -> None:
    begin = time.process_time()
    parse_faqs("[" + '{"q": "あ", "a": "い"},\n' * 50_000 + "]", {})
    parse_faqs("q,a\n" + "あ,い\n" * 50_000, {})
    assert time.process_time() - begin < 8


@pytest.mark.parametrize("url", ["javascript:alert(1)", "example.com", "https://e.jp/" + "a" * 500])
def test_what_is_no_address_of_the_web_is_left_out_and_told(url: str) -> None:
    faqs, warnings = parse_faqs(f"question,answer,url\nあ？,はい,{url}\nい？,はい,https://e.jp/\n", {})
    assert [faq.url for faq in faqs] == ["", "https://e.jp/"]
    assert [(warning.code, warning.line) for warning in warnings] == [("bad_url", 2)]


@pytest.mark.parametrize(
    "row",
    [
        r'{"question": "\ud800", "answer": "い"}',
        r'{"question": "あ", "answer": "\u0000"}',
        r'{"question": "あ", "answer": "い", "rules_cited": ["\udfff"]}',
        '{"question": "あ", "answer": "い", "x": NaN}',
        '{"question": "あ", "answer": "い", "official_id": "' + "1" * 51 + '"}',
    ],
)
def test_what_a_database_cannot_hold_is_a_bad_row(row: str) -> None:
    faqs, warnings = parse_faqs(row + '\n{"question": "\\\\u0000？", "answer": "はい"}\n', {})
    assert [faq.question for faq in faqs] == ["\\u0000？"]
    assert [warning.line for warning in warnings] == [1]


@pytest.mark.parametrize(
    "cells",
    ["《》,,,", "・,,,", "あ" * 201 + ",,,", "火竜," + "あ" * 201 + ",,", "火竜,,1," + "い" * 201, "火竜,,2,T" * 21],
)
def test_a_card_has_a_name_that_can_be_looked_up(cells: str) -> None:
    cards, warnings = parse_cards(f"name,reading,id,aliases\n{cells}\n水竜,,,\n", {}, DM)
    assert [card.name for card in cards] == ["水竜"]
    assert [warning.line for warning in warnings] == [2]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[\n{"q": "あ", "a": "い"},\n{"q": "う", "a": "え"', 3),
        ('[\n{"q": "あ", "a": "い"},\n{"q": "う",\n"a": "え', 4),
        ('[\n{"q": "あ", "a": "い"},\n', 2),
        ('[{"q": "あ", "a": "い"}', 1),
        ('[{"q": "あ", "a": "い"}]\n[{"q": "う", "a": "え"}]', 2),
        ('{"items": [\n{"q": "あ", "a": "い"}', 2),
        ('{\n"items": [\n{"q": "あ", "a": "い"},\n{"q": "う", "a": "え"}\n', 4),
        ('[\n{"q": "あ", "a": "い"},\n{"q": "う", "a": NaN}]', 3),
    ],
)
def test_an_array_that_breaks_off_is_refused_whole(text: str, line: int) -> None:
    with pytest.raises(ParseError, match=f"{line}行目"):
        parse_faqs(text, {})


def test_questions_without_any_japanese_are_refused() -> None:
    with pytest.raises(ParseError, match="日本語でない"):
        parse_faqs("q,a\nMay I attack?,Yes.\n", {})
    assert parse_faqs(r'[{"q": "\u3042", "a": "Yes."}]', {})[0][0].question == "あ"

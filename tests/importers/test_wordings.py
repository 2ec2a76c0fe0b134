"""Lists of dated wordings: rows in, records in the order of their days out."""

import pytest

from rulings.importers.errors import ParseError
from rulings.importers.wordings import parse_wordings

ROW = '{"rule": "100.2a", "date": "2018-08-09", "text": "同名のカードは4枚までです。", "change_note": "追加しました。"}'


def test_json_lines_with_their_own_names() -> None:
    (record,), warnings = parse_wordings(ROW, {})
    assert warnings == []
    section = record.section
    assert (section.number, section.parent, section.level, section.body) == (
        "100.2a",
        "100.2",
        "subrule",
        "同名のカードは4枚までです。",
    )
    assert (record.on.isoformat(), record.note, section.lines[0].first) == ("2018-08-09", "追加しました。", 1)


def test_csv_with_other_columns_and_the_order_of_the_days() -> None:
    text = "条,いつ,文\n２００．３Ｃ,2020年1月2日,新しい文です。\n200.3c,2019/6/18,古い文です。\n"
    records, _warnings = parse_wordings(text, {"number": "条", "date": "いつ", "text": "文"})
    assert [(one.on.year, one.section.number, one.section.body) for one in records] == [
        (2019, "200.3c", "古い文です。"),
        (2020, "200.3c", "新しい文です。"),
    ]


def test_the_end_of_a_rule_needs_no_text() -> None:
    (record,), _warnings = parse_wordings('[{"number": "1.1", "date": "2020-01-01", "event": "削除"}]', {})
    assert record.section.deleted


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"rule": "1.1", "text": "文です。"}', "日付がありません"),
        ('{"rule": "1.1", "text": "文です。", "date": "きのう"}', "日付「きのう」"),
        ('{"rule": "1.1", "date": "2020-01-01"}', "文面がありません"),
        ('{"rule": "？？", "text": "文です。", "date": "2020-01-01"}', "番号「？？」"),
        ('{"text": "文です。", "date": "2020-01-01", "rule": ""}', "番号がありません"),
    ],
)
def test_what_is_wrong_with_a_row_is_told_and_the_others_are_read(row: str, message: str) -> None:
    records, warnings = parse_wordings(f"{ROW}\n{row}", {})
    assert len(records) == 1
    assert [warning.line for warning in warnings] == [2]
    assert message in warnings[0].message


def test_a_day_says_one_thing_of_a_rule() -> None:
    records, warnings = parse_wordings(f"{ROW}\n{ROW.replace('4枚', '2枚')}", {})
    assert [one.section.body for one in records] == ["同名のカードは2枚までです。"]
    assert [warning.code for warning in warnings] == ["duplicate_wording"]


@pytest.mark.parametrize("text", ["", "ただの文です。", "[]", '{"question": "何ですか?", "answer": "はい。"}'])
def test_what_is_no_such_list_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        parse_wordings(text, {})

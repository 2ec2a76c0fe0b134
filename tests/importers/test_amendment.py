"""Announcements of changed rules, in small; the texts are made up."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.importers.account import check_account
from rulings.importers.amendment import is_editorial, parse_amendment
from rulings.importers.errors import ParseError
from rulings.importers.records import Fate, Level, ParsedDocument, SectionRecord

NOTICE = """\
掲載日：2024年5月6日

新しい駒について記載を追加しました。
104.2. 駒には「歩」、「騎」、「塔」があります。

118. 塔の駒
118.1. 塔は盤の中央に置きます。 118.2. 塔は動きません。
118.3. 塔がある間、《「終わり。 118.4. 始まり」》を出せません。
118.4. 塔は 118.1. により置かれます。 118.2. の例外はありません。
例：《赤い塔》は「塔」です。 118.5. 塔は壊れます。
例：≪青い塔≫が壊れた時、盤から除きます。

120.1a 騎の駒は斜めに動く
120.2 騎は二マス動きます。
120.3．騎は跳べます。

歩の駒の書き方を改め、記載を修正しました。これによるルールの変更はございません。
103.1. 歩は前に進みます。
105.4a 歩は横に進みません。

※103.9b追加に伴い、項目削除
107.2. 歩は後ろに進みます。"""


@pytest.fixture(scope="module")
def notice() -> ParsedDocument:
    return parse_amendment(NOTICE)


def section(doc: ParsedDocument, number: str) -> SectionRecord:
    return next(section for section in doc.sections if section.number == number)


def test_numbers(notice: ParsedDocument) -> None:
    assert [entry.number for entry in notice.sections if not entry.deleted] == [
        *("103.1", "104.2", "105.4a", "118", "118.1", "118.2", "118.3", "118.4", "118.5"),
        *("120.1a", "120.2", "120.3"),
    ]
    assert (section(notice, "118").level, section(notice, "118").title) == (Level.CHAPTER, "塔の駒")
    assert notice.warnings == []
    assert not notice.is_complete
    assert notice.published == date(2024, 5, 6)


def test_parents_are_named_by_number(notice: ParsedDocument) -> None:
    parents = {entry.number: entry.parent for entry in notice.sections}
    assert (parents["118"], parents["118.1"], parents["105.4a"], parents["104.2"]) == ("", "118", "105.4", "104")


def test_groups(notice: ParsedDocument) -> None:
    assert [group.is_editorial for group in notice.groups] == [False, True, False]
    assert notice.groups[2].title == "103.9b追加に伴い、項目削除"
    assert [section(notice, number).group for number in ("104.2", "120.3", "103.1", "107.2")] == [0, 0, 1, 2]


def test_a_deletion_names_its_successor_and_keeps_the_last_wording(notice: ParsedDocument) -> None:
    deleted = [entry for entry in notice.sections if entry.deleted]
    assert [(entry.number, entry.successor, entry.body) for entry in deleted] == [
        ("107.2", "103.9b", "歩は後ろに進みます。")
    ]


def test_a_number_in_mid_line_begins_a_rule_only_where_it_comes_next(notice: ParsedDocument) -> None:
    assert section(notice, "118.2").body == "塔は動きません。"
    assert section(notice, "118.3").body == "塔がある間、《「終わり。 118.4. 始まり」》を出せません。"
    assert section(notice, "118.4").body == "塔は118.1.により置かれます。118.2.の例外はありません。"
    assert [example.text for example in section(notice, "118.4").examples] == ["《赤い塔》は「塔」です。"]
    assert [example.text for example in section(notice, "118.5").examples] == ["≪青い塔≫が壊れた時、盤から除きます。"]


def test_every_line_is_accounted_for(notice: ParsedDocument) -> None:
    assert check_account(NOTICE, notice) == []
    assert [entry.keys for entry in notice.account if len(entry.keys) > 1] == [("118.1", "118.2"), ("118.4", "118.5")]
    assert not [entry for entry in notice.account if entry.fate is Fate.UNREAD]


@pytest.mark.parametrize("written", ["2024.5.6", "2024/5/6", "令和6年5月6日", "２０２４年５月６日", "2024-05-06"])
def test_the_date_in_any_usual_writing(written: str) -> None:
    assert parse_amendment(NOTICE.replace("2024年5月6日", written)).published == date(2024, 5, 6)


def test_without_blank_lines_the_same_is_read(notice: ParsedDocument) -> None:
    dense = parse_amendment("\n".join(line for line in NOTICE.split("\n") if line))
    assert [(s.number, s.body, s.group, s.deleted) for s in dense.sections] == [
        (s.number, s.body, s.group, s.deleted) for s in notice.sections
    ]


def test_a_title_a_preface_and_a_closing_note() -> None:
    text = "規則書の改定\n2024/5/6\n\n下記のとおり規則の記載を変更しました。\n\n" + NOTICE.split("\n\n", 1)[1]
    text += "\n\n※大会での適用は後日お知らせします。\n詳しくはこちら"
    doc = parse_amendment(text)
    assert doc.title == "規則書の改定"
    assert len(doc.groups) == 3
    assert [entry.reason for entry in doc.account][-2:] == ["文書の注記", "案内"]
    assert check_account(text, doc) == []


@pytest.mark.parametrize(
    ("note", "successor"),
    [
        ("以下の項目を削除しました。", ""),
        ("105.3に統合したため、下記のルールを廃止しました。", "105.3"),
        ("103.9bの追加に伴い、107.2を削除しました。", "103.9b"),
        ("105.3と105.4の追加に伴い、次の条項を削除しました。", ""),
    ],
)
def test_writings_of_a_deletion(note: str, successor: str) -> None:
    doc = parse_amendment(f"2024/5/6\n\n{note}\n107.2. 歩は後ろに進みます。")
    assert [(entry.deleted, entry.successor) for entry in doc.sections] == [(True, successor)]


def test_a_deletion_without_the_text_of_the_rule_is_reported() -> None:
    text = "2024/5/6\n\n記載を修正しました。\n107.3. 歩は進みます。\n\n※107.2は廃止されました。"
    doc = parse_amendment(text)
    assert [(warning.code, warning.line) for warning in doc.warnings] == [("deletion_without_text", 6)]
    assert doc.sections[0].body == "歩は進みます。"
    assert check_account(text, doc) == []


def test_deleting_words_is_not_deleting_a_rule() -> None:
    doc = parse_amendment(
        "2024/5/6\n\nルールについて一部の記載を追加、削除しました。\n107.2. 歩は進みます。\n107.3. 削除"
    )
    assert [(entry.number, entry.deleted, entry.body) for entry in doc.sections] == [
        ("107.2", False, "歩は進みます。"),
        ("107.3", True, ""),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("これによるルール変更はありません。", True),
        ("ルールの変更はございません。", True),
        ("表記を統一しました。ルールに変更はない。", True),
        ("実際の処理は変わりません。", True),
        ("文言のみの変更です。", True),
        ("ルールへの影響はありません。", True),
        ("ルールを変更しました。", False),
        ("ルールの変更がありますのでご注意ください。", False),
        ("枚数に変更はありませんが、処理を改めました。", False),
        ("変更がないとは限りません。", False),
        ("変更点を追加しました。", False),
    ],
)
def test_what_makes_a_group_editorial(text: str, expected: bool) -> None:
    assert is_editorial(text) is expected


@pytest.mark.parametrize("text", ["", "お知らせです。", "規則を変更しました。\n詳しくはこちら"])
def test_nothing_to_read(text: str) -> None:
    with pytest.raises(ParseError):
        parse_amendment(text)


PIECES = st.sampled_from(
    [
        "記載を追加しました。",
        "※",
        "項目削除",
        "100.1. ",
        "100.2 ",
        "100. ",
        "3.",
        "例：",
        "《",
        "》",
        "。",
        " ",
        "\n",
        "\n",
        "\n\n",
        "あ",
        "2024/5/6",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text())
def test_any_text_gives_a_sound_account_or_is_refused(text: str) -> None:
    try:
        doc = parse_amendment(text)
    except ParseError:
        return
    assert check_account(text, doc) == []
    assert all(entry.group is None or entry.group < len(doc.groups) for entry in doc.sections)


def test_another_document_glued_to_the_notice_is_told() -> None:
    glued = NOTICE + "\n\n三人で遊ぶには\n\n" + "\n".join(f"決まりその{count}です。" for count in range(30))
    (warning,) = [warning for warning in parse_amendment(glued).warnings if warning.code == "long_tail"]
    assert (warning.line, "31行" in warning.message) == (NOTICE.count("\n") + 3, True)
    assert "long_tail" not in {warning.code for warning in parse_amendment(NOTICE).warnings}


@pytest.mark.parametrize(
    "glued",
    [
        "\n\n三人で遊ぶには\n決まりがあります。",
        "\n\n例：歩が下がります。\n\n次の文書の題\n本文です。",
        "\n三人で遊ぶには\n決まりがあります。",
    ],
)
def test_what_stands_behind_a_deleted_rule_is_told(glued: str) -> None:
    text = f"2024/5/6\n\n以下の項目を削除しました。\n107.2. 歩は後ろに\n進みます。{glued}"
    doc = parse_amendment(text)
    (rule,) = doc.sections
    assert (rule.deleted, rule.body) == (True, "歩は後ろに進みます。")
    assert [example.text for example in rule.examples] == ["歩が下がります。"] * ("例" in glued)
    lines = text.split("\n")
    assert [lines[one.line - 1] for one in doc.account if one.fate is Fate.UNREAD] == lines[-2:]
    assert [(warning.code, warning.line) for warning in doc.warnings] == [("unread_lines", len(lines) - 1)]
    assert check_account(text, doc) == []


def test_a_deleted_number_without_a_text_takes_none_from_behind() -> None:
    doc = parse_amendment(
        "2024/5/6\n\n記載を修正しました。\n107.1. 歩は進みます。\n107.3. 削除\n\n別の文書の題\n本文です。"
    )
    assert [(entry.number, entry.deleted, entry.body) for entry in doc.sections] == [
        ("107.1", False, "歩は進みます。"),
        ("107.3", True, ""),
    ]
    assert sum(one.fate is Fate.UNREAD for one in doc.account) == 2

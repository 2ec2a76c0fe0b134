"""Books are written here as lines `key text`, with `title|text` where a section has a title."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.text.books import BookDiff, SectionText, compare_books

LISTS = ("added", "deleted", "edited", "moved", "renumbered", "doubtful")

MODE = """
    814 ハイパーモード|
    814.1 ハイパーモードのカードは、味方をタップして力を解放できます。
    814.1a 解放は次の自分の番が来るまで続きます。
    814.2 前の条項に従います。
    815 特別な城|
    815.1 特別な城は要塞化したシールドを離れません。
    815.2 前の条項に従います。
"""
CELLS = """
    814 キング・セル|
    814.1 キング・セルは単独では使えず、指定された仲間と合体して初めて場に出ます。
    814.1a 合体していない間、種族もコストも参照されません。
    814.2 前の条項に従います。
    815 特別な城|
    815.1 特別な城は要塞化したシールドを離れません。
    815.2 前の条項に従います。
    816 ハイパーモード|
    816.1 ハイパーモードのカードは、味方をタップして力を解放できます。
    816.1a 解放は次の自分の番が来るまで続きます。
    816.2 前の条項に従います。
"""


def book(text: str) -> list[SectionText]:
    sections = []
    for line in filter(None, map(str.strip, text.splitlines())):
        key, _, rest = line.partition(" ")
        title, bar, body = rest.rpartition("|")
        sections.append(SectionText(key, title if bar else "", body))
    return sections


def named(diff: BookDiff) -> dict[str, list[str]]:
    """The keys in each list: `old>new`, with `*` where a moved section is edited too."""
    names = {name: [one.key for one in getattr(diff, name)] for name in ("added", "deleted")}
    for name in ("edited", "moved", "renumbered"):
        pairs = getattr(diff, name)
        names[name] = [f"{p.old.key}>{p.new.key}{'*' * (p.is_edited and name == 'moved')}" for p in pairs]
    names["doubtful"] = [f"{doubt.new.key}?{','.join(c.old.key for c in doubt.candidates)}" for doubt in diff.doubtful]
    return {name: keys for name, keys in names.items() if keys}


CASES: dict[str, tuple[str, str, dict[str, list[str]]]] = {
    "nothing": (MODE, MODE, {}),
    "a number is reused": (
        MODE,
        CELLS,
        {
            "added": ["814", "814.1", "814.1a", "814.2"],
            "moved": ["814>816", "814.1>816.1", "814.1a>816.1a", "814.2>816.2"],
        },
    ),
    "edited": (
        "301.1 カードを1枚引きます。",
        "301.1 カードを2枚まで引きます。",
        {"edited": ["301.1>301.1"]},
    ),
    "a text goes on": (
        "301.1 城は自分のシールドを要塞化できます。",
        "301.1 城は自分のシールドを要塞化できます。シールドが離れた城は墓地に置き、"
        "その後で相手は山札を混ぜて元の場所に戻します。",
        {"edited": ["301.1>301.1"]},
    ),
    "a keyword is not the sentence that explains it": (
        "701.1 進化する|\n701.2 混ぜる|",
        "701.1 超越する|\n701.1a 進化するとは、クリーチャーを別のクリーチャーの上に重ねることです。\n701.2 混ぜる|",
        {"added": ["701.1a"], "edited": ["701.1>701.1"]},
    ),
    "one number, two rules": (
        "301.1 城は自分のシールドを選んで要塞化します。",
        "301.1 フィールドは同じ名前のものが場にあれば入れ替えます。",
        {"added": ["301.1"], "deleted": ["301.1"]},
    ),
    "only width and spaces": ("301.1 コストは0として扱う。", "301.1 コストは ０ として扱う。", {}),
    "a rule is put in front, those behind move up, one is edited too": (
        "301.1 攻撃するクリーチャーを選びます。\n301.2 ブロックするかどうか相手が決めます。\n"
        "301.3 バトルで負けた方を破壊します。",
        "301.1 この章は攻撃の手順を定めます。\n301.2 攻撃するクリーチャーを選びます。\n"
        "301.3 ブロックするかどうか相手が必ず先に決めます。\n301.4 バトルで負けた方を破壊します。",
        {"added": ["301.1"], "moved": ["301.1>301.2", "301.2>301.3*", "301.3>301.4"]},
    ),
    "citations follow a move": (
        "305.2 城は自分のシールドを選んで要塞化します。\n"
        "400.1 詳しくは305.2と305.2aを見てください。\n400.2 305.2に従います。",
        "306.2 城は自分のシールドを選んで要塞化します。\n"
        "400.1 詳しくは３０６．２と306.2aを見てください。\n400.2 307.2に従います。",
        {"moved": ["305.2>306.2"], "renumbered": ["400.1>400.1"], "edited": ["400.2>400.2"]},
    ),
    "a moved rule cites itself": (
        "305.2 城は305.2に従い、自分のシールドを選んで要塞化します。",
        "306.2 城は306.2に従い、自分のシールドを選んで要塞化します。",
        {"moved": ["305.2>306.2"]},
    ),
    "a heading is reworded above its rules": (
        "301 攻撃|\n301.1 攻撃するクリーチャーを選びます。\n301.2 バトルで負けた方を破壊します。",
        "301 戦闘の手順|\n301.1 攻撃するクリーチャーを選びます。\n301.2 バトルで負けた方を破壊します。",
        {"edited": ["301>301"]},
    ),
    "a whole chapter moves, its heading reworded": (
        "301 攻撃|\n301.1 攻撃するクリーチャーを選びます。\n301.2 バトルで負けた方を破壊します。",
        "302 戦闘の手順|\n302.1 攻撃するクリーチャーを選びます。\n302.2 バトルで負けた方を破壊します。",
        {"moved": ["301>302*", "301.1>302.1", "301.2>302.2"]},
    ),
    "a text with the same title is rewritten": (
        "はじめに はじめに|卓の上を片付けましょう。",
        "はじめに はじめに|二人で遊ぶための決まりです。",
        {"edited": ["はじめに>はじめに"]},
    ),
    "a rule ends and one like it begins elsewhere": (
        "117.2 場に残った単独の武器カードは、持ち主の山札の下に送られます。\n118.1 城は要塞化できます。",
        "118.1 城は要塞化できます。\n703.4 場に残った単独の武器カードは捨て札になります。",
        {"doubtful": ["703.4?117.2"]},
    ),
    "two equal texts, one place": (
        "201.1 その後、カードを1枚引きます。\n202.1 その後、カードを1枚引きます。",
        "309.1 その後、カードを1枚引きます。",
        {"doubtful": ["309.1?201.1,202.1"]},
    ),
    "too short to be known by its text": ("301.1 欠番", "309.4 欠番", {"doubtful": ["309.4?301.1"]}),
}


@pytest.mark.parametrize("case", CASES)
def test_books(case: str) -> None:
    old, new, expected = CASES[case]
    assert named(compare_books(book(old), book(new))) == expected


def with_identities(sections: Sequence[SectionText], *identities: int) -> list[SectionText]:
    return [replace(section, identity=number) for section, number in zip(sections, identities, strict=True)]


def test_entries_are_known_by_their_identity() -> None:
    old = with_identities(book("301.1 カードを引きます。\n301.2 山札を混ぜます。"), 1, 2)
    new = with_identities(book("301.1 山札を混ぜます。\n305.1 全く別の決まりになりました。"), 3, 1)
    assert named(compare_books(old, new)) == {"added": ["301.1"], "deleted": ["301.2"], "moved": ["301.1>305.1*"]}


@pytest.mark.parametrize("twice", [with_identities(book("1.1 甲\n1.2 乙"), 5, 5), book("1.1 甲\n1.1 乙")])
def test_a_section_stands_once(twice: list[SectionText]) -> None:
    with pytest.raises(ValueError, match="twice"):
        compare_books(twice, [])


keys = st.sampled_from(["301", "301.1", "301.1a", "301.2", "302", "302.1", "302.1~2", "項目", "項目-札", "項目-札-一"])
bodies = st.lists(st.sampled_from(["カードを引く。", "山札を混ぜる。", "301.1に従う。", "札"]), max_size=3).map("".join)
books = st.dictionaries(keys, st.tuples(st.sampled_from(["", "城", "攻撃"]), bodies)).map(
    lambda texts: [SectionText(key, title, body) for key, (title, body) in texts.items()]
)


@given(books, books)
def test_each_section_has_one_fate(old: list[SectionText], new: list[SectionText]) -> None:
    diff = compare_books(old, new)
    pairs = [*diff.edited, *diff.moved, *diff.renumbered, *diff.unchanged]
    asked = {candidate.old.key for doubt in diff.doubtful for candidate in doubt.candidates}
    olds = [*(pair.old.key for pair in pairs), *(section.key for section in diff.deleted), *asked]
    news = [
        *(pair.new.key for pair in pairs),
        *(s.key for s in diff.added),
        *(doubt.new.key for doubt in diff.doubtful),
    ]
    assert sorted(olds) == sorted(section.key for section in old)
    assert sorted(news) == sorted(section.key for section in new)
    assert all((pair.old.key != pair.new.key) == (pair in diff.moved) for pair in pairs)


@given(books)
def test_a_book_equals_itself(sections: list[SectionText]) -> None:
    assert named(compare_books(sections, sections)) == {}


CHANGES: list[Callable[[str], str]] = [lambda key: key, lambda key: f"9{key}"]


@pytest.mark.parametrize("key_of", CHANGES)
def test_a_book_of_one_repeated_text_is_compared_in_time(key_of: Callable[[str], str]) -> None:
    def repeated(end: str, key_of: Callable[[str], str]) -> list[SectionText]:
        keys = [f"{100 + n // 90}.{n % 90 + 1}" for n in range(3000)]
        return [SectionText(key_of(key), "", f"前の条項{n}に従い、カードを引く{end}。") for n, key in enumerate(keys)]

    diff = compare_books(repeated("", str), repeated("ことができる", key_of))
    assert sum(len(getattr(diff, name)) for name in LISTS) >= 3000

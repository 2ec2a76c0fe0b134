import pytest

from rulings.search import names
from rulings.search.reading import Query, read
from rulings.search.results import SearchRequest
from tests.makers import make_card, make_section


@pytest.fixture(autouse=True)
def content(db: None) -> None:
    for name in (
        "デーモン・ハンド",
        "勝熱英雄 モモキング",
        "ロールモデルタイガー",
        "零龍",
        "闇",
        "パートナー・ピポット",
    ):
        make_card(name)
    make_section("101.1", body="パートナーは攻撃できる。《零龍》を破壊する。手札を捨てる。闇の文明。")


def asked(q: str, **filters: str) -> Query:
    return read(SearchRequest(q=q, **filters), names.table())


@pytest.mark.parametrize(
    ("q", "number", "ruleset"),
    [
        ("805.4a", "805.4a", ""),
        ("８０５．４ａ", "805.4a", ""),
        ("805-4a", "805.4a", ""),
        ("805.4A", "805.4a", ""),
        ("805.4a.", "805.4a", ""),
        ("ルール 305.2.", "305.2", ""),
        ("「ルール　305.2.」", "305.2", ""),
        ("（ルール　300.1c）", "300.1c", ""),
        ("総合ルール805.4a", "805.4a", "dm-cr"),
        ("総合ルール 101.4", "101.4", "dm-cr"),
        ("総合ルールの101.4とは", "101.4", "dm-cr"),
        ("デュエパ400.3", "400.3", "dm-party"),
        ("デュエパーティールール 400.3.", "400.3", "dm-party"),
        ("609", "609", ""),
        ("第104章", "104", ""),
        ("701.23 b", "701.23b", ""),
    ],
)
def test_numbers_are_read_in_any_writing(q: str, number: str, ruleset: str) -> None:
    query = asked(q)
    assert (query.reading.kind, query.reading.number, query.reading.ruleset) == ("number", number, ruleset)


@pytest.mark.parametrize(
    ("q", "number"),
    [
        ("7", "7"),
        ("ルール７", "7"),
        ("7とは", "7"),
        ("311.2~2", "311.2~2"),
        ("「ルール 311.2～2.」", "311.2~2"),
        ("311.2～5", "311.2"),  # a range
        ("311.2～312.4", "311.2"),
    ],
)
def test_numbers_that_only_some_books_have(q: str, number: str) -> None:
    make_section("7")
    make_section("311.2~2")
    query = asked(q)
    assert (query.reading.kind, query.reading.number) == ("number", number)


@pytest.mark.parametrize("q", ["7", "カード7", "7枚", "コスト7"])
def test_a_short_figure_is_a_number_only_where_a_section_has_it(q: str) -> None:
    make_section("8")
    assert asked(q).reading.kind != "number"


@pytest.mark.parametrize(
    "q", ["7000以上", "レベル7のリリース数", "パワー3000の破壊", "4枚まで", "コスト5", "60枚 デッキ"]
)
def test_other_figures_are_no_rule_numbers(q: str) -> None:
    assert asked(q).reading.kind == "words"


@pytest.mark.parametrize(
    ("q", "kind", "text"),
    [
        ("《零龍》", "card", "カード《零龍》"),
        ("≪零龍≫ ", "card", "カード《零龍》"),
        ("デーモンハンド", "card", "カード《デーモン・ハンド》"),
        ("モモキング", "card", "カード《勝熱英雄 モモキング》"),
        ("《零龍》《デーモン・ハンド》", "cards", "2枚のカードの相互作用"),
        ("零龍 デーモンハンド", "cards", "2枚のカードの相互作用"),
        ("手札を捨てる", "words", "ことば"),
        ("", "empty", "検索語がありません"),
        ("？？", "empty", "検索語がありません"),
        ("　", "empty", "検索語がありません"),
    ],
)
def test_names_are_told_from_words(q: str, kind: str, text: str) -> None:
    assert (asked(q).reading.kind, asked(q).reading.text) == (kind, text)


@pytest.mark.parametrize(
    ("q", "name"),
    [
        ("モモキング パートナー", "モモキング"),
        ("ロールモデルタイガー 攻撃先", "ロールモデルタイガー"),
        ("デーモンハンドで選ばない", "デーモンハンド"),
        ("《零龍》は離れる？", "《零龍》"),
    ],
)
def test_names_inside_a_question_are_seen_and_the_rules_words_are_not_names(q: str, name: str) -> None:
    query = asked(q)
    assert [query.text[mention.start : mention.end] for mention in query.mentions] == [name]


@pytest.mark.parametrize(
    ("q", "game", "text"),
    [
        ("エクストラデッキ デュエマ", "dm", "エクストラデッキ"),
        ("デュエマの先攻", "dm", "先攻"),
        ("遊戯王 手札 上限", "ygo", "手札 上限"),
        ("デュエマ", None, "デュエマ"),
        ("デュエパ 何枚", "dm", "デュエパ 何枚"),
        ("ゼアル 手札", "ygo", "ゼアル 手札"),
    ],
)
def test_the_name_of_a_game_filters(q: str, game: str | None, text: str) -> None:
    assert (asked(q).game, asked(q).text) == (game, text)


def test_what_is_too_long_is_cut_and_said() -> None:
    query = asked("山札" * 5_000)
    assert len(query.text) == 100
    assert [warning.code for warning in query.warnings] == ["query_cut"]


def test_beside_a_number_the_words_of_the_rules_are_known_too(content: None) -> None:
    make_section("700.1", body="サイキックについて。")
    query = read(SearchRequest(q="101.1 サイキック"), names.table())
    assert query.reading.kind == "number"
    assert query.is_vocabulary("サイキック")

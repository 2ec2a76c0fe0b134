import pytest

from rulings.models import CardAlias
from rulings.search import name_table, names
from rulings.search.matching import leaves_out, match, pieces_of
from rulings.text.fold import fold_key
from tests.makers import make_card, make_faq, make_game, make_section

NAMES = [
    "ボルメテウス・ホワイト・ドラゴン",
    "ボルメテウス・ホワイト・ドラゴン GS",
    "ネオ・ボルメテウス・ホワイト・ドラゴン",
    "ボルメテウス・サファイア・ドラゴン",
    "ボルメテウス・モモキング",
    "デーモン・ハンド",
    "スーパー・デーモン・ハンド",
    "スパイラル・ゲート",
    "異端流し オニカマス",
    "光牙忍ハヤブサマル",
    "鬼ヶ王魔 エンド・ジャオウガ",
    "巨大設計図",
    "ボルシャック・NEX（ネックス）",
    "「修羅」の頂 VAN・ベートーベン",
    "零龍",
    "夢幻なる零龍",
    "闇",
]


@pytest.fixture(autouse=True)
def cards(db: None) -> None:
    for name in NAMES:
        make_card(name)
    make_card("超七極 Gio / 巨大設計図", faces=["超七極 Gio", "巨大設計図"], layout="T")
    blue = {"reading": "ブルーアイズ・ホワイト・ドラゴン", "game": make_game("ygo", "遊戯王OCG")}
    make_card("青眼の白龍", reading_key=fold_key(blue["reading"]), **blue)


def best(query: str, game: str | None = None) -> list[str]:
    from rulings.models import Card

    found = match(fold_key(query), names.table(), game)
    by_id = Card.objects.in_bulk([one.card for one in found])
    return [by_id[one.card].name for one in found]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("巨大設計図", "巨大設計図"),
        ("零龍", "零龍"),
        ("零竜", "零龍"),
        ("闇", "闇"),
        ("オニカマス", "異端流し オニカマス"),
        ("おにかます", "異端流し オニカマス"),
        ("ｵﾆｶﾏｽ", "異端流し オニカマス"),
        ("ハヤブサマル", "光牙忍ハヤブサマル"),
        ("エンドジャオウガ", "鬼ヶ王魔 エンド・ジャオウガ"),
        ("VANベートーベン", "「修羅」の頂 VAN・ベートーベン"),
        ("ボルシャックNEX", "ボルシャック・NEX（ネックス）"),
        ("ボルシャック・ネックス", "ボルシャック・NEX（ネックス）"),
        ("ブルーアイズ", "青眼の白龍"),
        ("ボルサファ", "ボルメテウス・サファイア・ドラゴン"),
        ("デモハン", "デーモン・ハンド"),
        ("スパイラルゲイト", "スパイラル・ゲート"),
        ("ひかりきば", "光牙忍ハヤブサマル"),
        ("異端流オニカマス", "異端流し オニカマス"),
        ("鬼ヶ王魔ジャオウガ", "鬼ヶ王魔 エンド・ジャオウガ"),
        ("スパイラゲルート", "スパイラル・ゲート"),
        ("ボルメテウスサファイヤドラゴン", "ボルメテウス・サファイア・ドラゴン"),
        ("異端流しオニガマス", "異端流し オニカマス"),
        ("光牙忍ハヤサマル", "光牙忍ハヤブサマル"),
        ("きょだいせっけいず", "巨大設計図"),
        ("Gio", "超七極 Gio / 巨大設計図"),
    ],
)
def test_a_name_is_known_however_it_is_said(query: str, name: str) -> None:
    assert best(query)[0] == name


def test_an_exact_name_stands_before_a_face_and_a_part() -> None:
    assert best("巨大設計図")[:2] == ["巨大設計図", "超七極 Gio / 巨大設計図"]
    assert best("デーモンハンド") == ["デーモン・ハンド", "スーパー・デーモン・ハンド"]


def test_the_name_that_others_are_made_from_comes_first() -> None:
    assert best("ボルメテウス")[0] == "ボルメテウス・ホワイト・ドラゴン"


def test_a_nickname_that_an_editor_entered_is_exact() -> None:
    from rulings.models import Card

    card = Card.objects.get(name="デーモン・ハンド")
    CardAlias.objects.create(card=card, text="悪魔の手", key=fold_key("悪魔の手"))
    make_faq(cards=[card])
    names.forget()
    assert best("悪魔の手") == ["デーモン・ハンド"]


def test_a_game_can_be_asked_for() -> None:
    assert best("ブルーアイズ", "dm") == []


def test_new_cards_are_seen() -> None:
    assert best("新顔の魔神") == []
    make_card("新顔の魔神ヌーボー")
    assert best("新顔の魔神") == ["新顔の魔神ヌーボー"]


@pytest.mark.parametrize(
    ("key", "parts", "pieces"),
    [
        ("ボルサファ", ("ボルメテウス", "サファイア", "ドラゴン"), 2),
        ("デモハン", ("デモン", "ハンド"), 2),
        ("ボルドラ", ("ボルメテウス", "サファイア", "ドラゴン"), 2),
        ("サファボル", ("ボルメテウス", "サファイア"), 0),
        ("ボルメ", ("ボルメテウス", "サファイア"), 1),
        ("ナイ", ("ボルメテウス",), 0),
    ],
)
def test_nicknames_are_openings_of_parts_in_order(key: str, parts: tuple[str, ...], pieces: int) -> None:
    assert pieces_of(key, parts) == pieces


@pytest.mark.parametrize(
    ("key", "parts", "left"),
    [
        ("鉄ノ騎士フリド", ("鉄", "ノ", "騎士", "ギア", "フリド"), True),
        ("王舞台", ("王", "ノ", "舞台"), True),
        ("騎士フリド", ("鉄", "ノ", "騎士", "ギア", "フリド"), False),  # the first part says which
        ("鉄ノ騎士フリ", ("鉄", "ノ", "騎士", "ギア", "フリド"), False),
        ("フリド騎士", ("騎士", "フリド"), False),
        ("騎士", (), False),
    ],
)
def test_parts_may_be_left_out(key: str, parts: tuple[str, ...], left: bool) -> None:
    assert leaves_out(key, parts) is left


def test_a_slip_in_a_name_with_spaces_is_forgiven_and_a_sentence_is_no_slip() -> None:
    from rulings.search.reading import read
    from rulings.search.results import SearchRequest

    assert read(SearchRequest(q="鬼ヶ王魔 エンド・ジャオウカ"), names.table()).reading.kind == "card"
    assert read(SearchRequest(q="デーモンがハンドした"), names.table()).reading.kind == "words"


@pytest.mark.parametrize(
    ("raw", "bounds"),
    [
        ("聖なるバリア －ミラーフォース－", {0, 1, 3, 6, 7, 14}),
        ("蒼き団長 ドギラゴン剣", {0, 1, 2, 4, 9, 10}),
    ],
)
def test_where_the_parts_of_a_name_begin_and_end(raw: str, bounds: set[int]) -> None:
    assert set(name_table.starts_of_parts(raw)) == bounds


def test_a_part_that_many_cards_have_means_the_oldest_of_them_by_number() -> None:
    game = make_game("ygo", "遊戯王OCG")
    for number, name in ((5012, "召喚神ガルドス"), (14385, "真ガルドス"), (4027, "封印されしガルドス")):
        make_card(name, game=game, official_id=str(number))
    assert best("ガルドス")[0] == "封印されしガルドス"
    assert best("真ガルドス")[0] == "真ガルドス"


def test_a_piece_of_a_longer_word_is_no_word_of_the_rules() -> None:
    make_section("101.1", body="商品は青眼龍轟臨と、墓地の話。")
    table = names.table()
    assert not table.is_vocabulary(fold_key("青眼"))
    assert table.is_vocabulary(fold_key("青眼龍轟臨"))
    assert table.is_vocabulary(fold_key("墓地"))

"""In what situation a ruling speaks: by what is asked, by the text, by the headings of the rules it cites."""

import pytest

from rulings.games import PROFILES, profile_of
from rulings.games.situations import Situation, ruling_texts, situation_of

BRACKETS = ("《》",)


def spoken(game: str, title: str, body: str = "", headings: tuple[str, ...] = ()) -> str:
    profile = profile_of(game)
    found = situation_of(ruling_texts(title, body, headings, profile.card_brackets), profile.situations)
    return found.slug if found else ""


@pytest.mark.parametrize(
    ("game", "title", "body", "headings", "situation"),
    [
        ("dm", "出たターンに相手を攻撃できますか？", "はい、できます。", (), "attack"),
        ("dm", "攻撃されました。このクリーチャーでブロックできますか？", "", (), "block"),
        ("dm", "タップしてあるクリーチャーを墓地に置けますか？", "破壊はされません。", (), "leaving"),
        ("dm", "《攻撃王 ブロック》を召喚できますか？", "", (), "summoning"),
        ("dm", "どうなりますか？", "", ("シールドゾーン", "ゾーン"), "shield"),
        ("dm", "この呪文を唱えられますか？", "", (), "summoning"),
        ("dm", "バトルゾーンにあります。この効果はどう処理しますか？", "", (), "resolving"),
        ("dm", "バトルには勝ちますか？", "", (), "battle"),
        ("dm", "コストはいくつ支払いますか？", "マナゾーンのカードをタップします。", (), "cost"),
        ("dm", "こんにちは。", "", (), ""),
        ("ygo", "モンスターを特殊召喚できますか？", "", (), "summoning"),
        ("ygo", "エクシーズ素材はどこへ行きますか？", "墓地へ送ります。", (), "extra"),
        ("ygo", "チェーンして発動できますか？", "", (), "chain"),
        ("none", "攻撃できますか？", "", (), ""),
    ],
)
def test_what_a_ruling_speaks_of(game: str, title: str, body: str, headings: tuple[str, ...], situation: str) -> None:
    assert spoken(game, title, body, headings) == situation


def test_of_equally_strong_situations_the_earlier_one() -> None:
    first, second = Situation("a", "甲", ("甲",)), Situation("b", "乙", ("乙",))
    assert situation_of([("乙甲", 1.0)], [first, second]) is first
    assert situation_of([("乙甲", 1.0)], [second, first]) is second
    assert situation_of([], []) is None


def test_a_word_repeated_says_no_more() -> None:
    often, asked = Situation("a", "甲", ("甲",)), Situation("b", "乙", ("乙",))
    assert situation_of(ruling_texts("乙乙？", "甲" * 50, (), BRACKETS), [often, asked]) is asked


@pytest.mark.parametrize("game", PROFILES)
def test_situations_have_names_of_their_own(game: str) -> None:
    situations = PROFILES[game].situations
    assert len({each.slug for each in situations}) == len({each.label for each in situations}) == len(situations) > 5

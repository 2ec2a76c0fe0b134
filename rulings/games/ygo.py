"""遊戯王 OCG."""

from rulings.games.base import GameProfile
from rulings.games.situations_ygo import SITUATIONS

# Codes in published lists.
_CARD_TYPES = {"Monster": "モンスター", "Spell": "魔法", "Trap": "罠"}
_ATTRIBUTES = {
    "DARK": "闇",
    "LIGHT": "光",
    "EARTH": "地",
    "WATER": "水",
    "FIRE": "炎",
    "WIND": "風",
    "DIVINE": "神",
}

PROFILE = GameProfile(
    slug="ygo",
    name="遊戯王OCG",
    ruleset_names={"ゼアル": "ygo-zexal"},
    possible_card_brackets=("「」", "『』"),
    card_facts={
        "card_type": "種類",
        "attribute": "属性",
        "level": "レベル",
        "atk": "攻撃力",
        "def": "守備力",
    },
    fact_codes={"card_type": _CARD_TYPES, "attribute": _ATTRIBUTES},
    example_queries=("生け贄召喚", "エクシーズ素材は墓地に送られる？"),
    query_names=("遊戯王OCG", "遊戯王ocg", "遊戯王", "遊☆戯☆王", "OCG", "yugioh", "yu-gi-oh"),
    situations=SITUATIONS,
)

"""遊戯王 OCG."""

from rulings.games.base import GameProfile

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
    example_queries=("生け贄召喚", "エクシーズ素材は墓地に送られる？"),
)

"""デュエル・マスターズ."""

from rulings.games.base import GameProfile

PROFILE = GameProfile(
    slug="dm",
    name="デュエル・マスターズ",
    ruleset_names={
        "総合ゲームルール": "dm-cr",
        "総合ルール": "dm-cr",
        "デュエパーティールール": "dm-party",
        "デュエパーティー": "dm-party",
        "デュエパ": "dm-party",
        "タッグデュエル": "dm-tag",
    },
    joined_layouts=("T",),
    card_facts={
        "type": "カードタイプ",
        "civilizations": "文明",
        "cost": "コスト",
        "power": "パワー",
        "races": "種族",
    },
    example_queries=("805.4a", "ジ・ウォッチ", "相手を誰も選ばないことはできる？"),
)

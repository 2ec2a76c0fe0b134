"""The situations of 遊戯王 OCG, of equally strong ones the more particular first."""

from rulings.games.situations import Situation

SITUATIONS = (
    Situation(
        "extra",
        "エクストラデッキ・素材",
        ("エクストラデッキ", "素材", "エクシーズ", "シンクロ", "融合", "リンク", "ペンデュラム"),
    ),
    Situation("summoning", "召喚・セット", ("召喚", "セット", "リリース", "生け贄", "場に出")),
    Situation("battle", "攻撃・戦闘", ("攻撃", "戦闘", "バトル", "ダメージ", "守備")),
    Situation("leaving", "破壊・墓地・除外", ("破壊", "墓地", "除外", "手札に戻", "デッキに戻")),
    Situation("chain", "発動・チェーン", ("発動", "チェーン", "スペルスピード", "無効")),
    Situation("cost", "コスト・ライフ", ("コスト", "支払", "払[いうわっ]", "ライフ")),
    Situation("deck", "デッキ・手札・ドロー", ("デッキ", "ドロー", "手札", "引[きくい]")),
    Situation("resolving", "効果の処理", ("効果", "処理", "同時", "順番", "タイミング", "対象"), 0.5),
)

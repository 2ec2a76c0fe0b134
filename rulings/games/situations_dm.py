"""The situations of デュエル・マスターズ, of equally strong ones the more particular first."""

from rulings.games.situations import Situation

SITUATIONS = (
    Situation("block", "ブロック", ("ブロック", "ブロッカー")),
    Situation(
        "shield", "シールド", ("シールド", "ブレイク", "ブレイカー", "S・トリガー", "S・バック", "G・ストライク")
    ),
    Situation("evolution", "進化", ("進化", "退化", "上に重ね", "下に重ね", "カードの下", "クリーチャーの下")),
    Situation(
        "psychic", "超次元・超GR", ("超次元", "サイキック", "ドラグハート", "龍解", "覚醒", "GR召喚", "超(?:GR|ＧＲ)")
    ),
    Situation("battle", "バトル", ("バトル(?!ゾーン)", "パワー")),
    Situation("attack", "攻撃", ("攻撃", "アタック", "召喚酔い", "タップし", "アンタップ")),
    Situation("leaving", "破壊・墓地・離れる", ("破壊", "墓地", "離れ", "捨て", "手札に戻", "エターナル")),
    Situation("cost", "コスト・マナ", ("コスト", "支払", "マナ")),
    Situation(
        "summoning", "召喚・出す", ("召喚", "[を]出", "に出", "[がは]出[るたな]", "唱え", "革命チェンジ", "侵略")
    ),
    Situation("replacing", "置換効果", ("置換", "かわりに", "代わりに")),
    Situation("deck", "山札・手札・カードを引く", ("山札", "カードを引", "引[きくい]", "手札", "公開", "見せ")),
    Situation(
        "building", "デッキ・カード名", ("デッキ", "構築", "カード名", "名前", "種族", "文明", "殿堂", "パートナー")
    ),
    Situation("resolving", "効果の処理", ("解決", "処理", "同時", "順番", "誘発", "無視", "無効", "効果", "能力"), 0.5),
)

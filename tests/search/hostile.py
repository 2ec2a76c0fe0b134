"""Queries that nobody means well: what could hold up an engine, a parser or a page, or fill its memory."""

HOSTILE = [
    # wildcards, brackets and operators, at which stock parsers expand or backtrack
    "?*", "*", "*:*", "*竜*" * 20, "*" * 90, "(" * 500, "((((a OR b)))", "a OR " * 20, "NOT NOT x", "id:[0 TO 9]",
    "ドラ~2", "/.*.*/", "[", "\\", "\"", "%", "_", "'; DROP TABLE", "{{7*7}}", "-" * 100, "\"山札\" -" * 30,
    # long, and all of the same
    "山札" * 50_000, "a" * 10_000, "1" * 400, "1." * 200, "ー" * 300, "ア" * 99, "あ" * 100, "のにをはが" * 20,
    "々" * 50, "0123456789" * 10, "\u3099" * 200, "ｶﾞ" * 200, "か゚" * 60, "ﷺ" * 40, "山札 " * 33,
    # what most texts hold
    "の", "カ", "カード", "カード" * 33, " ".join("山札墓地手札破壊召喚" for _ in range(40)),
    "クリーチャー 呪文 シールド コスト 能力 相手 自分 場 効果 置換 攻撃 ブロック 破壊 召喚 条件 進化 封印",
    "自分のクリーチャーを相手のクリーチャーに攻撃する時の能力を使う場合にカードを山札から引くことはできますか",
    # conditions that nearly all texts meet, that none meets, or that are deep
    "a OR 1 OR の OR カード", " OR ".join("のにをはがでとも"), "カ OR -の", "-の", "NOT の", "NOT " * 19 + "山札",
    "(NOT (山札 OR NOT (手札 OR NOT (墓地 OR NOT (場 OR NOT 竜)))))",
    "(山札 OR 手札) AND (墓地 OR 場) AND NOT (竜 OR 火)",
    "\"の\"", "\"カード\" OR \"相手\"", "\"" + "の" * 99, "\"山札 \"手札 \"墓地",
    "種類:faq の", "種類:" * 40, "規則集:無い 状態:無い カード:無い 番号:無い 日付:無い の",
    "日付:0001-01-01..9999-12-31 カード",
    "日付:2025..2026 a OR の", "日付:9999-99-99..0000", "カード:" + "竜" * 90, "番号:" + "1." * 45,
    "a* OR b* OR c* OR の*", "?" * 99, "e", "t", "1", "・", "ン", "の" * 100, "ドラゴン" * 25,
    "キャ" * 50, "ッ" * 99, "ヴァ" * 50,
    "ア イ ウ エ オ カ キ ク ケ コ サ シ ス セ ソ タ チ ツ テ ト ナ ニ ヌ ネ ノ ハ ヒ フ ヘ ホ マ ミ ム メ モ ヤ ユ ヨ",
    # what is hardly a text
    "\x00", "a\x00b", "\ud800", "\udfff山札", "😀", "👨‍👩‍👧‍👦", "《", "《》", "\u202e山札", "\ufeff", "\n\t",
]  # fmt: skip

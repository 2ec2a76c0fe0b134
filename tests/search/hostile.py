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
    # what is hardly a text
    "\x00", "a\x00b", "\ud800", "\udfff山札", "😀", "👨‍👩‍👧‍👦", "《", "《》", "\u202e山札", "\ufeff", "\n\t",
]  # fmt: skip

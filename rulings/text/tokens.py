"""Cut Japanese text into words without a dictionary, for comparing wordings.

A change of script ends a word. Names in card brackets, rule numbers and words joined by a middle dot stay whole;
hiragana is cut at the particles and auxiliaries that rules are written with; marks stand alone.
"""

import re

_NAME_LENGTH = 120  # longer than any name; an unclosed bracket costs no more
_MARKS = "[\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef]*"  # voicing marks and variants belong to what they mark

_FUNCTION_WORDS = """
    かわりに ところ ときに とき こと もの ため ように よう すべて ただし または また および ならびに たとえば
    その それ この これ どの そこ ここ として とは では には への のみ から まで より だけ ほど など しか ごと
    において おいて によって よって できません できない できます できる でき ありません ある あり ない なけれ
    なら なる なり なっ いる い られる られ れる れ させる させ せる ません ました ます まし です
    する した して され さ し た だ て ば は が を に へ と も や の で か
"""

_HIRAGANA = "[ぁ-ゖー]"
_KATAKANA = "(?:[ァ-ヺｦ-ﾟ][ァ-ヺｦ-ﾟー\u3099\u309a]*)"
_LATIN = "(?:[A-Za-zＡ-Ｚａ-ｚ0-9０-９]+(?:[-－'’][A-Za-zＡ-Ｚａ-ｚ0-9０-９]+)*)"
_FUNCTION = "|".join(sorted(_FUNCTION_WORDS.split(), key=len, reverse=True))
_TOKEN = re.compile(
    rf"""
    《[^《》\n]{{1,{_NAME_LENGTH}}}》 | ≪[^≪≫\n]{{1,{_NAME_LENGTH}}}≫      # the name of a card
    | [0-9０-９]+(?:[.．][0-9０-９]+)+[a-zａ-ｚ]{{0,2}}(?![A-Za-zＡ-Ｚａ-ｚ0-9０-９])  # a rule, a version
    | (?:{_KATAKANA}|{_LATIN})(?:[・･](?:{_KATAKANA}|{_LATIN}))*
    | [一-鿿㐀-䶿豈-﫿𠀀-𲎯々〆〇]+
    | {_FUNCTION}
    | (?:(?!{_FUNCTION}){_HIRAGANA})+
    | [^\S\n]+
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(f"(?:{_TOKEN.pattern}){_MARKS}", re.VERBOSE | re.DOTALL)


def split_words(text: str) -> list[str]:
    """Return the words and marks of `text` in order; joined they are `text` again."""
    return [match[0] for match in _WORD.finditer(text)]

"""The one fold of Japanese text, used for the index, for queries and for names alike.

A fold forgets how a thing was written (width, kana kind, case, dashes, spaces, old kanji) and keeps a map back to
the original, so that what was found can be shown exactly where it stands. `fold` keeps punctuation; `squeeze`
keeps letters and digits only, the form in which names and passages are compared; `fold_key` is its text.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LONG = "ー"
_MAYBE_LONG = "‐"  # a dash after kana, until the next character is known; folded text never holds it
DASHES = frozenset("-‐‑‒–—―−─━ｰー")
TILDES = frozenset("~〜～∼∿")
DROPPED = frozenset("・･·•‧﹑\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u034f")
# Marks that voice the kana before them: combining, half-width, spacing.
VOICING = {"゙": "゙", "゚": "゚", "ﾞ": "゙", "ﾟ": "゚", "゛": "゙", "゜": "゚"}
BRACKETS = str.maketrans("≪«⟪〈‹«＜≫»⟫〉›»＞『｢』｣“”‘’", "《《《《《《《》》》》》》》「「」」\"\"''")
# Kana that sound alike and are mistaken for each other.
KANA = str.maketrans("ヶヵヂヅヰヱ", "ケカジズイエ")
VU_ROW = {"ァ": "バ", "ィ": "ビ", "ェ": "ベ", "ォ": "ボ"}
# Old forms and variants, each before the form in use.
_OLD_NEW = (
    "龍竜國国學学體体劍剣劔剣剱剣釼剣眞真櫻桜澤沢廣広戰戦聲声靈霊變変亞亜惡悪圓円應応龜亀舊旧區区獸獣髙高﨑崎鬪闘萬万"
    "彌弥邊辺邉辺滿満黑黒綠緑靑青藏蔵壽寿燈灯瀧滝嶽岳峯峰臺台顏顔爲為盜盗單単彈弾傳伝獨独讀読豫予與与餘余來来亂乱覽覧"
    "兩両獵猟勞労樓楼灣湾拔抜發発濱浜佛仏拂払竝並寶宝寳宝豐豊默黙譯訳藥薬樣様搖揺嶋島曉暁隱隠榮栄營営衞衛驛駅鹽塩艷艶毆殴"
    "奧奥橫横穩穏假仮價価畫画會会繪絵壞壊殼殻覺覚樂楽卷巻歡歓關関觀観顯顕氣気歸帰僞偽戲戯犧犠據拠擧挙虛虚峽峡驅駆勳勲"
    "惠恵經経繼継螢蛍輕軽鷄鶏藝芸擊撃缺欠圈圏權権獻献縣県險険驗験嚴厳效効恆恒鑛鉱號号濟済碎砕齋斎雜雑參参慘惨殘残絲糸"
    "齒歯兒児辭辞實実寫写收収從従獸獣肅粛處処將将燒焼證証乘乗條条淨浄狀状觸触盡尽圖図醉酔數数齊斉靜静專専淺浅潛潜纖繊"
    "錢銭禪禅雙双壯壮搜捜插挿爭争總総裝装騷騒增増屬属續続墮堕對対帶帯擇択擔担團団遲遅晝昼蟲虫聽聴敕勅鎭鎮鐵鉄轉転點点"
    "黨党當当德徳屆届貳弐惱悩腦脳霸覇廢廃賣売髮髪拜拝蠻蛮祕秘冨富辨弁瓣弁辯弁飜翻每毎桒桑鬭闘歷歴曆暦淚涙錬錬瑤瑶槇槙遙遥"
)
KANJI = {ord(old): new for old, new in zip(_OLD_NEW[::2], _OLD_NEW[1::2], strict=True)}


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; `starts[i]`, `ends[i]` bound the original characters that became `text[i]`."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text behind `text[start:end]` (a non-empty range)."""
        return self.starts[start], self.ends[end - 1]


@lru_cache(maxsize=20_000)
def _plain(cluster: str) -> str:
    """Fold a character with the marks on it, without regard to its neighbours."""
    text = cluster
    for _round in range(3):
        before = text
        text = unicodedata.normalize("NFKC", text).casefold()
        text = "".join(_unmarked(char) for char in text)
        if text == before:
            break
    return text


def _unmarked(char: str) -> str:
    """Map one normalised character; combining marks and invisible characters vanish."""
    if "ぁ" <= char <= "ゖ":
        char = chr(ord(char) + 0x60)
    if char in DROPPED or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return ""
    if char.isspace() or unicodedata.category(char) == "Cc":
        return " "
    if char in TILDES:
        return "~"
    if "à" <= char <= "ɏ":  # accents on Latin letters
        char = "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))
    return char.translate(KANJI).translate(KANA).translate(BRACKETS)


def _clusters(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, characters): each character with the combining and voicing marks behind it."""
    start, length = 0, len(text)
    while start < length:
        end = start + 1
        while end < length and (text[end] in VOICING or unicodedata.combining(text[end])):
            end += 1
        cluster = text[start:end]
        if end - start > 1:
            cluster = cluster[0] + "".join(VOICING.get(mark, mark) for mark in cluster[1:])
        yield start, end, cluster
        start = end


def is_kana(char: str) -> bool:
    """Whether `char` is a katakana letter or the long-vowel mark (folded text has no hiragana)."""
    return "ァ" <= char <= "ヺ" or char == LONG


class _Builder:
    """Collects folded characters; here neighbours matter: spaces, dashes after kana, ヴ and its small vowel."""

    def __init__(self) -> None:
        self.chars: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.space: tuple[int, int] | None = None

    def add(self, char: str, start: int, end: int) -> None:
        if char == " ":
            self.space = self.space or (start, end)
            return
        last = self.chars[-1] if self.chars else ""
        if last == "ヴ" and char in VU_ROW:
            self.chars[-1], self.ends[-1] = VU_ROW[char], end
        elif last in (LONG, _MAYBE_LONG) and char in DASHES:
            self.chars[-1], self.ends[-1] = LONG, end
        else:
            if self.space and _is_latin(last) and _is_latin(char):
                self._append(" ", *self.space)
            self._append(_in_context(char, last), start, end)
        self.space = None

    def _append(self, char: str, start: int, end: int) -> None:
        self.chars.append(char)
        self.starts.append(start)
        self.ends.append(end)

    def resolved(self) -> Iterator[tuple[str, int, int]]:
        """Yield the characters, those settled that depend on what follows."""
        for at, char in enumerate(self.chars):
            if char == _MAYBE_LONG:  # クリ-チャ-, but クリティブ-1
                char = "-" if self.chars[at + 1 : at + 2] and self.chars[at + 1].isdigit() else LONG  # noqa: PLW2901
            yield ("ブ" if char == "ヴ" else char), self.starts[at], self.ends[at]


def _in_context(char: str, last: str) -> str:
    if char == "々" and last:
        return last
    if char in DASHES and is_kana(last):
        return LONG if char == LONG else _MAYBE_LONG
    return "-" if char in DASHES and char != LONG else char


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _folded(parts: Iterator[tuple[str, int, int]]) -> Folded:
    columns = tuple(zip(*parts, strict=True))
    chars, starts, ends = columns or ((), (), ())
    return Folded("".join(chars), starts, ends)


def fold(text: str) -> Folded:
    """Fold `text`, keeping punctuation and offsets."""
    builder = _Builder()
    for start, end, cluster in _clusters(text):
        for char in _plain(cluster):
            builder.add(char, start, end)
    return _folded(builder.resolved())


def squeeze(text: str) -> Folded:
    """Fold `text` to its letters and digits, keeping offsets; a stop or dash stays between digits (805.4a)."""
    folded = fold(text)
    return _folded(
        (char, folded.starts[at], folded.ends[at])
        for at, char in enumerate(folded.text)
        if char.isalnum() or char == LONG or (char in ".-" and _between_digits(folded.text, at))
    )


def _between_digits(text: str, at: int) -> bool:
    return 0 < at < len(text) - 1 and text[at - 1].isdigit() and text[at + 1].isdigit()


def fold_key(text: str) -> str:
    """Return the key under which a name is looked up; a name of marks only is its own key."""
    return squeeze(text).text or fold(text).text or text

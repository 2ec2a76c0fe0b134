"""The one fold of Japanese text, used for the index, for queries and for names alike.

A fold forgets how a thing was written (width, kana kind, case, dashes, spaces, old kanji) and keeps a map back to
the original, so that what was found can be shown exactly where it stands. `fold` keeps punctuation; `squeeze`
keeps letters and digits only, the form in which names and passages are compared; `fold_key` is its text.
"""

import re
import unicodedata
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

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
    starts: "array[int]"
    ends: "array[int]"

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


def _is_mark(char: str) -> bool:
    """Whether `char` belongs to the one before it."""
    return char in VOICING or bool(unicodedata.combining(char))


def _clusters(text: str, start: int, length: int) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, characters) of `text[start:length]`: each character with the marks behind it."""
    while start < length:
        end = start + 1
        while end < length and _is_mark(text[end]):
            end += 1
        cluster = text[start:end]
        if end - start > 1:
            cluster = cluster[0] + "".join(VOICING.get(mark, mark) for mark in cluster[1:])
        yield start, end, cluster
        start = end


def is_kana(char: str) -> bool:
    """Whether `char` is a katakana letter or the long-vowel mark (folded text has no hiragana)."""
    return "ァ" <= char <= "ヺ" or char == LONG


# ASCII, Greek, signs (→ ※ ● Ⅱ), kana, full and half width.
_ORDINARY = (
    range(0x21, 0x7F),
    range(0x370, 0x400),
    range(0x2010, 0x2700),
    range(0x3001, 0x3100),
    range(0xFF01, 0xFFA0),
)


def _even() -> dict[int, int]:
    """Return the characters that become one other whatever stands beside them, with what they become."""
    even = {code: code for code in range(0x4E00, 0xA000)}
    even |= {old: ord(new) for old, new in KANJI.items()}
    for code in chain(*_ORDINARY):
        char, plain = chr(code), _plain(chr(code))
        if len(plain) == 1 and not _is_mark(char) and plain not in {" ", "々", "ヴ", *DASHES}:
            even[code] = ord(plain)
    return even


_EVEN = _even()
_EVEN_CHAR = f"[{re.escape(''.join(chr(code) for code in _EVEN if not 0x4E00 <= code < 0xA000))}\u4e00-\u9fff]"
# Nearly all of a text stands in such stretches, which are folded at once; ー is even between what is no dash.
_STRETCH = re.compile(f"{_EVEN_CHAR}+(?:{LONG}{_EVEN_CHAR}+)*")
_EVEN[ord(LONG)] = ord(LONG)
_NUMBERS = array("l", range(4_000))
_SHORT = 100  # characters
_KEPT = re.compile(r"[^\W_]+|[.-]")


class _Builder:
    """Collects folded characters; here neighbours matter: spaces, dashes after kana, ヴ and its small vowel."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.starts = array("l")
        self.ends = array("l")
        self.space: tuple[int, int] | None = None

    def add_each(self, text: str, start: int, end: int) -> None:
        """Add `text[start:end]` character by character."""
        for first, last, cluster in _clusters(text, start, end):
            for char in _plain(cluster):
                self.add(char, first, last)

    def may_change_next(self) -> bool:
        """Whether what was added last may change even an ordinary character behind it."""
        return self.space is not None or bool(self.parts and self.parts[-1][-1] == "ヴ")

    def add_stretch(self, text: str, start: int, end: int) -> None:
        """Add `text[start:end]`, a part of a stretch that nothing before it changes."""
        self.parts.append(text[start:end].translate(_EVEN))
        if end < len(_NUMBERS):
            self.starts += _NUMBERS[start:end]
            self.ends += _NUMBERS[start + 1 : end + 1]
        else:
            self.starts.extend(range(start, end))
            self.ends.extend(range(start + 1, end + 1))

    def add(self, char: str, start: int, end: int) -> None:
        if char == " ":
            self.space = self.space or (start, end)
            return
        last = self.parts[-1][-1] if self.parts else ""
        if last == "ヴ" and char in VU_ROW:
            self._instead(VU_ROW[char], end)
        elif last in (LONG, _MAYBE_LONG) and char in DASHES:
            self._instead(LONG, end)
        else:
            if self.space and _is_latin(last) and _is_latin(char):
                self._append(" ", *self.space)
            self._append(_in_context(char, last), start, end)
        self.space = None

    def _append(self, char: str, start: int, end: int) -> None:
        self.parts.append(char)
        self.starts.append(start)
        self.ends.append(end)

    def _instead(self, char: str, end: int) -> None:
        """Put `char` in the place of the last one, which reaches to `end` now."""
        self.parts[-1] = self.parts[-1][:-1] + char
        self.ends[-1] = end

    def folded(self) -> Folded:
        """Return what was added, those characters settled that depend on what follows (クリ-チャ-, クリティブ-1)."""
        text = "".join(self.parts)
        at = text.find(_MAYBE_LONG)
        while at >= 0:
            text = f"{text[:at]}{'-' if text[at + 1 : at + 2].isdigit() else LONG}{text[at + 1 :]}"
            at = text.find(_MAYBE_LONG, at)
        return Folded(text.replace("ヴ", "ブ"), self.starts, self.ends)


def _in_context(char: str, last: str) -> str:
    if char == "々" and last:
        return last
    if char in DASHES and is_kana(last):
        return LONG if char == LONG else _MAYBE_LONG
    return "-" if char in DASHES and char != LONG else char


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def fold(text: str) -> Folded:
    """Fold `text`, keeping punctuation and offsets."""
    builder, done = _Builder(), 0
    for stretch in _STRETCH.finditer(text):
        start, end = stretch.span()
        if end < len(text) and _is_mark(text[end]):
            end -= 1  # the mark is of the last one
        if end - start > 1:
            builder.add_each(text, done, start)
            if builder.may_change_next():
                builder.add_each(text, start, start + 1)
                start += 1
            builder.add_stretch(text, start, end)
            done = end
    builder.add_each(text, done, len(text))
    return builder.folded()


def squeeze(text: str) -> Folded:
    """Fold `text` to its letters and digits, keeping offsets; a stop or dash stays between digits (805.4a)."""
    return _squeezed_before(text) if len(text) <= _SHORT else _squeezed(text)


@lru_cache(maxsize=500)
def _squeezed_before(text: str) -> Folded:
    """Squeeze what is short and comes again: a query is squeezed some twenty times, its words in every query."""
    return _squeezed(text)


def _squeezed(text: str) -> Folded:
    folded = fold(text)
    kept = [
        found.span()
        for found in _KEPT.finditer(folded.text)
        if found[0] not in ".-" or _between_digits(folded.text, found.start())
    ]
    starts, ends = array("l"), array("l")
    for first, last in kept:
        starts += folded.starts[first:last]
        ends += folded.ends[first:last]
    return Folded("".join(folded.text[first:last] for first, last in kept), starts, ends)


def _between_digits(text: str, at: int) -> bool:
    return 0 < at < len(text) - 1 and text[at - 1].isdigit() and text[at + 1].isdigit()


def fold_key(text: str) -> str:
    """Return the key under which a name is looked up; a name of marks only is its own key."""
    return squeeze(text).text or fold(text).text or text

"""How people write the names of cards and the numbers of rules: queries made from them, by kind. Pure."""

import random
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_WIDE = re.compile(r"[一-龠々]")
_MARKS = re.compile(r"[・\s/／《》≪≫〈〉<>＜＞\-－–—=＝！!？?「」『』\"”“☆★♪～〜:：.,、。'’]")
_JOINTS = re.compile(r"[・\s/／]+")
_HALF = {
    unicodedata.normalize("NFKC", half): half
    for code in range(0xFF61, 0xFF9E)
    for half in (chr(code), chr(code) + "ﾞ", chr(code) + "ﾟ")
    if len(unicodedata.normalize("NFKC", half)) == 1
}
_SMALL = str.maketrans("ァィゥェォャュョッァィゥェォ", "アイウエオヤユヨツアイウエオ")
_VOICED = str.maketrans("カキクケコサシスセソタチツテトハヒフヘホガギグゲゴザジズゼゾダヂヅデドバビブベボ",
                        "ガギグゲゴザジズゼゾダヂヅデドバビブベボカキクケコサシスセソタチツテトハヒフヘホ")  # fmt: skip
_LONG = {"ェー": "ェイ", "ゲー": "ゲイ", "レー": "レイ", "メー": "メイ", "ケー": "ケイ", "テー": "テイ", "デー": "デイ",
         "ボー": "ボウ", "ドー": "ドウ", "コー": "コウ", "オー": "オウ", "ロー": "ロウ"}  # fmt: skip
_KANA = re.compile(r"[ァ-ヺー]+")
SENTENCES = (
    "{}の能力は何回使える",
    "{}で攻撃したらどうなる",
    "相手の{}を破壊できる？",
    "{} 効果",
    "{}と革命チェンジ",
    "{}が場に出た時",
)


@dataclass(frozen=True, slots=True)
class Named:
    """A card by its names."""

    card: int
    name: str
    game: str
    reading: str  # where the publisher gives one
    faces: tuple[str, ...]


Maker = Callable[[Named, random.Random], str]


def half_width(text: str) -> str:
    """Write katakana, digits and Latin letters in half width."""
    return "".join(_HALF.get(char) or _HALF.get(unicodedata.normalize("NFKC", char)) or _narrow(char) for char in text)


def _narrow(char: str) -> str:
    plain = unicodedata.normalize("NFKC", char)
    return plain if len(plain) == 1 else char


def hiragana(text: str) -> str:
    return "".join(chr(ord(char) - 0x60) if "ァ" <= char <= "ヶ" else char for char in text)


def katakana(text: str) -> str:
    return "".join(chr(ord(char) + 0x60) if "ぁ" <= char <= "ゖ" else char for char in text)


def _spoken(card: Named) -> str:
    """Return how a name is read: as given, or the name itself where it is kana."""
    name = card.reading or card.name
    return name if re.fullmatch(r"[ぁ-ゖァ-ヺー・\s\-－!！?？☆★]+", name) else ""


def bare(text: str) -> str:
    return _MARKS.sub("", text)


def _half(card: Named, rng: random.Random) -> str:
    return rng.choice(card.faces) if len(card.faces) > 1 else ""


def _beginning(card: Named, rng: random.Random) -> str:
    name = bare(card.name)
    length = rng.randint(4, 8)
    return name[:length] if len(name) > length + 1 else ""


def _last_part(card: Named, rng: random.Random) -> str:
    parts = _JOINTS.split(card.name)
    return parts[-1] if len(parts) > 1 and len(bare(parts[-1])) >= 4 else ""


def _inner_parts(card: Named, rng: random.Random) -> str:
    parts = [part for part in _JOINTS.split(card.name) if bare(part)]
    return "".join(parts[1:]) if len(parts) > 2 else ""


def _without_no(card: Named, rng: random.Random) -> str:
    return re.sub(r"(?<=.)の(?=.)", "", card.name) if re.search(r".の.", card.name) else ""


def _latin_read(card: Named, rng: random.Random) -> str:
    """Return the reading of a name that is written with Latin letters or digits."""
    written = re.search(r"[A-Za-zＡ-Ｚａ-ｚ0-9０-９]", card.name)
    reading = unicodedata.normalize("NFKC", card.reading)
    return bare(reading) if written and reading and not re.search(r"[A-Za-z0-9]", reading) else ""


def _skipping(card: Named, rng: random.Random) -> str:
    """Return the first and the last part of a name of three."""
    parts = [part for part in _JOINTS.split(card.name) if bare(part)]
    return parts[0] + parts[-1] if len(parts) > 2 else ""


def _long(card: Named) -> str:
    name = card.name
    return name if len(bare(name)) >= 6 else ""


def _substituted(card: Named, rng: random.Random) -> str:
    """Return a name with a kana instead of another."""
    name = _long(card)
    places = [at for at, char in enumerate(name) if _KANA.fullmatch(char) and char != "ー"]
    if not places:
        return ""
    at = rng.choice(places)
    other = rng.choice([char for char in "アカサタナハマラリルレロントスイ" if char != name[at]])
    return name[:at] + other + name[at + 1 :]


def _voiced(card: Named, rng: random.Random) -> str:
    """Return a name with a kana voiced that is not, or the other way."""
    name = _long(card)
    places = [at for at, char in enumerate(name) if char.translate(_VOICED) != char]
    if not places:
        return ""
    at = rng.choice(places)
    return name[:at] + name[at].translate(_VOICED) + name[at + 1 :]


def _missing(card: Named, rng: random.Random) -> str:
    name = bare(_long(card))
    if not name:
        return ""
    at = rng.randrange(1, len(name))
    return name[:at] + name[at + 1 :]


def _swapped(card: Named, rng: random.Random) -> str:
    name = bare(_long(card))
    places = [at for at in range(len(name) - 1) if name[at] != name[at + 1]]
    if not places:
        return ""
    at = rng.choice(places)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def _long_vowel(card: Named, rng: random.Random) -> str:
    """Return a name without one of its ー."""
    name = _long(card)
    places = [at for at, char in enumerate(name) if char == "ー"]
    at = rng.choice(places) if places else -1
    return name[:at] + name[at + 1 :] if places else ""


def _small_kana(card: Named, rng: random.Random) -> str:
    """Return a name with one small kana written large."""
    name = _long(card)
    places = [at for at, char in enumerate(name) if char.translate(_SMALL) != char]
    at = rng.choice(places) if places else -1
    return name[:at] + name[at].translate(_SMALL) + name[at + 1 :] if places else ""


def _as_heard(card: Named, rng: random.Random) -> str:
    """Return a name with ゲイト for ゲート, コウ for コー."""
    name = _long(card)
    said = [(long, heard) for long, heard in _LONG.items() if long in name]
    return name.replace(*rng.choice(said), 1) if said else ""


def _morae(text: str) -> list[str]:
    return re.findall(r"[ァ-ヺ][ァィゥェォャュョ]?ー?", text)


def _shortened(card: Named, rng: random.Random) -> str:
    """Return a shortening as players make them: the first two morae of two parts."""
    parts = [part for part in _JOINTS.split(card.name) if _KANA.fullmatch(part) and len(_morae(part)) >= 3]
    if len(parts) < 2:
        return ""
    return "".join("".join(_morae(part)[:2]).replace("ー", "") for part in parts[:2])


def _kanji_shortened(card: Named, rng: random.Random) -> str:
    """Return a shortening of a name of kanji and kana: the kanji, and the first two morae of what follows."""
    found = re.fullmatch(r"([一-龠々]{2})[・\s]?([ァ-ヺー]{4,})", card.name)
    return found[1] + "".join(_morae(found[2])[:2]).replace("ー", "") if found else ""


# kind → (how it is made, whether many cards may share what is made)
MAKERS: dict[str, tuple[Maker, bool]] = {
    "exact": (lambda card, rng: card.name, False),
    "in 《》": (lambda card, rng: f"《{card.name}》", False),
    "bare": (lambda card, rng: bare(card.name), False),
    "half width": (lambda card, rng: half_width(card.name), False),
    "hiragana": (lambda card, rng: hiragana(_spoken(card)), False),
    "katakana": (lambda card, rng: katakana(_spoken(card)), False),
    "Latin read": (_latin_read, False),
    "a face": (_half, False),
    "beginning": (_beginning, True),
    "last part": (_last_part, True),
    "parts from 2": (_inner_parts, True),
    "first+last": (_skipping, False),
    "without の": (_without_no, False),
    "other kana": (_substituted, False),
    "voiced": (_voiced, False),
    "one missing": (_missing, False),
    "two swapped": (_swapped, False),
    "no ー": (_long_vowel, False),
    "ユ for ュ": (_small_kana, False),
    "イ for ー": (_as_heard, False),
    "shortened": (_shortened, True),
    "kanji+2": (_kanji_shortened, True),
    "in a sentence": (lambda card, rng: rng.choice(SENTENCES).format(card.name), False),
}


def queries(kind: str, cards: list[Named], count: int) -> Iterator[tuple[str, Named]]:
    """Yield `count` queries of a kind and their cards, the same ones each time."""
    rng = random.Random(kind)  # noqa: S311 - a sample
    make, _shared = MAKERS[kind]
    left = count
    for card in rng.sample(cards, len(cards)):
        made = make(card, rng)
        if left and made and made.strip():
            yield made, card
            left -= 1
        if not left:
            return


# -- numbers -------------------------------------------------------------------------------------------------------


def _wide(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


NUMBERS: dict[str, Callable[[str, str], str]] = {
    "805.4a": lambda number, ruleset: number,
    "８０５．４ａ": lambda number, ruleset: _wide(number),
    "805-4a": lambda number, ruleset: number.replace(".", "-"),
    "805．4A": lambda number, ruleset: number.replace(".", "．").upper(),
    "805.4a.": lambda number, ruleset: f"{number}.",
    "「ルール 805.4a.」": lambda number, ruleset: f"「ルール {number}.」",
    "ルール805.4a": lambda number, ruleset: f"ルール{number}",
    "805.4aとは": lambda number, ruleset: f"{number}とは",
    "総合ルール805.4a": lambda number, ruleset: f"{ruleset}{number}",
    "総合ルール 805.4a": lambda number, ruleset: f"{ruleset} {number}",
}

# -- what means nothing --------------------------------------------------------------------------------------------

_HIRAGANA = [chr(code) for code in range(ord("あ"), ord("ん") + 1) if chr(code) not in "ぁぃぅぇぉっゃゅょゎゐゑを"]
_KANJI = "鞄釣鯵雀椅麓蝋柑鰯袖鞠箸畦凧瓢鍬笠苔蕎麦葱瓦竿簾樽桶鞘灸粥簿錠賄庶購稿畜芋窯漆"


def nonsense(count: int) -> Iterator[tuple[str, str]]:
    """Yield (kind, text) of strings that mean nothing, the same ones each time."""
    rng = random.Random("nonsense")  # noqa: S311 - a sample
    kinds = {
        "hiragana": lambda: "".join(rng.choices(_HIRAGANA, k=rng.randint(6, 14))),
        "katakana": lambda: katakana("".join(rng.choices(_HIRAGANA, k=rng.randint(6, 14)))),
        "latin": lambda: "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(5, 12))),
        "repeated": lambda: rng.choice(_HIRAGANA + list("qwxzjv")) * rng.randint(4, 9),
        "kanji": lambda: "".join(rng.sample(_KANJI, k=rng.randint(3, 7))),
        "syllables": lambda: "".join(pair * 2 for pair in ("".join(rng.sample(_HIRAGANA, 2)) for _ in range(3))),
        "a row": lambda: "".join(_HIRAGANA)[(at := rng.randrange(0, 50)) : at + rng.randint(7, 12)],
        "mixed": lambda: "".join(rng.choices([*_HIRAGANA, *_KANJI, *"qwxzjv"], k=rng.randint(6, 12))),
    }
    for number in range(count):
        kind = list(kinds)[number % len(kinds)]
        yield kind, kinds[kind]()

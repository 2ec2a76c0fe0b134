"""Japanese analysis: what a text is to the index. The same for every engine.

Two kinds of terms: *words* (morphemes in their normal form, rule numbers with their prefixes, Latin whole) find
what is meant; *grams* (folded pairs of characters) find what was written, also where the morphology errs.
"""

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import sudachipy

from rulings.text.fold import DASHES, LONG, squeeze

VERSION = 2  # a change of what the analysis yields: indexes of another version are rebuilt

_NUMBER = re.compile(r"(?<![\d.])(\d{3,4})\.(\d{1,3})([a-z]{0,2})(?![\da-z])")
_SKIPPED_POS = frozenset(("助詞", "助動詞", "補助記号", "記号", "空白"))
# Words that say nothing by themselves, in Sudachi's normal form.
_STOP = """
為る 有る 居る 成る 出来る 事 物 時 場合 此れ 其れ 此の 其の 為 様 所 よう 又 及び
若し 言う 行く 来る れる られる ない 無い
御 下さる 何 何れ どう どの どんな いつ 何処 誰 どちら どっち 何故 くらい 程 為さる 頂く 貰う 教える
知る 分かる 欲しい だ です
方 的 等 など 全て 場 さん 君 やつ 奴 ね よ 因み 所で 例え 例 後 前 中 内 上 下
"""
# Words with which people ask for a text; they do not stand in it.
_ASKING = """
一覧 意味 説明 詳細 解説 定義 やり方 仕方 方法 早見表 まとめ リスト ルール 裁定 処理方法 について とは 質問 疑問
"""
STOP_WORDS = frozenset(_STOP.split())
ASKING_WORDS = frozenset(_ASKING.split())
KEPT_FORMS = 20_000  # of morphemes


@dataclass(frozen=True, slots=True)
class Terms:
    """What a text is to the index, with repetitions."""

    words: tuple[str, ...]
    grams: tuple[str, ...]


class Morpheme(NamedTuple):
    """A piece of a text: its folded normal form, its place, whether it carries content."""

    surface: str
    normal: str
    start: int
    end: int
    pos: str
    is_content: bool


_lock = threading.Lock()
_shared: list[sudachipy.Dictionary] = []
_local = threading.local()


def _tokenizer() -> sudachipy.Tokenizer:
    """Return this thread's tokenizer: the dictionary is shared, a shared tokenizer raises."""
    if not hasattr(_local, "tokenizer"):
        with _lock:
            if not _shared:
                _shared.append(sudachipy.Dictionary(dict="small"))
        _local.tokenizer = _shared[0].tokenizer(mode=sudachipy.SplitMode.A)
    tokenizer: sudachipy.Tokenizer = _local.tokenizer
    return tokenizer


def prepare(text: str) -> str:
    """Normalise `text` for the tokenizer, which needs hiragana and kanji as written: width, dashes, lone code units."""
    text = unicodedata.normalize("NFKC", text).replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
    chars = list(text)
    for at, char in enumerate(chars):
        after_kana = at > 0 and ("ぁ" <= chars[at - 1] <= "ヺ" or chars[at - 1] == LONG)
        if char in DASHES and after_kana and not (char != LONG and text[at + 1 : at + 2].isdigit()):  # アジサイ-2
            chars[at] = LONG
    return "".join(chars)


def morphemes(text: str) -> Iterator[Morpheme]:
    """Yield the morphemes of a prepared text."""
    for start in range(0, len(text), 8_000):  # the tokenizer refuses more than 49,149 bytes at once
        for found in _tokenizer().tokenize(text[start : start + 8_000]):
            surface = found.surface()
            pos = found.part_of_speech()
            normal = found.normalized_form()
            content = pos[0] not in _SKIPPED_POS and normal not in STOP_WORDS
            key = _squeezed(normal) or _squeezed(surface)
            yield Morpheme(
                surface,
                key,
                start + found.begin(),
                start + found.end(),
                "副詞" if pos[2] == "副詞可能" else pos[0],
                content and bool(key),
            )


@lru_cache(maxsize=KEPT_FORMS)
def _squeezed(form: str) -> str:
    """Return a form of a morpheme squeezed; kept, because texts are made of the same ones."""
    return squeeze(form).text


def reading_of(text: str) -> str:
    """Return how `text` is probably read aloud, in katakana (大迷宮亀 → ダイメイキュウガメ)."""
    return "".join(found.reading_form() for found in _tokenizer().tokenize(prepare(text)[:200]))


def is_known(surface: str) -> bool:
    """Whether the dictionary has all of a short text."""
    return len(surface) < 100 and not any(found.is_oov() for found in _tokenizer().tokenize(surface))


def is_dictionary_word(form: str) -> bool:
    """Whether `form` is one word of the dictionary, in its normal form, that carries content: no name, no number."""
    found = list(_tokenizer().tokenize(form)) if len(form) < 100 else []
    if len(found) != 1 or found[0].is_oov() or found[0].normalized_form() != form:
        return False
    pos = found[0].part_of_speech()
    return pos[0] not in _SKIPPED_POS and pos[0] != "接続詞" and pos[1] not in ("固有名詞", "数詞")


def number_terms(text: str) -> Iterator[str]:
    """Yield each rule number of a prepared text with its prefixes (`805.4a` → `805.`, `805.4`, `805.4a`)."""
    for chapter, rule, letter in _NUMBER.findall(text.lower()):
        yield f"{chapter}."
        yield f"{chapter}.{rule}"
        if letter:
            yield f"{chapter}.{rule}{letter}"


def latin_terms(text: str) -> Iterator[str]:
    """Yield the Latin words of a prepared text, whole."""
    yield from re.findall(r"[a-z][a-z0-9]+", text.lower())


def grams(squeezed: str) -> Iterator[str]:
    """Yield the pairs of neighbouring characters of a squeezed text."""
    for at in range(len(squeezed) - 1):
        yield squeezed[at : at + 2]


def words(text: str) -> Iterator[str]:
    """Yield the words of `text` for the index."""
    ready = prepare(text)
    yield from (morpheme.normal for morpheme in morphemes(ready) if morpheme.is_content)
    yield from number_terms(ready)
    yield from latin_terms(ready)


def analyse(text: str) -> Terms:
    """Return the terms of `text` for the index."""
    return Terms(tuple(words(text)), tuple(grams(squeeze(text).text)))


def script(char: str) -> str:
    """Name the script of a character, for boundaries between words."""
    if "ぁ" <= char <= "ゟ":
        return "hiragana"
    if "ァ" <= char <= "ヿ" or "ｦ" <= char <= "ﾟ":
        return "katakana"
    if char.isascii() and char.isalpha():
        return "latin"
    if char.isdigit():
        return "digit"
    return "kanji" if char.isalpha() else "mark"

"""What a text cites: rules by number, cards in their brackets, sections by their heading.

Pure finding: what a citation means (which entry, which card) is looked up elsewhere, by its key.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

from rulings.text.fold import fold_key
from rulings.text.numbers import parse_number


class CitationKind(StrEnum):
    RULE = "rule"
    CARD = "card"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Citation:
    """A cited thing at `start:end` of its text.

    `ruleset` is the slug of the ruleset that the text names before a number, None for the document's own.
    What is not `certain` is a citation only if its key is known.
    """

    kind: CitationKind
    text: str
    start: int
    end: int
    key: str
    ruleset: str | None
    certain: bool


class CitationProfile(Protocol):
    """What a game says about the way its texts cite."""

    @property
    def ruleset_names(self) -> Mapping[str, str]: ...
    @property
    def rule_words(self) -> tuple[str, ...]: ...
    @property
    def card_brackets(self) -> tuple[str, ...]: ...
    @property
    def possible_card_brackets(self) -> tuple[str, ...]: ...


NAME_LENGTH = 120  # longer than any name; keeps an unclosed bracket from costing more

_D = "[0-9０-９]"
_LETTER = "[A-Za-zＡ-Ｚａ-ｚ]"
_STOP = "[.．]"
# A chapter has three digits; what follows must not make it a longer number, a date, a version or a measure.
_ENDS = (
    rf"(?!{_LETTER}|{_D}|{_STOP}{_D}|[%％])"
    r"(?!\s?(?:パーセント|ポイント|ダメージ|円|点|枚|体|回|倍|人|個|種|年|月|日|時|分|秒|度|つ|歳))"
)
_CHAPTER = rf"{_D}{{3}}{_ENDS}"
_RULE = rf"{_D}{{3}}{_STOP}{_D}{{1,3}}{_LETTER}?{_ENDS}"
_ANY_RULE = rf"{_D}{{3}}(?:{_STOP}|[-‐‑–—−・]){_D}{{1,3}}{_LETTER}{{0,2}}{_ENDS}"
# Not inside another number or a word of Latin letters (Ver.100.1), not a sum of money.
_BEFORE = rf"(?<!{_D})(?<!{_LETTER})(?<![.．,¥￥$#＋+\-−])"
_JOINT = r"(?:の|は|「|『|（|\(|[:：]|第|[ \u3000\t]){0,3}"
_TIGHT = r"[:：]?[ \u3000\t]{0,2}第?"
_LIST = re.compile(
    rf"{_STOP}?[章条項]?[ \u3000]?(?:[、,，・/／~～〜\-–—−とや]|から|および|及び|ならびに|または|又は)"
    rf"[ \u3000]?第?(?={_D})"
)

# A list or range may go on with the last part alone: 703.4a-c, 703.4a、b, 506.1〜3.
_NEXT_LETTER = re.compile(rf"(?:[、,・/／~～〜\-–—−]|から)[ \u3000]?(?P<last>[a-zａ-ｚ])(?!{_LETTER}|{_D})")
_NEXT_RULE = re.compile(rf"(?:[~～〜]|から)[ \u3000]?(?P<last>{_D}{{1,3}}){_ENDS}")
# Written like a number after a word that announces one, but no number of any book: 9999.1, 101.1234, 101.1zz.
_NO_NUMBER = (
    rf"(?:(?![12１２][09０９]){_D}{{4,6}}{_STOP}{_D}{{1,6}}{_LETTER}{{0,3}}"
    rf"|{_D}{{3}}{_STOP}(?:{_D}{{4,6}}{_LETTER}{{0,3}}|{_D}{{1,3}}{_LETTER}{{2,4}}))(?!{_LETTER}|{_D}|{_STOP}{_D})"
)

_POINTER = r"(?:下記|上記|前記|後記|前述|後述|前掲|別項|以下|この後|この前|先の|次の)(?:の|、)?[ \u3000]?"
_HEADING_NAME = rf"(?:「(?P<name>[^「」\n]{{1,{NAME_LENGTH}}})」|『(?P<name2>[^『』\n]{{1,{NAME_LENGTH}}})』)"
_SEE = (
    r"(?:の(?:項目?|節|章|欄|条項|セクション)(?![一-龠])"
    r"|(?:を|も|の項目?を|の欄を)?(?:ご?参照|ご?覧|ご?確認(?:ください|下さい))|で(?:ご?説明|解説))"
)
_HEADING = re.compile(rf"(?P<pointer>{_POINTER})?{_HEADING_NAME}(?P<see>{_SEE})?")


def find_citations(text: str, profile: CitationProfile) -> list[Citation]:
    """Return what `text` cites, in order, without overlaps.

    Where two readings meet, the surer wins: a card in its own brackets, then a number, then a heading.
    """
    readings = (
        _cards(text, profile.card_brackets, certain=True),
        _rules(text, profile),
        _headings(text),
        _cards(text, profile.possible_card_brackets, certain=False),
    )
    taken = bytearray(len(text))
    found: list[Citation] = []
    for reading in readings:
        for citation in reading:
            if not any(taken[citation.start : citation.end]):
                taken[citation.start : citation.end] = b"\x01" * (citation.end - citation.start)
                found.append(citation)
    return sorted(found, key=lambda citation: citation.start)


def _cards(text: str, brackets: tuple[str, ...], certain: bool) -> Iterator[Citation]:
    """Names in brackets; a name may hold other brackets, and its own kind in pairs."""
    closing = {pair[0]: pair[1] for pair in brackets}
    at = 0
    while at < len(text):
        if text[at] not in closing:
            at += 1
            continue
        end = _closing(text, at, closing[text[at]])
        name = text[at + 1 : end - 1].strip() if end else ""
        key = fold_key(name)
        if key:
            yield Citation(CitationKind.CARD, text[at:end], at, end, key, None, certain)
            at = end
        else:
            at += 1


def _closing(text: str, start: int, close: str) -> int:
    """The end of the bracket that opens at `start`; 0 when it does not close in time."""
    depth = 0
    for at in range(start, min(len(text), start + NAME_LENGTH + 2)):
        if text[at] == text[start]:
            depth += 1
        elif text[at] == close:
            depth -= 1
            if depth == 0:
                return at + 1
        elif text[at] == "\n" and text[at : at + 2] == "\n\n":
            return 0
    return 0


@lru_cache(maxsize=32)
def _rule_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """A number after a word that announces rules (then a chapter will do), or a bare one with a dot."""
    bare = rf"{_BEFORE}(?P<bare>{_RULE})"
    if not words:
        return re.compile(bare)
    word = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?P<word>{word})(?:{_JOINT}(?P<rule>{_ANY_RULE})|{_TIGHT}(?P<chapter>{_CHAPTER}))|{bare}")


@lru_cache(maxsize=32)
def _impossible_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?P<word>{'|'.join(map(re.escape, words))}){_JOINT}(?P<number>{_NO_NUMBER})")


def _rules(text: str, profile: CitationProfile) -> Iterator[Citation]:
    pattern = _rule_pattern((*profile.ruleset_names, *profile.rule_words))
    at = 0
    while (match := pattern.search(text, at)) is not None:
        group = match.lastgroup or "bare"
        ruleset = profile.ruleset_names.get(match["word"]) if group != "bare" else None
        start, at = match.span(group)
        yield from _rule(text, match.start(), start, at, ruleset)
        whole = text[start:at]
        while (last := _shortened(text, at, whole)) is not None:
            whole, begin, at = last
            yield from _rule(text, begin, begin, at, ruleset, whole)
        # A list goes on with what it began with, in the ruleset that was named.
        following = re.compile(_CHAPTER if group == "chapter" else _RULE)
        while (joint := _LIST.match(text, at)) is not None and (more := following.match(text, joint.end())) is not None:
            at = more.end()
            yield from _rule(text, more.start(), more.start(), at, ruleset)


def _shortened(text: str, at: int, before: str) -> tuple[str, int, int] | None:
    """The number that goes on at `at` with its last part alone: the whole number, and where the part stands."""
    number = parse_number(before)
    if number is None or not number.rule:
        return None
    match = (_NEXT_LETTER if number.letter else _NEXT_RULE).match(text, at)
    if match is None:
        return None
    stem = f"{number.chapter}.{number.rule}" if number.letter else f"{number.chapter}."
    return stem + match["last"], match.start("last"), match.end("last")


def find_impossible(text: str, profile: CitationProfile) -> list[Citation]:
    """Return what is announced as the number of a rule and can be none, in order."""
    names = profile.ruleset_names
    words = tuple(sorted((*names, *profile.rule_words), key=len, reverse=True))
    return [
        Citation(CitationKind.RULE, match[0], *match.span(), match["number"], names.get(match["word"]), True)
        for match in (_impossible_pattern(words).finditer(text) if words else ())
    ]


def _rule(text: str, start: int, number: int, end: int, ruleset: str | None, whole: str = "") -> Iterator[Citation]:
    parsed = parse_number(whole or text[number:end])
    if parsed is not None:
        yield Citation(CitationKind.RULE, text[start:end], start, end, str(parsed), ruleset, True)


def _headings(text: str) -> Iterator[Citation]:
    """Names of sections in quotes, where a word points to them; sure when the reader is told to look."""
    for match in _HEADING.finditer(text):
        if match["pointer"] is None and match["see"] is None:
            continue
        group = "name" if match["name"] else "name2"
        start, end = match.start(group) - 1, match.end(group) + 1
        key = fold_key(match[group])
        if key:
            yield Citation(CitationKind.HEADING, text[start:end], start, end, key, None, match["see"] is not None)

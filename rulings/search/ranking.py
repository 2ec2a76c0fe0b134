"""What weighs how much: the one table of the ranking, and the second look at the best documents.

The engine finds and scores; the second look compares the texts themselves with what was asked.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rulings.search.engine import Concept, Found

# -- the engine's first look -----------------------------------------------------------------------------------
FIELD_BOOSTS = {"title": 1.5, "body": 1.0, "examples": 0.6, "context": 0.2}
LABEL_BOOSTS = {
    "authority:organizer": 0.97,
    "authority:community": 0.85,
    "authority:house": 0.85,
    "status:needs_review": 0.97,
    "status:superseded": 0.6,
    "status:withdrawn": 0.6,
}
NAMED_RULESET = 1.5  # factor for the ruleset that the query names
OVERLAY = 0.95  # factor for a ruleset that changes another one, where the query does not name it
MINIMUM_COVERAGE = 0.35
SYNONYM_DISCOUNT = 0.9
RARE = 20  # documents that hold a word, at most: then the words near it are asked for too
NEAR_DISCOUNT = 0.7  # times their likeness
MOST_NEAR, NEAR_HELD_BY = 5, 2  # of a word; documents that hold each, at least
FILLER_WEIGHT = 0.25  # できない, どっち
VERB_WEIGHT = 0.6
COUNTER_WEIGHT = 0.5  # 2つ, 1体
LOOKED_AT_TWICE = 80  # results at most
LOOKED_AT_ALWAYS, CLOSE = 40, 0.6  # the others where they score so much of the best

# -- the second look: added to 1.0, then multiplied with the score ----------------------------------------------
WHOLE_QUERY = {"title": 2.0, "body": 0.8, "examples": 0.4, "context": 0.0}  # the query stands there as typed
AS_WRITTEN = {"title": 0.35, "body": 0.25, "examples": 0.1, "context": 0.05}  # a concept, by its information
TITLE_IS_IT = 0.4  # the title is the concept and nothing else
DEFINES = 1.1  # the text opens with the concept as its subject (…は、…とは)
STRETCH = 1.0  # the longest stretch of the query that stands in the text, as a share of the query
NEAR = 0.2  # neighbours in the query stand near each other, as a share of the pairs
NEAR_BY = 16  # characters
MOST_PLACES = 8  # of a concept in a text
ANSWERS = 0.05  # whether something may be done was asked, the text answers はい or いいえ
LISTS = 1.6  # a list was asked for, the text gives one (…には)
SAYS_WHEN = 0.2  # a time was asked for, the text names one
SAYS_HOW_MANY = 0.15  # a number was asked for, the text holds one
DEFINITION_ASKED = 1.5  # factor of DEFINES where the query asks what something is
HEADING_ONLY = 0.6  # factor: a heading without a text answers nothing

# -- rules under one another (see `hierarchy`) ------------------------------------------------------------------
GENERAL_FIRST = 0.85  # of the score of a rule under it: from this share on, the general rule stands before it
BEHIND_CHAPTER = 0.99  # of the score of a chapter without a text: the first found under it stands behind it
BEHIND_HEADING = 1.005  # of that of a mere heading: the first found under it stands before it

# -- results that the engine did not find -----------------------------------------------------------------------
NUMBER_ITSELF = 1000.0
NUMBER_CITED = 900.0
NUMBER_CHILD = 800.0
CARD = 500.0
CARDS_IN_FRONT = 3  # card results before the second ruling
CARDS_BESIDE_WORDS = 2  # card results for a name inside a longer query


_SUBJECT = ("ハ", "トハ", "ニハ", "デハ")  # particles, folded
_CALLED = ("トハ", "ト呼バレ", "ト呼ビ", "トイイ", "ト言イ", "ノコトデス", "ノ総称")
_WHEN = re.compile(r"[時際]ニ|タ時|ル時|タトキ|ルトキ|ターンノ|マデ|タイミング|ステップ|瞬間|直[前後]|間ハ|即座")
_HOW_MANY = re.compile(r"[0-9][枚体回人点ツ度個]|[一二三四五六七八九十][枚体回人ツ度]|上限|最大")

# What a query asks for → how it says so (in the text as typed).
ASKED = {
    "definition": re.compile(r"(?:とは|って何|ってなに|ってなん|ってどういう|の意味|[はて]何[?？]?$|とはなん)"),
    "list": re.compile(r"一覧|種類|リスト|全部で|すべて教|(?:何|なに|どれ|どんな.{0,6})があ"),
    "when": re.compile(r"いつ|何時|タイミング|ときに使"),
    "number": re.compile(r"何[枚体回人点個つ度]|なん(?:まい|たい|かい|にん)|いくつ|枚数|回数|人数|上限"),
    "yes_no": re.compile(
        r"(?:できる|れる|える|せる|てる|ある|いる|する|[うくぐすつぬぶむる]の?|いい|よい|ダメ|だめ|[まで]すか|ませんか|か)[?？]?$"
    ),
}


def asked_for(text: str) -> frozenset[str]:
    """Return what a query asks for: a definition, a list, a time, a number, yes or no."""
    return frozenset(kind for kind, pattern in ASKED.items() if pattern.search(text.strip()))


@dataclass(frozen=True, slots=True)
class Look:
    """What the second look compares with."""

    concepts: tuple[Concept, ...]
    information: tuple[float, ...]
    whole: str  # the squeezed query
    asked: frozenset[str]
    # Of each concept what it weighs, and its ways to say it, each with its discount: taken out once, not for each text.
    weights: list[float] = field(init=False)
    words: list[list[tuple[str, float]]] = field(init=False)

    def __post_init__(self) -> None:
        pairs = zip(self.concepts, self.information, strict=True)
        object.__setattr__(self, "weights", [concept.weight * informs for concept, informs in pairs])
        words = [[(one.text, one.discount) for one in concept.alternatives if one.text] for concept in self.concepts]
        object.__setattr__(self, "words", words)


@dataclass(frozen=True, slots=True)
class Judged:
    """A document after the second look."""

    found: Found
    score: float
    parts: dict[str, float]  # what the second look added, by name
    factor: float
    lifted_from: float | None = None  # its own score, where another's lifts it (see `hierarchy`)


def looked_at(scores: Sequence[float]) -> int:
    """Return how many of the best results are worth a second look, by their scores, which fall."""
    some = scores[:LOOKED_AT_TWICE]
    close = sum(score >= CLOSE * some[0] for score in some)
    return max(close, min(LOOKED_AT_ALWAYS, len(some)))


def second_look(found: list[Found], look: Look) -> list[Judged]:
    """Return the documents in their final order, with their final scores; ties by the entry's id."""
    judged = []
    for one in found:
        parts, factor = explain(one, look)
        judged.append(Judged(one, one.score * (1.0 + sum(parts.values())) * factor, parts, factor))
    return sorted(judged, key=lambda one: (-round(one.score, 6), one.found.entry))


class _Text:
    """The texts of a document, in one: where a word stands tells in which field."""

    __slots__ = ("body", "context", "own", "title", "to_body", "to_title")

    def __init__(self, texts: dict[str, str]) -> None:
        self.title, self.body = texts.get("title", ""), texts.get("body", "")
        self.context = texts.get("context", "")
        self.own = f"{self.title}\n{self.body}\n{texts.get('examples', '')}"  # no word holds a line's end
        self.to_title = len(self.title)
        self.to_body = self.to_title + 1 + len(self.body)

    def first_field(self, word: str, at: int) -> str:
        """Return the field in which the first `word` stands, found `at` (-1: not in the document's own)."""
        if at < 0:
            return "context" if word in self.context else ""
        end = at + len(word)
        return "title" if end <= self.to_title else "body" if end <= self.to_body else "examples"


def explain(found: Found, look: Look) -> tuple[dict[str, float], float]:
    """Return what the second look adds, by name, and the factor of the sum."""
    text = _Text(found.texts)
    whole = text.first_field(look.whole, text.own.find(look.whole))
    added, places = [], []
    for words in look.words:
        adds, at = _of_concept(words, text, look.asked)
        added.append(adds)
        places.append(at)
    weighed = [weight * one for weight, one in zip(look.weights, added, strict=True)]
    parts = {
        "whole": WHOLE_QUERY.get(whole, 0.0),
        "concepts": sum(weighed) / (sum(look.weights) or 1.0),
        "stretch": STRETCH * _longest_stretch(look.whole, text.own) / max(len(look.whole), 8),
        "near": NEAR * _near(places),
        "answers": ANSWERS if "yes_no" in look.asked and text.body.startswith(("ハイ", "イイエ")) else 0.0,
        "when": SAYS_WHEN if "when" in look.asked and _WHEN.search(text.body) else 0.0,
        "number": SAYS_HOW_MANY if "number" in look.asked and _HOW_MANY.search(text.body) else 0.0,
    }
    return parts, 1.0 if text.body else HEADING_ONLY


def _of_concept(words: list[tuple[str, float]], text: _Text, asked: frozenset[str]) -> tuple[float, list[int]]:
    """Return what a concept adds, and where it stands in the document's own texts.

    A word gives most in the first field that holds it: the shares of fields fall in their order.
    """
    best, places = 0.0, list[int]()
    own, body = text.own, text.body
    for word, discount in words:
        at = own.find(word)
        where = text.first_field(word, at)
        if not where:
            continue
        bonus = AS_WRITTEN[where] + (TITLE_IS_IT if where == "title" and text.title == word else 0.0)
        best = max(best, bonus * discount)
        if where == "body" or (where == "title" and word in body):
            if _defines(word, body):
                gain = DEFINES * (DEFINITION_ASKED if "definition" in asked else 1.0)
                best = max(best, (AS_WRITTEN["body"] + gain) * discount)
            if "list" in asked and f"{word}ニハ" in body:
                best += LISTS
        if len(word) > 1:
            while at >= 0 and len(places) < MOST_PLACES:
                places.append(at)
                at = own.find(word, at + len(word))
    return best, places


def _defines(word: str, text: str) -> bool:
    """Whether a text that holds a word says what it is: it opens with it as its subject, or says what is called so."""
    at = text.find(word)
    if at == 0 and text.startswith(_SUBJECT, len(word)):
        return True
    while at >= 0:
        end = at + len(word)
        if text.startswith(_CALLED, end) or (text.startswith("デス", end) and text.endswith("ハ", 0, at)):
            return True
        at = text.find(word, at + 1)
    return False


def _near(places: list[list[int]]) -> float:
    """Return the share of neighbouring concepts that stand near each other in a text."""
    if len(places) < 2:
        return 0.0
    held = sum([_are_near(left, right) for left, right in pairwise(places) if left and right])
    return held / (len(places) - 1)


def _are_near(places: list[int], others: list[int]) -> bool:
    return any([abs(one - other) <= NEAR_BY for one in places for other in others])  # noqa: C419 - half the time


def _longest_stretch(whole: str, text: str) -> int:
    """Return the length of the longest stretch of the query, from four characters on, in a text."""
    best, start = 3, 0
    while start + best < len(whole):
        if whole[start : start + best + 1] in text:
            best += 1
        else:
            start += 1
    return best if best > 3 else 0

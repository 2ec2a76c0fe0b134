"""What weighs how much: the one table of the ranking, and the second look at the best documents.

The engine finds and scores; the second look compares the texts themselves with what was asked.
"""

import re
from dataclasses import dataclass
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
LOOKED_AT_TWICE = 80

# -- the second look: added to 1.0, then multiplied with the score ----------------------------------------------
WHOLE_QUERY = {"title": 2.0, "body": 0.8, "examples": 0.4, "context": 0.0}  # the query stands there as typed
AS_WRITTEN = {"title": 0.35, "body": 0.25, "examples": 0.1, "context": 0.05}  # a concept, by its information
TITLE_IS_IT = 0.4  # the title is the concept and nothing else
DEFINES = 1.1  # the text opens with the concept as its subject (…は、…とは)
STRETCH = 1.0  # the longest stretch of the query that stands in the text, as a share of the query
NEAR = 0.2  # neighbours in the query stand near each other, as a share of the pairs
NEAR_BY = 16  # characters
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


@dataclass(frozen=True, slots=True)
class Judged:
    """A document after the second look."""

    found: Found
    score: float
    parts: dict[str, float]  # what the second look added, by name
    factor: float
    lifted_from: float | None = None  # its own score, where another's lifts it (see `hierarchy`)


def second_look(found: list[Found], look: Look) -> list[Judged]:
    """Return the documents in their final order, with their final scores; ties by the entry's id."""
    judged = []
    for one in found:
        parts, factor = explain(one, look)
        judged.append(Judged(one, one.score * (1.0 + sum(parts.values())) * factor, parts, factor))
    return sorted(judged, key=lambda one: (-round(one.score, 6), one.found.entry))


def explain(found: Found, look: Look) -> tuple[dict[str, float], float]:
    """Return what the second look adds, by name, and the factor of the sum."""
    texts = found.texts
    title, body = texts.get("title", ""), texts.get("body", "")
    own = "\n".join((title, body, texts.get("examples", "")))
    parts = {
        "whole": max(
            (share for field, share in WHOLE_QUERY.items() if look.whole in texts.get(field, "")), default=0.0
        ),
        "concepts": _concepts(look, texts),
        "stretch": STRETCH * _longest_stretch(look.whole, own) / max(len(look.whole), 8),
        "near": NEAR * _near(look.concepts, own),
        "answers": ANSWERS if "yes_no" in look.asked and body.startswith(("ハイ", "イイエ")) else 0.0,
        "when": SAYS_WHEN if "when" in look.asked and _WHEN.search(body) else 0.0,
        "number": SAYS_HOW_MANY if "number" in look.asked and _HOW_MANY.search(body) else 0.0,
    }
    return parts, 1.0 if body else HEADING_ONLY


def _concepts(look: Look, texts: dict[str, str]) -> float:
    """Return what the concepts add, each by its information."""
    weights = [concept.weight * informs for concept, informs in zip(look.concepts, look.information, strict=True)]
    whole = "\n".join(texts.values())
    added = [_as_written(concept, texts, whole, look.asked) for concept in look.concepts]
    return sum(weight * one for weight, one in zip(weights, added, strict=True)) / (sum(weights) or 1.0)


def _as_written(concept: Concept, texts: dict[str, str], whole: str, asked: frozenset[str]) -> float:
    """Return what a concept adds; `whole`: all the texts, in which most words do not stand at all."""
    best = 0.0
    body = texts.get("body", "")
    for alternative in concept.alternatives:
        word = alternative.text
        if not word or word not in whole:
            continue
        for field, share in AS_WRITTEN.items():
            text = texts.get(field, "")
            if word in text:
                bonus = share + (TITLE_IS_IT if field == "title" and text == word else 0.0)
                best = max(best, bonus * alternative.discount)
        if word in body and _defines(word, body):
            gain = DEFINES * (DEFINITION_ASKED if "definition" in asked else 1.0)
            best = max(best, (AS_WRITTEN["body"] + gain) * alternative.discount)
        if "list" in asked and f"{word}ニハ" in body:
            best += LISTS
    return best


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


def _near(concepts: tuple[Concept, ...], text: str) -> float:
    """Return the share of neighbouring concepts that stand near each other in a text."""
    if len(concepts) < 2:
        return 0.0
    places = [_places(concept, text) for concept in concepts]
    held = sum(_are_near(left, right) for left, right in pairwise(places) if left and right)
    return held / (len(concepts) - 1)


def _are_near(places: list[int], others: list[int]) -> bool:
    return any(abs(one - other) <= NEAR_BY for one in places for other in others)


def _places(concept: Concept, text: str, limit: int = 8) -> list[int]:
    found: list[int] = []
    for alternative in concept.alternatives:
        word = alternative.text
        at = text.find(word) if len(word) > 1 else -1
        while at >= 0 and len(found) < limit:
            found.append(at)
            at = text.find(word, at + len(word))
    return found


def _longest_stretch(whole: str, text: str) -> int:
    """Return the length of the longest stretch of the query, from four characters on, in a text."""
    best, start = 3, 0
    while start + best < len(whole):
        if whole[start : start + best + 1] in text:
            best += 1
        else:
            start += 1
    return best if best > 3 else 0

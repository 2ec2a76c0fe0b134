"""What weighs how much: the one table of the ranking, and the second look at the best documents.

The engine finds and scores; the second look compares the texts themselves with what was asked.
"""

import re
from dataclasses import dataclass

from rulings.search.engine import Concept, Found

# -- the engine's first look -----------------------------------------------------------------------------------
FIELD_BOOSTS = {"title": 1.7, "body": 1.0, "examples": 0.6, "context": 0.2}
LABEL_BOOSTS = {
    "authority:organizer": 0.98,
    "authority:community": 0.96,
    "authority:house": 0.94,
    "status:needs_review": 0.97,
    "status:superseded": 0.6,
    "status:withdrawn": 0.6,
}
NAMED_RULESET = 1.5  # factor for the ruleset that the query names
MINIMUM_COVERAGE = 0.35
SYNONYM_DISCOUNT = 0.9
FILLER_WEIGHT = 0.25  # できない, どっち
VERB_WEIGHT = 0.6
COUNTER_WEIGHT = 0.5  # 2つ, 1体
LOOKED_AT_TWICE = 80

# -- the second look: added to 1.0, then multiplied with the score ----------------------------------------------
WHOLE_QUERY = {"title": 0.5, "body": 0.4, "examples": 0.2, "context": 0.0}  # the query stands there as typed
AS_WRITTEN = {"title": 0.35, "body": 0.25, "examples": 0.1}  # a concept, by its information
TITLE_IS_IT = 0.4  # the title is the concept and nothing else
DEFINES = 0.8  # the text opens with the concept as its subject (…は、…とは)
STRETCH = 0.5  # the longest stretch of the query that stands in the text, as a share of the query
ANSWERS = 0.1  # a question was asked, this is a question with an answer
LISTS = 0.8  # a list was asked for, the text gives one (…には)
HEADING_ONLY = 0.75  # factor: a heading without a text answers nothing

# -- results that the engine did not find -----------------------------------------------------------------------
NUMBER_ITSELF = 1000.0
NUMBER_CITED = 900.0
NUMBER_CHILD = 800.0
CARD = 500.0
CARDS_IN_FRONT = 3  # card results before the second ruling
CARDS_BESIDE_WORDS = 2  # card results for a name inside a longer query


_SUBJECT = ("ハ", "トハ", "ニハ", "デハ")  # particles, folded
_CALLED = ("トハ", "ト呼バレ", "ト呼ビ", "トイイ", "ト言イ")
_QUESTION = re.compile(r"[?？]|(?:か|の|できる|れる|える|いい|よい)[?？]?$|いつ|誰|どう|どっち|どちら|何|なぜ")


def is_question(text: str) -> bool:
    """Whether a query asks something."""
    return bool(_QUESTION.search(text))


def asks_list(text: str) -> bool:
    """Whether a query asks for all there are."""
    return bool(re.search(r"一覧|種類|リスト|全部|すべて教", text))


@dataclass(frozen=True, slots=True)
class Look:
    """What the second look compares with."""

    concepts: tuple[Concept, ...]
    information: tuple[float, ...]
    whole: str  # the squeezed query
    is_question: bool
    asks_list: bool


def second_look(found: list[Found], look: Look) -> list[Found]:
    """Return the documents in their final order, with their final scores; ties by the entry's id."""
    judged = [Found(one.id, one.entry, one.score * _factor(one, look), one.coverage, one.texts) for one in found]
    return sorted(judged, key=lambda one: (-round(one.score, 6), one.entry))


def _factor(found: Found, look: Look) -> float:
    return (1.0 + _bonus(found, look)) * (1.0 if found.texts.get("body") else HEADING_ONLY)


def _bonus(found: Found, look: Look) -> float:
    texts = found.texts
    bonus = max((share for field, share in WHOLE_QUERY.items() if look.whole in texts.get(field, "")), default=0.0)
    total = sum(_weight(concept, informs) for concept, informs in zip(look.concepts, look.information, strict=True))
    for concept, informs in zip(look.concepts, look.information, strict=True):
        bonus += _as_written(concept, texts, look.asks_list) * _weight(concept, informs) / (total or 1.0)
    bonus += STRETCH * _longest_stretch(look.whole, texts) / max(len(look.whole), 8)
    if look.is_question and texts.get("body", "").startswith(("ハイ", "イイエ")):
        bonus += ANSWERS
    return bonus


def _weight(concept: Concept, informs: float) -> float:
    return concept.weight * informs


def _as_written(concept: Concept, texts: dict[str, str], asks_list: bool) -> float:
    best = 0.0
    for alternative in concept.alternatives:
        if not alternative.text:
            continue
        for field, share in AS_WRITTEN.items():
            text = texts.get(field, "")
            if alternative.text in text:
                bonus = share + (TITLE_IS_IT if field == "title" and text == alternative.text else 0.0)
                best = max(best, bonus * alternative.discount)
        if _defines(alternative.text, texts.get("body", "")):
            best = max(best, (AS_WRITTEN["body"] + DEFINES) * alternative.discount)
        if asks_list and f"{alternative.text}ニハ" in texts.get("body", ""):
            best += LISTS
    return best


def _defines(word: str, text: str) -> bool:
    """Whether a text says what a word is: it opens with it as its subject, or says what is called so."""
    opens = text.startswith(tuple(word + subject for subject in _SUBJECT))
    return opens or any(word + called in text for called in _CALLED)


def _longest_stretch(whole: str, texts: dict[str, str]) -> int:
    """Return the length of the longest stretch of the query, from four characters on, in title, body or examples."""
    text = "\n".join(texts.get(field, "") for field in ("title", "body", "examples"))
    best, start = 3, 0
    while start + best < len(whole):
        if whole[start : start + best + 1] in text:
            best += 1
        else:
            start += 1
    return best if best > 3 else 0

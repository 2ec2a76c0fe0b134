"""A word that few documents hold is also looked for as the words near it (see `neighbours`).

Which words are near is of the language; which of them this index holds, and whether a word is rare, is asked now.
"""

from dataclasses import replace

from rulings.search.engine import Alternative, Concept, Holding
from rulings.search.neighbours import Neighbours, table
from rulings.search.ranking import COUNTER_WEIGHT, MOST_NEAR, NEAR_DISCOUNT, NEAR_HELD_BY, RARE


def widened(concepts: tuple[Concept, ...], holding: Holding) -> tuple[Concept, ...]:
    """Return the concepts, those of one rare word with the words near it."""
    known = table()
    return tuple(_wider(concept, holding, known) for concept in concepts) if known else concepts


def _wider(concept: Concept, holding: Holding, near_by: Neighbours) -> Concept:
    word = _word_of(concept)
    if not word or holding(word) > RARE:
        return concept
    near = near_by.held(word, holding, NEAR_HELD_BY, MOST_NEAR)
    said = {one.text for one in concept.alternatives}
    more = (
        Alternative(other, (other,), (), NEAR_DISCOUNT * likeness, is_near=True)
        for other, likeness in near
        if other not in said
    )
    return replace(concept, alternatives=(*concept.alternatives, *more))


def _word_of(concept: Concept) -> str:
    """Return the word that a concept is, empty where it is a card, a count or several words."""
    typed = concept.alternatives[0]
    is_word = len(typed.words) == 1 and not typed.labels and concept.weight > COUNTER_WEIGHT
    return typed.words[0] if is_word else ""


def near_words(concepts: tuple[Concept, ...], text: str) -> dict[str, float]:
    """Return the words near those of a query that stand in a text, with what they weigh."""
    near = [one for concept in concepts for one in concept.alternatives if one.is_near]
    return {one.text: one.discount for one in near if one.text in text}

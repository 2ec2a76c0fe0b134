"""Numbers that somebody may have meant who wrote one that does not exist."""

from bisect import bisect_left
from collections.abc import Sequence

from rapidfuzz.distance import OSA

from rulings.text.numbers import RuleNumber, parse_number

SLIPS = 1  # letters or digits wrong, missing, too many or swapped


def near_numbers(wanted: str, known: Sequence[str], limit: int = 3) -> list[str]:
    """Return the numbers of `known` that are one slip away from `wanted`, the nearest in the book first.

    Where none is, those that stand around it: what it would stand under, and its neighbours there.
    """
    number = parse_number(wanted)
    if number is None:
        return []
    parsed = {one: parsed for one in known if (parsed := parse_number(one)) is not None}
    book = sorted(parsed, key=lambda one: parsed[one].sort_key)
    keys = [parsed[one].sort_key for one in book]
    place = bisect_left(keys, number.sort_key)

    def away(index: int) -> tuple[bool, int]:
        other = parsed[book[index]]
        return _stem(other) != _stem(number) and other != number.parent, abs(index - place)

    slips = [index for index, one in enumerate(book) if OSA.distance(wanted, one, score_cutoff=SLIPS) <= SLIPS]
    around = [index for index, one in enumerate(book) if _is_around(number, parsed[one])]
    return [book[index] for index in sorted(slips or around, key=away)[:limit]]


def _stem(number: RuleNumber) -> tuple[str, str]:
    return number.chapter, number.rule


def _is_around(number: RuleNumber, other: RuleNumber) -> bool:
    """Whether `other` is what `number` would stand under, or stands beside it."""
    if number.letter and number.rule:
        return _stem(other) == _stem(number)
    return other.chapter == number.chapter and not other.letter

"""Rules under one another, in results."""

import pytest

from rulings.search.engine import Found
from rulings.search.hierarchy import Standing, in_order
from rulings.search.ranking import Judged

RULE, SUBRULE, OTHER = 1, 2, 3


def judged(entry: int, score: float, body: str = "文") -> Judged:
    return Judged(Found(entry, entry, score, 1.0, {"body": body}), score, {}, 1.0)


def standing(parent: int | None, order: str, *, is_label: bool = False) -> Standing:
    return Standing(parent, order, is_label)


RULES = {RULE: standing(None, "1"), SUBRULE: standing(RULE, "1a"), OTHER: standing(None, "2")}


def order(found: list[Judged], standings: dict[int, Standing]) -> list[int]:
    return [one.found.entry for one in in_order(found, standings)]


@pytest.mark.parametrize(
    ("rule", "subrule", "other", "expected"),
    [
        (9.0, 10.0, 1.0, [RULE, SUBRULE, OTHER]),  # both answer: the general rule first
        (8.4, 10.0, 9.0, [SUBRULE, OTHER, RULE]),  # it says less of what was asked
        (8.6, 10.0, 9.0, [RULE, SUBRULE, OTHER]),
        (11.0, 10.0, 10.5, [RULE, OTHER, SUBRULE]),
    ],
)
def test_a_general_rule_stands_before_its_particulars(rule, subrule, other, expected) -> None:
    assert order([judged(RULE, rule), judged(SUBRULE, subrule), judged(OTHER, other)], RULES) == expected


@pytest.mark.parametrize(
    ("is_label", "expected"),
    [(False, [RULE, SUBRULE, OTHER]), (True, [SUBRULE, RULE, OTHER])],
)
def test_a_heading_without_a_text_answers_by_what_stands_under_it(is_label, expected) -> None:
    standings = RULES | {RULE: standing(None, "1", is_label=is_label)}
    assert order([judged(RULE, 10.0, body=""), judged(OTHER, 9.0), judged(SUBRULE, 1.0)], standings) == expected


def test_of_what_stands_under_a_heading_the_first_in_the_book_is_lifted() -> None:
    standings = {RULE: standing(None, "1"), SUBRULE: standing(RULE, "1b"), OTHER: standing(RULE, "1a")}
    found = [judged(RULE, 10.0, body=""), judged(SUBRULE, 2.0), judged(OTHER, 1.0)]
    assert order(found, standings) == [RULE, OTHER, SUBRULE]


def test_a_lifted_score_tells_its_own() -> None:
    rule = in_order([judged(RULE, 9.0), judged(SUBRULE, 10.0)], RULES)[0]
    assert (rule.score, rule.lifted_from) == (10.0, 9.0)


def test_what_stands_nowhere_keeps_its_order() -> None:
    found = [judged(SUBRULE, 3.0), judged(RULE, 2.0)]
    assert in_order(found, {}) == found

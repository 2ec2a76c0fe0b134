"""What somebody may have meant who wrote a number that does not exist."""

import pytest

from rulings.text.near_numbers import near_numbers

BOOK = [
    "805",
    "805.1",
    "805.4",
    "805.4a",
    "805.4b",
    "805.9",
    "850.4",
    "114",
    "114.5",
    "703.4m",
    "311.2",
    "311.2~2",
    "名",
]


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("805.4z", ["805.4b", "805.4a", "805.4"]),  # beside it, and what it would stand under
        ("114.6", ["114.5"]),
        ("805.99", ["805.9"]),  # one digit too many
        ("805.44", ["805.4b", "805.4a", "805.4"]),
        ("850.4a", ["850.4", "805.4a"]),  # the parent, and swapped digits
        ("703.4", ["703.4m"]),
        ("805.77", ["805", "805.9", "805.4"]),  # nothing a slip away: its chapter, and its neighbours there
        ("999.1", []),
        ("x", []),
        ("", []),
    ],
)
def test_near(wanted: str, near: list[str]) -> None:
    assert near_numbers(wanted, BOOK) == near


def test_bounded() -> None:
    many = [f"{chapter}.{rule}" for chapter in range(100, 400) for rule in range(1, 30)]
    assert len(near_numbers("250.99", many)) <= 3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.text.numbers import RuleNumber, parse_number

NUMBERS = st.builds(
    lambda chapter, rule, letter: RuleNumber(str(chapter), str(rule) if rule else "", letter if rule else ""),
    st.integers(100, 999),
    st.integers(0, 40),
    st.sampled_from(["", "a", "b", "z", "aa"]),
)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("301", "301"),
        ("301.", "301"),
        ("301.5", "301.5"),
        ("301.5.", "301.5"),
        ("301.5a", "301.5a"),
        ("301.5A", "301.5a"),
        ("301.5.a", "301.5a"),
        ("３０１．５ａ", "301.5a"),
        ("301-5a", "301.5a"),
        ("301・5", "301.5"),
        ("301.12 b", "301.12b"),
        ("000.1.", "000.1"),
        ("301.2~2", "301.2~2"),
    ],
)
def test_a_number_in_any_writing(raw: str, expected: str) -> None:
    assert str(parse_number(raw)) == expected


@pytest.mark.parametrize("raw", ["", "あ", "301.5abc", "a301", "12345", "301.5a.1", "301..5"])
def test_what_is_no_number(raw: str) -> None:
    assert parse_number(raw) is None


@pytest.mark.parametrize(("number", "parent"), [("301.5a", "301.5"), ("301.5", "301"), ("301", "None")])
def test_parents(number: str, parent: str) -> None:
    read = parse_number(number)
    assert read is not None
    assert str(read.parent) == parent


@given(st.lists(NUMBERS, min_size=2, max_size=8))
def test_sort_keys_order_as_numbers_do(numbers: list[RuleNumber]) -> None:
    def key(number: RuleNumber) -> tuple[int, int, str]:
        return int(number.chapter), int(number.rule or 0), number.letter

    assert [str(n) for n in sorted(numbers, key=lambda n: n.sort_key)] == [str(n) for n in sorted(numbers, key=key)]


@given(NUMBERS)
def test_a_number_reads_back(number: RuleNumber) -> None:
    assert parse_number(str(number)) == number


@given(st.text(max_size=60))
def test_any_text_is_survived(text: str) -> None:
    parse_number(text)

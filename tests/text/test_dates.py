from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.text.dates import find_date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2022.9.20", date(2022, 9, 20)),
        ("掲載日：2026年2月13日", date(2026, 2, 13)),
        ("更新 2025 年12 月17 日 ", date(2025, 12, 17)),
        ("Last Update 2014/3/8 ", date(2014, 3, 8)),
        ("2014-03-08T10:00", date(2014, 3, 8)),
        ("令和8年2月13日", date(2026, 2, 13)),
        ("令和元年５月１日", date(2019, 5, 1)),
        ("平成26年3月8日", date(2014, 3, 8)),
        ("R8.2.13", date(2026, 2, 13)),
        ("２０２６年２月１３日", date(2026, 2, 13)),
        ("２０２６．２．１３", date(2026, 2, 13)),
        ("ゲームに置きます。2022.9.20", date(2022, 9, 20)),
        ("2026.2.30", None),
        ("2026年13月1日", None),
        ("2026.2.30 は誤りで 2026.3.2", date(2026, 3, 2)),
        ("Ver.1.48", None),
        ("305.2.1", None),
        ("12026.2.13", None),
        ("2026.2.131", None),
        ("2026年2月", None),
        ("", None),
    ],
)
def test_find_date(text: str, expected: date | None) -> None:
    assert find_date(text) == expected


@given(
    st.dates(date(1990, 1, 1), date(2099, 12, 31)),
    st.sampled_from(["{}.{}.{}", "{}/{}/{}", "{}年{}月{}日", "{}-{}-{}"]),
)
def test_every_writing_of_a_date_is_read(day: date, writing: str) -> None:
    assert find_date(f"公開：{writing.format(day.year, day.month, day.day)}（改定）") == day


@given(st.text())
def test_any_text_is_survived(text: str) -> None:
    find_date(text)

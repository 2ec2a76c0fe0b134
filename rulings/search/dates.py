"""Dates as numbers that an index compares."""

from datetime import date

FAR_PAST, FAR_FUTURE = 0, 4_000_000


def since_ordinal(day: date | None) -> int:
    return FAR_PAST if day is None else day.toordinal()


def until_ordinal(day: date | None) -> int:
    return FAR_FUTURE if day is None else day.toordinal()

"""Dates as Japanese documents write them."""

import re
import unicodedata
from datetime import date

# The year before each era's first.
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "R": 2018, "H": 1988, "S": 1925}

_ERA_NAME = r"(?P<era>令和|平成|昭和|(?<![A-Za-z])[RHS])"
_SEPARATOR = r"\s{0,3}[-./年‐‑–—−]\s{0,3}"
_DATE = re.compile(
    rf"(?:{_ERA_NAME}\s{{0,3}}(?P<era_year>\d{{1,2}}|元)|(?<!\d)(?P<year>(?:19|20)\d\d)){_SEPARATOR}"
    rf"(?P<month>\d{{1,2}}){_SEPARATOR.replace('年', '月')}(?P<day>\d{{1,2}})(?!\d)"
)


def _date_of(match: re.Match[str]) -> date | None:
    if match["era"]:
        year = _ERAS[match["era"]] + (1 if match["era_year"] == "元" else int(match["era_year"]))
    else:
        year = int(match["year"])
    try:
        return date(year, int(match["month"]), int(match["day"]))
    except ValueError:
        return None


def find_date(text: str) -> date | None:
    """Return the first date written in `text` (2022.9.20, 2026年2月13日, 令和8年2月13日), None when none is.

    A writing that names no day of the calendar (2026.2.30) is no date.
    """
    for match in _DATE.finditer(unicodedata.normalize("NFKC", text)):
        found = _date_of(match)
        if found is not None:
            return found
    return None

"""Lines that a page carries and its text does not: page numbers, running heads, marks of the publisher."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_PAGE = re.compile(
    r"(?:[-–—‐]\s?(\d{1,4})\s?[-–—‐]|(\d{1,4})(?:\s?/\s?\d{1,4})?|(?:page|p\.)\s?(\d{1,4}).{0,9}|(\d{1,4})\s?ページ)",
    re.I,
)
_CLOSING = re.compile(r"(?:©|\(c\)|copyright\b|以\s?上$|all rights reserved)", re.IGNORECASE)
_FEWEST = 3


def find_furniture(lines: Sequence[str], body_line: int) -> dict[int, str]:
    """Return the lines that belong to the page: line number → reason."""
    found = dict.fromkeys(_page_numbers(lines), "ページ番号")
    counts = Counter(_shape(line) for line in lines)
    heads = {_shape(line) for line in lines[: body_line - 1] if line.strip() and len(line) < 80}
    for number, line in enumerate(lines[body_line - 1 :], body_line):
        if len(line) < 80 and _shape(line) in heads and counts[_shape(line)] >= _FEWEST:
            found[number] = "柱（ページの見出し）"
        elif len(line) < 200 and _CLOSING.match(unicodedata.normalize("NFKC", line.strip())):
            found[number] = "奥付"
    return found


def _shape(line: str) -> str:
    return "".join(line.split()) if len(line) < 80 else ""


def page_number(line: str) -> int | None:
    """Return the number of a line that holds a number alone, as pages are numbered; None for any other line."""
    match = _PAGE.fullmatch(unicodedata.normalize("NFKC", line.strip())) if len(line) < 40 else None
    return int(next(group for group in match.groups() if group)) if match else None


def _page_numbers(lines: Sequence[str]) -> list[int]:
    """Lines that hold a number alone are page numbers when, all together, they count upwards."""
    found = [(at, page) for at, line in enumerate(lines, 1) if (page := page_number(line)) is not None]
    rising = all(0 < after - before <= 3 for (_, before), (_, after) in zip(found, found[1:], strict=False))
    return [at for at, _ in found] if rising and len(found) >= _FEWEST else []

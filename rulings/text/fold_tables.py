"""The tables of the fold as a JavaScript module, so that a browser without a network folds as the server does.

`python -m rulings.text.fold_tables > static/js/offline/tables.js`; a test holds the file to what this writes.
"""

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator

from rulings.text import fold


def _ranges(points: Iterable[int]) -> Iterator[list[int]]:
    """Run code points together: [first, last] of each run."""
    first = last = -2
    for point in points:
        if point != last + 1:
            if last >= 0:
                yield [first, last]
            first = point
        last = point
    if last >= 0:
        yield [first, last]


def tables() -> dict[str, object]:
    """Everything that the fold looks up, by name."""
    every = [chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF]
    return {
        "DASHES": "".join(sorted(fold.DASHES)),
        "TILDES": "".join(sorted(fold.TILDES)),
        "DROPPED": "".join(sorted(fold.DROPPED)),
        "VOICING": fold.VOICING,
        "VU_ROW": fold.VU_ROW,
        "ONE_TO_ONE": {chr(old): _text(new) for old, new in (fold.KANJI | fold.KANA | fold.BRACKETS).items()},
        "CASEFOLD": {char: char.casefold() for char in every if char.casefold() != char.lower()},
        "COMBINING": list(_ranges(ord(char) for char in every if unicodedata.combining(char))),
    }


def _text(mapped: str | int | None) -> str:
    return chr(mapped) if isinstance(mapped, int) else mapped or ""


def module() -> str:
    """The JavaScript module."""
    lines = ["// Written by rulings/text/fold_tables.py; do not edit."]
    for name, value in tables().items():
        lines.append(f"export const {name} = {json.dumps(value, ensure_ascii=True, separators=(',', ':'))};")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(module())

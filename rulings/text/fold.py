"""The one fold of Japanese text, used for the index, for queries and for names alike.

A fold forgets how a thing was written (width, kana kind, case, dashes, spaces, brackets) and keeps a map
back to the original, so that what was found can be shown exactly where it stands.
"""

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; `starts[i]`, `ends[i]` bound the original characters that became `text[i]`."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text behind `text[start:end]` (a non-empty range)."""
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Fold `text`, keeping offsets. (First version: NFKC, case, hiragana to katakana, dashes.)"""
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for index, char in enumerate(text):
        for folded in unicodedata.normalize("NFKC", char).casefold():
            if "ぁ" <= folded <= "ゖ":
                folded = chr(ord(folded) + 0x60)
            chars.append(folded)
            starts.append(index)
            ends.append(index + 1)
    return Folded("".join(chars), tuple(starts), tuple(ends))


def fold_key(text: str) -> str:
    """Return the key under which a name is looked up: folded, without spaces, middle dots, quotes, marks."""
    return "".join(char for char in fold(text).text if char == "ー" or char.isalnum())

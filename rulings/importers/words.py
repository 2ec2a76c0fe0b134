"""Lists of players' words: `word → rules' words`, one a line."""

import re

from rulings.importers.records import ParseWarning, WordRecord

ARROW = re.compile(r"\s*(?:→|=>)\s*")
SEPARATOR = re.compile(r"[、,，\n]")
LONGEST_WORD, LONGEST_WORDS = 50, 500  # characters that the model holds


def parse_words(text: str) -> tuple[list[WordRecord], list[ParseWarning]]:
    """Read a list: `#` opens a comment, `、` stands between several ways to say a word, the best first.

    A word without an arrow is one that stands for itself (キング・セル). Lines that cannot be used are told.
    """
    found: list[WordRecord] = []
    warnings: list[ParseWarning] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        word, *said = ARROW.split(line.strip())
        words = split_words(said[0]) if said else (word,)
        if len(said) > 1 or not word or not words:
            warnings.append(
                ParseWarning("word_line", f"「{line.strip()[:40]}」は読めません（言葉 → 言い換え）。", number)
            )
        elif len(word) > LONGEST_WORD or len("、".join(words)) > LONGEST_WORDS:
            warnings.append(ParseWarning("word_long", f"「{word[:40]}」の行は長すぎます。", number))
        else:
            found.append(WordRecord(word, words, number))
    return found, warnings


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a list, each once."""
    return tuple(dict.fromkeys(word for part in SEPARATOR.split(text) if (word := part.strip())))

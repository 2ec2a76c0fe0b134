"""In what situation of the game a ruling speaks: told by its words and by the headings of the rules that it cites."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

MOST = 3  # how often a word counts at most in one text: a long answer that repeats itself says no more


@dataclass(frozen=True, slots=True)
class Situation:
    """A situation of a game, with the rules' words (regular expressions) that speak of it."""

    slug: str
    label: str
    words: tuple[str, ...]
    weight: float = 1.0  # below 1 for words that stand in most rulings (効果, 能力)
    pattern: re.Pattern[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", re.compile("|".join(self.words)))

    def count(self, text: str) -> int:
        """How strongly `text` speaks of the situation."""
        return min(MOST, sum(1 for _match in self.pattern.finditer(text)))


def ruling_texts(title: str, body: str, headings: Iterable[str], brackets: Sequence[str]) -> list[tuple[str, float]]:
    """The texts of a ruling with their weights: what is asked weighs most, then the headings of the rules it cites.

    Names of cards (in `brackets`) are left out: they say nothing of the situation.
    """
    names = re.compile(
        "|".join(f"{re.escape(pair[0])}[^{re.escape(pair[1])}]*{re.escape(pair[1])}" for pair in brackets) or r"(?!)"
    )
    title, body = names.sub("", title), names.sub("", body)
    sentences = [sentence for sentence in re.split(r"[。\n]", title) if sentence.strip()]
    asked = sentences[-1] if sentences else ""
    return [(title, 1.0), (asked, 2.0), (body, 1.0), *((heading, 1.5) for heading in headings)]


def situation_of(texts: Iterable[tuple[str, float]], situations: Sequence[Situation]) -> Situation | None:
    """The situation that weighted texts speak of most, of equals the earlier one; None when they speak of none."""
    scores = dict.fromkeys(situations, 0.0)
    for text, weight in texts:
        for situation in situations:
            scores[situation] += weight * situation.weight * situation.count(text)
    best = max(situations, key=lambda situation: scores[situation], default=None)
    return best if best is not None and scores[best] > 0 else None

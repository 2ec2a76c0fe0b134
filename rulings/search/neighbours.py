"""Which words are near a word, learned elsewhere: a table of the language, mapped into memory.

The table (`neighbours.arr`, made by `neighbour_making`) knows some 44,000 words in 14,000 groups; words of one group
were one to those who learned it. Which of them the index holds is decided when a query is asked.
"""

import logging
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from rulings.search.engine import Holding
from rulings.search.sidecar import Arrays, NotASidecar, read

logger = logging.getLogger(__name__)

FILE = Path(__file__).with_name("data") / "neighbours.arr"
FULL = 255  # of likeness, which is kept in as many steps
SAME_GROUP = 0.95  # likeness of words that were one to those who learned them


class Neighbours:
    """The table."""

    def __init__(self, arrays: Arrays) -> None:
        self._letters, self._bounds = arrays["letters"].data, arrays["bounds"].data  # words in order of their bytes
        self._groups = arrays["groups"].data  # of each word
        self._members, self._firsts = arrays["members"].data, arrays["firsts"].data  # words of each group
        self._near, self._likeness = arrays["near"], arrays["likeness"]  # groups near each group, the nearest first

    def __len__(self) -> int:
        return len(self._groups)

    def _word(self, at: int) -> str:
        return str(self._letters[self._bounds[at] : self._bounds[at + 1]], "utf-8")

    def _place(self, word: str) -> int:
        """Return the number of a word, -1 where it is not known."""
        letters, bounds = self._letters, self._bounds
        at = bisect_left(range(len(self)), word.encode(), key=lambda one: bytes(letters[bounds[one] : bounds[one + 1]]))
        return at if at < len(self) and self._word(at) == word else -1

    def of(self, word: str) -> Iterator[tuple[str, float]]:
        """Yield words near a folded normal form with their likeness (0 to 1), groups from the nearest on."""
        place = self._place(word)
        if place < 0:
            return
        own = self._groups[place]
        near = zip(self._near[own].tolist(), self._likeness[own].tolist(), strict=True)
        for group, likeness in [(own, int(SAME_GROUP * FULL)), *near]:
            if not likeness:
                return
            for at in range(self._firsts[group], self._firsts[group + 1]):
                if self._members[at] != place:
                    yield self._word(self._members[at]), likeness / FULL

    def held(self, word: str, holding: Holding, least: int, limit: int) -> list[tuple[str, float]]:
        """Return the nearest words that at least so many documents hold, at most `limit`."""
        return list(islice((one for one in self.of(word) if holding(one[0]) >= least), limit))


@lru_cache(maxsize=1)
def table() -> Neighbours | None:
    """Return the table that ships; none where its file is damaged, which is told once: searches do without."""
    try:
        return Neighbours(read(FILE))
    except NotASidecar as error:
        logger.error("語の近さの表を読めません: %s", error)
        return None

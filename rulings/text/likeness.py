"""How alike two texts are, and which of many texts are worth comparing with one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from rapidfuzz.distance import Indel

_SHINGLE = 4
_COMMON = 16  # a passage that stands in more texts tells nothing
_NEAREST = 4
_TELLING = 12  # a text with fewer passages stands in many others by chance


class ComparedText:
    """A folded text with its passages (runs of four characters), which are found when they are first asked for."""

    def __init__(self, folded: str) -> None:
        self.folded = folded

    @cached_property
    def shingles(self) -> frozenset[str]:
        last = max(1, len(self.folded) - _SHINGLE + 1)
        return frozenset(self.folded[at : at + _SHINGLE] for at in range(last))

    def likeness(self, other: "ComparedText") -> float:
        """Return how alike two texts are: 1 for equal ones, high too where one goes on from the other."""
        if not self.folded or not other.folded:
            return 0.0
        shared, shorter = len(self.shingles & other.shingles), min(len(self.shingles), len(other.shingles))
        held = 0.9 * shared / max(shorter, _TELLING)
        return max(Indel.normalized_similarity(self.folded, other.folded), held)


class Passages:
    """Finds texts by their rare passages."""

    def __init__(self, texts: Mapping[int, ComparedText]) -> None:
        self._where: defaultdict[str, list[int]] = defaultdict(list)
        for index, text in texts.items():
            for shingle in text.shingles:
                self._where[shingle].append(index)

    def nearest(self, text: ComparedText) -> Iterable[int]:
        """Return the texts that share most rare passages with `text`."""
        counts: Counter[int] = Counter()
        for shingle in text.shingles:
            where = self._where.get(shingle, ())
            if len(where) <= _COMMON:
                counts.update(where)
        return [index for index, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_NEAREST]]

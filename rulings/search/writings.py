"""Every writing of every card's name, in few large objects: as a hundred thousand small ones they took 44 MB."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple, overload

Plain = tuple[str, bytes, str, bytes, bytes, bytes]  # as it is kept in a file


class Writing(NamedTuple):
    """One writing of a card's name."""

    key: str
    card: int
    rank: int
    raw: str


class Writings(Sequence[Writing]):
    """A list of writings; each is made when it is asked for."""

    def __init__(self, plain: Plain) -> None:
        self.blob, starts, self._raws, raw_starts, cards, self._ranks = plain  # of all keys, one a line
        self._starts, self._raw_starts, self._cards = array("I", starts), array("I", raw_starts), array("q", cards)
        self._by_card: tuple[array[int], array[int]] | None = None  # cards in their order, the writings of each

    @classmethod
    def of(cls, writings: Iterable[Writing]) -> "Writings":
        """Return writings so kept."""
        listed = list(writings)
        keys, raws = [one.key for one in listed], [one.raw for one in listed]
        cards, ranks = array("q", [one.card for one in listed]), bytes([one.rank for one in listed])
        starts = array("I", accumulate((len(key) + 1 for key in keys), initial=1))
        raw_starts = array("I", accumulate(map(len, raws), initial=0))
        blob = "".join(f"\n{key}" for key in keys) + "\n"
        return cls((blob, starts.tobytes(), "".join(raws), raw_starts.tobytes(), cards.tobytes(), ranks))

    def plain(self) -> Plain:
        """Return what `Writings` makes the same again."""
        starts, raw_starts, cards = (one.tobytes() for one in (self._starts, self._raw_starts, self._cards))
        return self.blob, starts, self._raws, raw_starts, cards, self._ranks

    def __len__(self) -> int:
        return len(self._cards)

    @overload
    def __getitem__(self, at: int) -> Writing: ...
    @overload
    def __getitem__(self, at: slice) -> list[Writing]: ...
    def __getitem__(self, at: int | slice) -> Writing | list[Writing]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        card, starts, raw_starts = self._cards[at], self._starts, self._raw_starts
        if at < 0:
            at += len(self)
        key, raw = self.blob[starts[at] : starts[at + 1] - 1], self._raws[raw_starts[at] : raw_starts[at + 1]]
        return Writing(key, card, self._ranks[at], raw)

    def keys(self) -> list[str]:
        """Return the key of each."""
        return self.blob[1:-1].split("\n") if len(self) else []

    def rank(self, at: int) -> int:
        return self._ranks[at]

    def place(self, at: int) -> tuple[int, int]:
        """Return which writing has its key at a place of `blob`, and where this begins there."""
        number = min(bisect_right(self._starts, at), len(self)) - 1
        return number, self._starts[number]

    def of_card(self, card: int) -> list[Writing]:
        """Return the writings of a card."""
        if self._by_card is None:
            pairs = sorted(zip(self._cards, range(len(self)), strict=True))
            self._by_card = array("q", map(itemgetter(0), pairs)), array("I", map(itemgetter(1), pairs))
        cards, numbers = self._by_card
        return [self[at] for at in numbers[bisect_left(cards, card) : bisect_right(cards, card)]]

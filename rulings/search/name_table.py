"""Card names, in memory: every writing of every name, and the ways people shorten them (read in `names`)."""

import re
import threading
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from rulings.search.analysis import reading_of, script
from rulings.text.fold import LONG, fold_key, squeeze

# What kind of name a writing is, the weightiest first.
NAME, FACE, ALIAS, READING = range(4)

_SEPARATOR = re.compile(r"[^\w]|[・_]|(?<=\s)[-ー−]")
_SCRIPTS = re.compile(r"[ァ-ヺー]+|[a-zA-Zａ-ｚＡ-Ｚ]+|[0-9０-９]+|[ぁ-ゖー]+|[^\Wァ-ヺa-zA-Zａ-ｚＡ-Ｚ0-9０-９ぁ-ゖ]+")


class Writing(NamedTuple):
    """One writing of a card's name."""

    key: str
    card: int
    rank: int
    raw: str


@dataclass
class NameTable:
    """All writings at one moment of the change log. What is not always needed is made when first asked for."""

    writings: list[Writing]
    games: dict[int, str]  # card → game
    ruled: frozenset[int]  # cards that entries name
    numbers: dict[int, int]  # card → its publisher's number, where it has one: older cards have smaller ones
    vocabulary: str  # the rules' own words, without the card names in them
    openings: dict[str, list[int]] | None = None  # first two characters of a part → writings, by their place
    aloud: list[Writing] | None = None  # names without a given reading as they are probably read aloud
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.exact: dict[str, list[Writing]] = defaultdict(list)
        for writing in self.writings:
            self.exact[writing.key].append(writing)
        for found in self.exact.values():
            if len(found) > 1:
                found.sort(key=lambda writing: writing.rank)
        self.exact = dict(self.exact)
        self.blob = "\n" + "\n".join(writing.key for writing in self.writings) + "\n"  # all keys, one a line
        self.offsets = list(accumulate((len(writing.key) + 1 for writing in self.writings), initial=1))[:-1]
        self.longest = max(map(len, self.exact), default=0)

    @cached_property
    def keys(self) -> list[str]:
        """Every key once."""
        return list(self.exact)

    @cached_property
    def _of_card(self) -> dict[int, list[Writing]]:
        found: dict[int, list[Writing]] = defaultdict(list)
        for writing in self.writings:
            found[writing.card].append(writing)
        return dict(found)

    @cached_property
    def _by_length(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for key in self.exact:
            found[len(key)].append(key)
        return dict(found)

    @cached_property
    def _spoken(self) -> "NameTable":
        if self.aloud is None:
            self.aloud = list(_read_aloud(self.writings))
        return NameTable(self.aloud, self.games, self.ruled, self.numbers, "")

    def containing(self, key: str, limit: int = 2_000) -> Iterable[tuple[Writing, int]]:
        """Yield the writings that contain `key`, with the place."""
        at, found = self.blob.find(key), 0
        while at >= 0 and found < limit:
            index = bisect_right(self.offsets, at) - 1
            yield self.writings[index], at - self.offsets[index]
            found += 1
            at = self.blob.find(key, self.blob.index("\n", at))

    def opening(self, key: str, limit: int) -> list[Writing]:
        """Return writings that open with `key`."""
        found: list[Writing] = []
        at = self.blob.find("\n" + key)
        while at >= 0 and len(found) < limit:
            found.append(self.writings[bisect_right(self.offsets, at + 1) - 1])
            at = self.blob.find("\n" + key, at + 1)
        return found

    def warm(self) -> None:
        """Make ahead what is otherwise made when first asked for."""
        self.opening_with("")
        self.spoken()

    def opening_with(self, pair: str) -> list[Writing]:
        """Return the writings one of whose parts opens with `pair` (long vowels dropped)."""
        with self._lock:
            if self.openings is None:
                openings: dict[str, list[int]] = defaultdict(list)
                for number, writing in enumerate(self.writings):
                    for opening in {part.replace(LONG, "")[:2] for part in parts_of(writing.raw)}:
                        openings[opening].append(number)
                self.openings = dict(openings)
        return [self.writings[number] for number in self.openings.get(pair, ())]

    def spoken(self) -> "NameTable":
        """Return the names without a given reading as they are probably read aloud; made when first asked for."""
        with self._lock:
            return self._spoken

    def keys_about(self, length: int, slack: int) -> Iterator[str]:
        """Yield the keys of about a length."""
        for near in range(length - slack, length + slack + 1):
            yield from self._by_length.get(near, ())

    def of_card(self, card: int) -> list[Writing]:
        """Return the writings of a card's names."""
        return self._of_card.get(card, [])

    def is_vocabulary(self, key: str) -> bool:
        """Whether the rules use `key` as a word of their own (青眼 is none where only 青眼龍轟臨 stands)."""
        at = self.vocabulary.find(key)
        while at >= 0:
            if not _is_cut(self.vocabulary, at, at + len(key)):
                return True
            at = self.vocabulary.find(key, at + 1)
        return False


def _is_cut(text: str, start: int, end: int) -> bool:
    """Whether a stretch of kanji goes on beyond `text[start:end]`."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return any(
        one and other and script(one) == script(other) == "kanji"
        for one, other in ((before, text[start:end][:1]), (text[start:end][-1:], after))
    )


@lru_cache(maxsize=60_000)
def _key_of_part(part: str) -> str:
    return squeeze(part).text


@lru_cache(maxsize=60_000)
def parts_of(raw: str) -> tuple[str, ...]:
    """Return the folded parts of a name: split at marks, spaces and changes of script (蒼き|団長|ドギラゴン|剣)."""
    return tuple(
        key for piece in _SEPARATOR.split(raw) for part in _SCRIPTS.findall(piece) if (key := _key_of_part(part))
    )


@lru_cache(maxsize=60_000)
def starts_of_parts(raw: str) -> frozenset[int]:
    """Return where the parts of a name begin and end in its key, in which a dash may be left (－ミラーフォース－)."""
    key, found, at = fold_key(raw), {0}, 0
    for part in parts_of(raw):
        start = max(key.find(part, at), at)
        at = start + len(part)
        found |= {start, at}
    return frozenset(found)


def _read_aloud(writings: list[Writing]) -> Iterable[Writing]:
    given = {writing.card for writing in writings if writing.rank == READING}
    for writing in writings:
        if writing.card not in given and any(script(char) == "kanji" for char in writing.raw):
            spoken = " ".join(reading_of(part) for part in writing.raw.split())
            if key := squeeze(spoken).text:
                yield Writing(key, writing.card, READING, spoken)

"""Card names, in memory: every writing of every name, and the ways people shorten them (read in `names`)."""

import re
import threading
from array import array
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain

from rulings.search.analysis import reading_of, script
from rulings.search.writings import Writing, Writings
from rulings.text.fold import LONG, fold_key, squeeze

# What kind of name a writing is, the weightiest first.
NAME, FACE, ALIAS, READING = range(4)

KEPT_PARTS = 16_000  # parts of names, names taken apart: of those that were asked for last

_SEPARATOR = re.compile(r"[^\w]|[・_]|(?<=\s)[-ー−]")
_SCRIPTS = re.compile(r"[ァ-ヺー]+|[a-zA-Zａ-ｚＡ-Ｚ]+|[0-9０-９]+|[ぁ-ゖー]+|[^\Wァ-ヺa-zA-Zａ-ｚＡ-Ｚ0-9０-９ぁ-ゖ]+")


@dataclass
class NameTable:
    """All writings at one moment of the change log. What is not always needed is made when first asked for."""

    writings: Writings
    games: dict[int, str]  # card → game
    ruled: frozenset[int]  # cards that entries name
    numbers: dict[int, int]  # card → its publisher's number, where it has one: older cards have smaller ones
    vocabulary: str  # the rules' own words, without the card names in them
    openings: dict[str, bytes] | None = None  # first two characters of a part → the numbers of writings, packed
    aloud: Writings | None = None  # names without a given reading as they are probably read aloud
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _several: dict[str, tuple[int, ...]] = field(default_factory=dict)  # writings with the same key

    @cached_property
    def exact(self) -> dict[str, int]:
        """Every key once, with the number of its writing – the first, where there are several."""
        found: dict[str, int] = {}
        several: dict[str, list[int]] = {}
        for number, key in enumerate(self.writings.keys()):
            first = found.setdefault(key, number)
            if first != number:
                several.setdefault(key, [first]).append(number)
        self._several = {
            key: tuple(sorted(numbers, key=self.writings.rank)) for key, numbers in several.items()
        }  # the weightiest first
        return found

    def exactly(self, key: str) -> list[Writing]:
        """Return the writings with a key, the weightiest first."""
        number = self.exact.get(key)
        if number is None:
            return []
        return [self.writings[one] for one in self._several.get(key, (number,))]

    @cached_property
    def longest(self) -> int:
        """The length of the longest key."""
        return max(map(len, self.exact), default=0)

    @property
    def keys(self) -> list[str]:
        """Every key once."""
        return list(self.exact)

    @cached_property
    def _by_length(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for key in self.exact:
            found[len(key)].append(key)
        return dict(found)

    @cached_property
    def _spoken(self) -> "NameTable":
        if self.aloud is None:
            self.aloud = Writings.of(_read_aloud(self.writings))
        return NameTable(self.aloud, self.games, self.ruled, self.numbers, "")

    def containing(self, key: str, limit: int = 2_000) -> Iterable[tuple[Writing, int]]:
        """Yield the writings that contain `key`, with the place."""
        blob = self.writings.blob
        at, found = blob.find(key), 0
        while at >= 0 and found < limit:
            number, start = self.writings.place(at)
            yield self.writings[number], at - start
            found += 1
            at = blob.find(key, blob.index("\n", at))

    def opening(self, key: str, limit: int) -> list[Writing]:
        """Return writings that open with `key`."""
        found: list[Writing] = []
        blob = self.writings.blob
        at = blob.find("\n" + key)
        while at >= 0 and len(found) < limit:
            found.append(self.writings[self.writings.place(at + 1)[0]])
            at = blob.find("\n" + key, at + 1)
        return found

    def warm(self) -> None:
        """Make ahead what is otherwise made when first asked for."""
        self.opening_with("")
        self.spoken()

    def opening_with(self, pair: str) -> list[Writing]:
        """Return the writings one of whose parts opens with `pair` (long vowels dropped)."""
        with self._lock:
            if self.openings is None:
                openings: dict[str, array[int]] = defaultdict(lambda: array("I"))
                for number, writing in enumerate(self.writings):
                    for opening in {part.replace(LONG, "")[:2] for part in parts_of(writing.raw)}:
                        openings[opening].append(number)
                self.openings = {opening: numbers.tobytes() for opening, numbers in openings.items()}
        return [self.writings[number] for number in array("I", self.openings.get(pair, b""))]

    def spoken(self) -> "NameTable":
        """Return the names without a given reading as they are probably read aloud; made when first asked for."""
        with self._lock:
            return self._spoken

    def keys_about(self, length: int, slack: int) -> list[str]:
        """Return the keys of about a length."""
        lengths = range(length - slack, length + slack + 1)
        return list(chain.from_iterable(self._by_length.get(near, ()) for near in lengths))

    def of_card(self, card: int) -> list[Writing]:
        """Return the writings of a card's names."""
        return self.writings.of_card(card)

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


@lru_cache(maxsize=KEPT_PARTS)
def _key_of_part(part: str) -> str:
    return squeeze(part).text


@lru_cache(maxsize=KEPT_PARTS)
def parts_of(raw: str) -> tuple[str, ...]:
    """Return the folded parts of a name: split at marks, spaces and changes of script (蒼き|団長|ドギラゴン|剣)."""
    return tuple(
        key for piece in _SEPARATOR.split(raw) for part in _SCRIPTS.findall(piece) if (key := _key_of_part(part))
    )


@lru_cache(maxsize=KEPT_PARTS)
def starts_of_parts(raw: str) -> tuple[int, ...]:
    """Return where the parts of a name begin and end in its key, in which a dash may be left (－ミラーフォース－)."""
    key, found, at = fold_key(raw), {0}, 0
    for part in parts_of(raw):
        start = max(key.find(part, at), at)
        at = start + len(part)
        found |= {start, at}
    return tuple(found)


def _read_aloud(writings: Writings) -> Iterable[Writing]:
    given = {writing.card for writing in writings if writing.rank == READING}
    for writing in writings:
        if writing.card not in given and any(script(char) == "kanji" for char in writing.raw):
            spoken = " ".join(reading_of(part) for part in writing.raw.split())
            if key := squeeze(spoken).text:
                yield Writing(key, writing.card, READING, spoken)

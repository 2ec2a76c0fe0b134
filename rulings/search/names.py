"""Card names, in memory: every writing of every name, and the ways people shorten them."""

import re
import threading
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial

from django.conf import settings
from django.db import connection
from django.db.models import Count, Max

from rulings.models import Card, CardAlias, CardFace, Change, Entry, Kind, Revision
from rulings.search.analysis import reading_of, script
from rulings.text.fold import LONG, fold_key, squeeze
from rulings.text.names import other_writings

# What kind of name a writing is, the weightiest first.
NAME, FACE, ALIAS, READING = range(4)
WARMED = 2_000  # names: the table of openings of so many takes a while, and is made ahead

_SEPARATOR = re.compile(r"[^\w]|[・_]|(?<=\s)[-ー−]")
_SCRIPTS = re.compile(r"[ァ-ヺー]+|[a-zA-Zａ-ｚＡ-Ｚ]+|[0-9０-９]+|[ぁ-ゖー]+|[^\Wァ-ヺa-zA-Zａ-ｚＡ-Ｚ0-9０-９ぁ-ゖ]+")
_BRACKETED = re.compile(r"[《≪«〈][^《》≪≫«»〈〉]*[》≫»〉]")


@dataclass(frozen=True, slots=True)
class Writing:
    """One writing of a card's name."""

    key: str
    card: int
    rank: int
    raw: str


@dataclass(slots=True)
class NameTable:
    """All writings at one moment of the change log."""

    writings: list[Writing]
    games: dict[int, str]  # card → game
    ruled: frozenset[int]  # cards that entries name
    numbers: dict[int, int]  # card → its publisher's number, where it has one: older cards have smaller ones
    vocabulary: str  # the rules' own words, without the card names in them
    exact: dict[str, list[Writing]] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)
    blob: str = ""  # all keys, one a line
    offsets: list[int] = field(default_factory=list)
    longest: int = 0
    _of_card: dict[int, list[Writing]] = field(default_factory=dict)
    _openings: dict[str, list[int]] | None = None
    _spoken: "NameTable | None" = None
    _by_length: dict[int, list[str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        exact: dict[str, list[Writing]] = defaultdict(list)
        at = 1
        for writing in self.writings:
            exact[writing.key].append(writing)
            self._of_card.setdefault(writing.card, []).append(writing)
            self.offsets.append(at)
            at += len(writing.key) + 1
        for found in exact.values():
            found.sort(key=lambda writing: writing.rank)
        self.exact = dict(exact)
        self.keys = list(exact)
        for key in self.keys:
            self._by_length.setdefault(len(key), []).append(key)
        self.blob = "\n" + "\n".join(writing.key for writing in self.writings) + "\n"
        self.longest = max((len(key) for key in self.exact), default=0)

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
            if self._openings is None:
                openings: dict[str, list[int]] = defaultdict(list)
                for number, writing in enumerate(self.writings):
                    for opening in {part.replace(LONG, "")[:2] for part in parts_of(writing.raw)}:
                        openings[opening].append(number)
                self._openings = dict(openings)
        return [self.writings[number] for number in self._openings.get(pair, ())]

    def spoken(self) -> "NameTable":
        """Return the names without a given reading as they are probably read aloud; made when first asked for."""
        with self._lock:
            if self._spoken is None:
                self._spoken = NameTable(list(_read_aloud(self.writings)), self.games, self.ruled, self.numbers, "")
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


def _writings_of(card: int, name: str, key: str, rank: int) -> Iterable[Writing]:
    """Yield the writings of a name: as it is, and with its readings in parentheses left out or read."""
    yield Writing(key, card, rank, name)
    for other in other_writings(name):  # ボルシャック・NEX（ネックス）
        yield Writing(fold_key(other), card, rank, other)


def _read_writings() -> list[Writing]:
    found: dict[tuple[str, int], Writing] = {}
    rows: list[tuple[int, str, str, int]] = []
    for pk, name, key, reading, reading_key in Card.objects.values_list("pk", "name", "key", "reading", "reading_key"):
        rows.append((pk, name, key, NAME))
        if reading:
            rows.append((pk, reading, reading_key or fold_key(reading), READING))
    rows += [(card, name, key, FACE) for card, name, key in CardFace.objects.values_list("card", "name", "key")]
    rows += [(card, text, key, ALIAS) for card, text, key in CardAlias.objects.values_list("card", "text", "key")]
    for card, name, key, rank in sorted(rows, key=lambda row: (row[3], row[0])):
        for writing in _writings_of(card, name, key or fold_key(name), rank):
            found.setdefault((writing.key, card), writing)
    return list(found.values())


def _read_aloud(writings: list[Writing]) -> Iterable[Writing]:
    given = {writing.card for writing in writings if writing.rank == READING}
    for writing in writings:
        if writing.card not in given and any(script(char) == "kanji" for char in writing.raw):
            spoken = " ".join(reading_of(part) for part in writing.raw.split())
            if key := squeeze(spoken).text:
                yield Writing(key, writing.card, READING, spoken)


def _read_vocabulary() -> str:
    rows = Revision.objects.filter(entry__kind=Kind.SECTION).values_list("title", "body")
    text = "\n".join(f"{title}\n{body}" for title, body in rows.iterator(chunk_size=2_000))
    return squeeze(_BRACKETED.sub("|", text)).text


State = tuple[int, ...]


@dataclass(slots=True)
class _Known:
    """A table, and what it was read at: the cards' state, the entries'."""

    cards: State
    entries: int
    table: NameTable


_tables: dict[str, _Known] = {}
_loading = threading.Lock()


def _state_of_cards() -> State:
    cards = Change.objects.filter(card__isnull=False).aggregate(last=Max("number"))["last"] or 0
    aliases = CardAlias.objects.aggregate(count=Count("pk"), last=Max("pk"))
    return cards, Card.objects.count(), aliases["count"], aliases["last"] or 0


def table() -> NameTable:
    """Return the names as of the latest change of a card.

    What entries add to it (the rules' vocabulary, which cards they name) only weighs; where there are many names it
    follows an instant later, beside the queries.
    """
    cards, entries = _state_of_cards(), Change.objects.latest_number()
    database = str(settings.DATABASES["default"]["NAME"])
    known = _tables.get(database)
    if known is None or known.cards != cards:
        with _loading:
            known = _tables.get(database)
            if known is None or known.cards != cards:
                known = _tables[database] = _Known(cards, entries, _fresh())
                if len(known.table.writings) > WARMED:
                    _start(known.table.warm)
    elif known.entries != entries:
        known.entries = entries
        if len(known.table.writings) > WARMED:
            _start(partial(_weigh, known.table))
        else:
            _weigh(known.table)
    return known.table


def _fresh() -> NameTable:
    cards = list(Card.objects.values_list("pk", "game__slug", "official_id"))
    games = {pk: game for pk, game, _number in cards}
    numbers = {pk: int(number) for pk, _game, number in cards if number.isdecimal()}
    return NameTable(_read_writings(), games, _read_ruled(), numbers, _read_vocabulary())


def _read_ruled() -> frozenset[int]:
    return frozenset(Entry.cards.through.objects.values_list("card", flat=True).distinct())


def _weigh(known: NameTable) -> None:
    known.ruled, known.vocabulary = _read_ruled(), _read_vocabulary()


def _start(work: Callable[[], None]) -> None:
    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    threading.Thread(target=run, name="names", daemon=True).start()


def warm_up() -> None:
    """Read the names ahead of the first query, beside whatever else is done."""
    _start(lambda: table().warm())


def forget() -> None:
    """Drop what is in memory."""
    _tables.clear()

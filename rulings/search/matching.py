"""Which cards a word means: exact, part, reading, nickname, typo – an exact name always first."""

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from rulings.search.name_table import ALIAS, FACE, NAME, READING, NameTable, parts_of, starts_of_parts
from rulings.search.writings import Writing
from rulings.text.fold import LONG, is_kana

# How sure a match is. A name beats a face, a face a nickname that an editor entered, that a reading.
EXACT = {NAME: 100.0, FACE: 97.0, ALIAS: 96.0, READING: 95.0}
WHOLE_PARTS, PREFIX, PART_PREFIX, INSIDE = 85.0, 80.0, 76.0, 60.0
LEFT_OUT, NICKNAME, TYPO = 78.0, 72.0, 0.8
SOUNDS_ALIKE = 3.0  # a slip that is hardly heard: a vowel longer or shorter, a kana voiced, small or large
WEAK = 66.0  # below: found inside a word only, a shortening of another name may be meant
RULED = 4.0  # a card that entries name is meant sooner
AS_WRITTEN = 1.0  # written exactly so, width and marks included
FAMOUS = 1.5  # per doubling of the names that are made from this one: much reprinted, much varied
FIRST = 3.0  # the oldest of a game's cards that have what was typed as a part of their name (エクゾディア)
MISSING = 0.15  # per character of the name that was not typed
READING_LESS = 2.0
FAR = 4.5  # below WHOLE_PARTS: names much longer than what was typed
SURE, SURE_SLIP, SURE_INSIDE = 55.0, 64.0, 68.0  # of a whole query, of one with spaces or particles, of a word in it
LONGEST_NICKNAME = 12
LONGEST_TYPO = 24
SHORTEST_READING, SHORTEST_MISHEARD = 4, 6  # of a name that is written in kanji and typed in kana
SHORTEST_TWICE, SHORTEST_THRICE = 8, 14  # from so many characters on two slips are forgiven, three
LIKELY = 60
_LARGE = str.maketrans("ァィゥェォャュョッ", "アイウエオヤユヨツ")


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A card that may be meant."""

    card: int
    quality: float
    how: str


def match(key: str, table: NameTable, game: str | None = None, *, typos: bool = True, raw: str = "") -> list[NameMatch]:
    """Return the cards that `key` (a fold_key) may mean, the surest first; names alike by how they are written."""
    if not key:
        return []
    best: dict[int, NameMatch] = {}
    _keep(best, _exact(key, table, raw), table, game)
    if len(key) >= 2:
        _keep(best, _partial(key, table), table, game)
    if 3 <= len(key) <= LONGEST_TYPO and all(found.quality < WEAK for found in best.values()):
        _keep(best, _shortened(key, table), table, game)
    if not best and len(key) >= SHORTEST_READING and all(map(is_kana, key)):
        _keep(best, _partial(key, table.spoken()), table, game)
    if not best and typos and 4 <= len(key) <= LONGEST_TYPO:
        _keep(best, _typo(key, table), table, game)
    if not best and len(key) >= SHORTEST_MISHEARD and all(map(is_kana, key)):
        _keep(best, _misheard(key, table.spoken()), table, game)
    ranked = sorted(best.values(), key=lambda found: (-found.quality, found.card))
    return _famous_first(ranked, table) if len(ranked) > 2 else ranked


def _famous_first(ranked: list[NameMatch], table: NameTable) -> list[NameMatch]:
    """Prefer, among the likeliest, the name that others are made from (青眼の白龍 before its variants)."""
    likely = ranked[:LIKELY]
    first = _first_of_families(likely, table)
    names = [[parts_of(writing.raw) for writing in table.of_card(found.card)] for found in likely]
    judged = []
    for at, found in enumerate(likely):
        made = sum(
            any(_within(one, other) for one in names[at] for other in others)
            for place, others in enumerate(names)
            if place != at
        )
        gain = 0.0 if found.how == "exact" else FAMOUS * math.log2(1 + made) + FIRST * (found.card in first)
        judged.append(NameMatch(found.card, found.quality + gain, found.how))
    return sorted(judged, key=lambda found: (-found.quality, found.card)) + ranked[LIKELY:]


def _first_of_families(likely: list[NameMatch], table: NameTable) -> set[int]:
    """Return per game the card with the smallest number of its publisher, of those that have a whole part typed."""
    first: dict[str, int] = {}
    for found in likely:
        number = table.numbers.get(found.card)
        if number is not None and found.how == "part" and found.quality > WHOLE_PARTS - FAR:
            game = table.games[found.card]
            if game not in first or number < table.numbers[first[game]]:
                first[game] = found.card
    return set(first.values())


def _within(parts: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether the parts of one name stand in another, in order."""
    if len(parts) < 2 or len(others) <= len(parts):
        return False
    left = iter(others)
    return all(part in left for part in parts)


def _keep(best: dict[int, NameMatch], found: Iterable[NameMatch], table: NameTable, game: str | None) -> None:
    for one in found:
        if game and table.games.get(one.card) != game:
            continue
        known = best.get(one.card)
        if known is None or known.quality < one.quality:
            best[one.card] = one


def _exact(key: str, table: NameTable, raw: str) -> Iterator[NameMatch]:
    for writing in table.exactly(key):
        yield NameMatch(writing.card, EXACT[writing.rank] + _as_written(writing.raw, raw), "exact")


def _as_written(name: str, raw: str) -> float:
    """Return a little for a name written exactly so: the fold makes some names one (≪零龍≫, 零竜)."""
    if not raw or name == raw:
        return AS_WRITTEN if raw else 0.0
    return AS_WRITTEN / 2 if fold_width(name) == fold_width(raw) else 0.0


def fold_width(text: str) -> str:
    """Return `text` without differences of width, case and spaces."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _partial(key: str, table: NameTable) -> Iterator[NameMatch]:
    for writing, at in table.containing(key):
        yield NameMatch(writing.card, _partial_quality(key, writing, at) + _prior(writing, table), "part")


def _prior(writing: Writing, table: NameTable) -> float:
    return (RULED if writing.card in table.ruled else 0.0) - (READING_LESS if writing.rank == READING else 0.0)


def _partial_quality(key: str, writing: Writing, at: int) -> float:
    bounds = starts_of_parts(writing.raw)
    missing = MISSING * (len(writing.key) - len(key))
    if at in bounds and at + len(key) in bounds:
        return WHOLE_PARTS - missing
    if at == 0:
        return PREFIX - missing
    return (PART_PREFIX if at in bounds else INSIDE) - missing


def _shortened(key: str, table: NameTable) -> Iterator[NameMatch]:
    """Yield names of which `key` leaves parts out, or whose parts open, in order, with pieces of it (ボル|サファ)."""
    bare = key.replace(LONG, "")
    in_order = re.compile("".join(f"[^{re.escape(char)}]*{re.escape(char)}" for char in bare))
    for writing in (*table.opening_with(bare[:2]), *table.opening_with(bare[:1])):
        if not in_order.match(writing.key):
            continue  # what is made of its parts stands in it, in order: few names are worth taking apart
        parts = tuple(part.replace(LONG, "") for part in parts_of(writing.raw))
        gain = _prior(writing, table) - MISSING * (len(writing.key) - len(key))
        if leaves_out(bare, parts):
            yield NameMatch(writing.card, LEFT_OUT + gain, "part")
        elif len(key) <= LONGEST_NICKNAME and (pieces := pieces_of(bare, parts)):
            yield NameMatch(writing.card, NICKNAME - 3.0 * (pieces - 2) + gain, "nickname")


def leaves_out(key: str, parts: tuple[str, ...]) -> bool:
    """Whether `key` is some of the parts, whole and in order, from the first on (鉄の騎士|フリード)."""
    if not parts or not key.startswith(parts[0]):
        return False
    reached = {len(parts[0])}  # characters used
    for part in parts[1:]:
        reached |= {used + len(part) for used in reached if key.startswith(part, used)}
    return len(key) in reached


def pieces_of(key: str, parts: tuple[str, ...]) -> int:
    """Return in how few pieces `key` is made of openings of consecutive `parts`; 0 when it is not."""
    fewest = 0
    for first, part in enumerate(parts):
        if part[:2] == key[:2] or (len(part) == 1 and part == key[:1]):
            count = _pieces_from(key, parts, first)
            fewest = min(fewest or count, count) if count else fewest
    return fewest


def _pieces_from(key: str, parts: tuple[str, ...], first: int) -> int:
    reached = {0: 0}  # characters used → fewest pieces
    for part in parts[first : first + 6]:
        following = dict(reached) if reached != {0: 0} else {}
        for used, count in reached.items():
            for length in range(1, min(len(part), len(key) - used) + 1):
                if part[length - 1] != key[used + length - 1]:
                    break
                if used == 0 and length < min(2, len(part)):
                    continue
                following[used + length] = min(following.get(used + length, 99), count + 1)
        reached = following
        if not reached:
            return 0
    return reached.get(len(key), 0)


def _misheard(key: str, spoken: NameTable) -> Iterator[NameMatch]:
    """Yield names read aloud a slip away: rendaku is one that machines make (キュウカメ, キュウガメ)."""
    if len(key) > spoken.longest:
        return  # none of them is as long, and comparing all of them with a long text is dear
    for name, score, _at in process.extract(key, spoken.keys, scorer=fuzz.partial_ratio, score_cutoff=85, limit=5):
        for writing in spoken.exactly(name) if len(name) >= len(key) else ():
            yield NameMatch(writing.card, TYPO * score + _prior(writing, spoken), "typo")


def _typo(key: str, table: NameTable) -> Iterator[NameMatch]:
    """Yield names a slip away: a character more, fewer, another one, or two that changed places."""
    slips = 1 if len(key) < SHORTEST_TWICE else 2 if len(key) < SHORTEST_THRICE else 3
    near = table.keys_about(len(key), slack=slips)
    sound = _sound(key)
    for name, count, _index in process.extract(key, near, scorer=OSA.distance, score_cutoff=slips, limit=8):
        quality = TYPO * 100 * (1 - count / len(key)) + (SOUNDS_ALIKE if _sound(name) == sound else 0.0)
        for writing in table.exactly(name):
            yield NameMatch(writing.card, quality + _prior(writing, table), "typo")


def _sound(key: str) -> str:
    """Return a key without what is easily misheard."""
    plain = "".join(char for char in unicodedata.normalize("NFD", key.replace(LONG, "")) if char not in "゙゚")
    return plain.translate(_LARGE)

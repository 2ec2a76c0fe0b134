"""Which cards a word means: exact, part, reading, nickname, typo – an exact name always first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from rulings.search.names import ALIAS, FACE, NAME, READING, NameTable, Writing, parts_of, starts_of_parts
from rulings.text.fold import LONG

# How sure a match is. A name beats a face, a face a nickname that an editor entered, that a reading.
EXACT = {NAME: 100.0, FACE: 97.0, ALIAS: 96.0, READING: 95.0}
WHOLE_PARTS, PREFIX, PART_PREFIX, INSIDE = 85.0, 80.0, 76.0, 60.0
NICKNAME, TYPO = 72.0, 0.8
RULED = 4.0  # a card that entries name is meant sooner
MISSING = 0.15  # per character of the name that was not typed
READING_LESS = 2.0
SURE = 55.0
LONGEST_NICKNAME = 12


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A card that may be meant."""

    card: int
    quality: float
    how: str


def match(key: str, table: NameTable, game: str | None = None, *, typos: bool = True) -> list[NameMatch]:
    """Return the cards that `key` (a fold_key) may mean, the surest first."""
    if not key:
        return []
    best: dict[int, NameMatch] = {}
    _keep(best, _exact(key, table), table, game)
    if len(key) >= 2:
        _keep(best, _partial(key, table), table, game)
    if not best and 3 <= len(key) <= LONGEST_NICKNAME:
        _keep(best, _nickname(key, table), table, game)
    if not best and typos and len(key) >= 4:
        _keep(best, _typo(key, table), table, game)
    return sorted(best.values(), key=lambda found: (-found.quality, found.card))


def _keep(best: dict[int, NameMatch], found: Iterable[NameMatch], table: NameTable, game: str | None) -> None:
    for one in found:
        if game and table.games.get(one.card) != game:
            continue
        known = best.get(one.card)
        if known is None or known.quality < one.quality:
            best[one.card] = one


def _exact(key: str, table: NameTable) -> Iterator[NameMatch]:
    for writing in table.exact.get(key, ()):
        yield NameMatch(writing.card, EXACT[writing.rank], "exact")


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


def _nickname(key: str, table: NameTable) -> Iterator[NameMatch]:
    """Yield names whose parts open, in order, with the pieces of `key` (ボル|サファ → ボルメテウス・サファイア・ドラゴン)."""
    bare = key.replace(LONG, "")
    for writing in table.opening_with(bare[:2]):
        pieces = pieces_of(bare, tuple(part.replace(LONG, "") for part in parts_of(writing.raw)))
        if pieces:
            missing = MISSING * (len(writing.key) - len(key))
            skipped = 3.0 * (pieces - 2)
            yield NameMatch(writing.card, NICKNAME - missing - skipped + _prior(writing, table), "nickname")


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


def _typo(key: str, table: NameTable) -> Iterator[NameMatch]:
    """Yield names, or parts of names, a slip away."""
    keys = list(table.exact)
    for name, score, _index in process.extract(key, keys, scorer=fuzz.ratio, score_cutoff=80, limit=8):
        for writing in table.exact[name]:
            yield NameMatch(writing.card, TYPO * score + _prior(writing, table), "typo")

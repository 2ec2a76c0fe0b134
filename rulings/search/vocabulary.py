"""The games' own words, folded for look-up: names of games and rulesets, and players' words.

Players' words are the rows of `Synonym` and nothing else: a site without any understands what stands in the rules.
"""

import threading
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType

from django.conf import settings
from django.db.models import Count, Max

from rulings.games import PROFILES
from rulings.importers.words import split_words
from rulings.models import ChangeCounter, Origin, Ruleset, Synonym
from rulings.models.changes import NOTHING_SEEN, Seen
from rulings.search.analysis import morphemes, prepare, script
from rulings.text.fold import Folded, squeeze

STEM = "〜"
SHORT = 5  # keys of fewer characters count only as words of their own


@dataclass(frozen=True)
class WordList:
    """Folded keys → what they stand for."""

    synonyms: dict[str, tuple[str, ...]]
    rulesets: dict[str, str]  # a ruleset's name → its slug
    ruleset_games: dict[str, str]  # a ruleset's slug → its game's
    games: dict[str, str]  # a game's name → its slug
    longest: int
    ruleset_words: dict[str, str] = field(default_factory=dict)  # rulesets by any of their names → slug
    stems: dict[str, str] = field(default_factory=dict)  # keys that any ending may follow (なくな〜) → their script
    normal_forms: dict[str, str] = field(default_factory=dict)  # of keys that are one word → the key

    def key_of(self, normal: str) -> str:
        """Return the key under which a word stands, however it is written there (遣る: やる)."""
        return normal if normal in self.synonyms else self.normal_forms.get(normal, normal)

    @cached_property
    def _known(self) -> dict[str, object]:
        return {**self.synonyms, **self.rulesets}

    def known_in(self, text: str) -> list[tuple[int, int, str]]:
        """Return the players' words and rulesets that `text` names, as `occurrences` does."""
        return occurrences(text, squeeze(text), self._known, self.longest, self.stems)


@dataclass(frozen=True, slots=True)
class _Row:
    """A word of players, as it is kept."""

    game: str | None  # None: all games
    key: str
    words: tuple[str, ...]
    stem: str  # the script in which any ending may follow; empty: no ending may
    normal: str  # the normal form of what is one word and no stem, else empty
    is_edited: bool


_reading = threading.Lock()
_rows: list[_Row] = []
_bases: dict[str, int | None] = {}
_state: tuple[object, ...] = ()
_seen: tuple[object, ...] = ()  # the state of the site in which the words were looked at last


def refresh(seen: Seen | None = None) -> None:
    """Read anew what changed; nothing is asked where `seen` says that the site is as it was."""
    global _seen, _bases  # noqa: PLW0603
    database = str(settings.DATABASES["default"]["NAME"])
    seen = seen or ChangeCounter.objects.seen()
    if _seen == (database, seen) and seen != NOTHING_SEEN:
        return
    with _reading:
        _look(database)
        _bases = dict(Ruleset.objects.values_list("slug", "base"))
        _seen = (database, seen)


def bases() -> dict[str, int | None]:
    """Return each ruleset, by its slug, with what it builds on, as of the last `refresh`."""
    return _bases


def forget() -> None:
    """Have the words looked at by the next use."""
    global _seen  # noqa: PLW0603
    _seen = ()


def _look(database: str) -> None:
    global _state  # noqa: PLW0603
    counts = Synonym.objects.aggregate(count=Count("pk"), last=Max("updated_at"))
    state = (database, counts["count"], counts["last"])
    if state == _state:
        return
    fields = ("game__slug", "key", "text", "words", "origin")
    _rows[:] = [
        _Row(game, key, split_words(words), *_stem_or_normal(text), origin == Origin.EDITOR)
        for game, key, text, words, origin in Synonym.objects.order_by("pk").values_list(*fields)
    ]
    _state = state
    words_of.cache_clear()


def _stem_or_normal(text: str) -> tuple[str, str]:
    """Return the script of a stem, or the normal form of what is one word."""
    if text.strip().endswith(STEM):
        return script(text[0]), ""
    parts = list(morphemes(prepare(text)))
    return "", parts[0].normal if len(parts) == 1 else ""


def _said(game: str | None) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """Return what players' words stand for, and which are stems: those of the games together.

    What an editor entered for all games goes before what ships with one, and behind what was edited for one.
    """
    rows = [row for row in _rows if game is None or row.game in (None, game)]
    for_all = {row.key for row in rows if row.game is None}
    edited = {row.key for row in rows if row.game is not None and row.is_edited}
    said: dict[str, dict[str, None]] = defaultdict(dict)
    stems: dict[str, str] = {}
    for row in rows:
        if row.key in for_all and (row.key in edited if row.game is None else not row.is_edited):
            continue
        said[row.key] |= dict.fromkeys(row.words)
        if row.stem:
            stems[row.key] = row.stem
    return {key: tuple(words) for key, words in said.items() if words}, stems


@lru_cache(maxsize=16)
def words_of(game: str | None) -> WordList:
    """Return the words of one game, or of all games together."""
    profiles = [profile for slug, profile in PROFILES.items() if game in (None, slug)]
    synonyms, stems = _said(game)
    rulesets = {squeeze(name).text: slug for profile in profiles for name, slug in profile.ruleset_names.items()}
    ruleset_games = {slug: profile.slug for profile in profiles for slug in profile.ruleset_names.values()}
    games = {squeeze(name).text: profile.slug for profile in PROFILES.values() for name in profile.query_names}
    longest = max(map(len, [*synonyms, *rulesets, *games]), default=0)
    return WordList(
        synonyms,
        rulesets,
        ruleset_games,
        games,
        longest,
        _ruleset_words(synonyms, rulesets),
        stems,
        _normal_forms(game),
    )


def _normal_forms(game: str | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in _rows:
        if row.normal and (game is None or row.game in (None, game)):
            found.setdefault(row.normal, row.key)
    return found


def _ruleset_words(synonyms: dict[str, tuple[str, ...]], rulesets: dict[str, str]) -> dict[str, str]:
    known = dict(rulesets)
    for key, said in synonyms.items():
        if slug := next((rulesets[name] for word in said if (name := squeeze(word).text) in rulesets), ""):
            known[key] = slug
    return known


def players_words(game: str) -> list[tuple[str, int, list[str]]]:
    """Return each of the players' words of a game, folded, with whether any ending may follow and what it stands for.

    What it stands for is folded too, words apart; for programs that search without this one (the offline page).
    """
    refresh()
    known = words_of(game)
    return [
        (key, int(key in known.stems or len(key) > SHORT), [" ".join(_folded(said)) for said in known.synonyms[key]])
        for key in sorted(known.synonyms)
    ]


def _folded(said: str) -> list[str]:
    return [word for part in said.split() if (word := squeeze(part).text)]


def stands_alone(original: str, start: int, end: int) -> bool:
    """Whether `original[start:end]` begins and ends at a change of script."""
    before = script(original[start - 1]) if start else ""
    after = script(original[end]) if end < len(original) else ""
    return before != script(original[start]) and after != script(original[end - 1])


def occurrences(
    text: str, folded: Folded, keys: Mapping[str, object], longest: int, stems: Mapping[str, str] = MappingProxyType({})
) -> list[tuple[int, int, str]]:
    """Return (start, end, key) in `text` of the longest keys, left to right, none overlapping.

    A stem counts only in its own script: かぶ〜 is not in アンブロッカブル.
    """
    found: list[tuple[int, int, str]] = []
    at = 0
    while at < len(folded.text):
        for length in range(min(longest, len(folded.text) - at), 0, -1):
            key = folded.text[at : at + length]
            if key not in keys:
                continue
            start, end = folded.original_span(at, at + length)
            if length > SHORT or stems.get(key) == script(text[start]) or stands_alone(text, start, end):
                found.append((start, end, key))
                at += length - 1
                break
        at += 1
    return found

"""The games' own words, folded for look-up: names of games and rulesets, players' words."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from django.conf import settings
from django.db.models import Count, Max

from rulings.games import PROFILES
from rulings.models import Synonym
from rulings.search.analysis import script
from rulings.text.fold import Folded, squeeze

STEM = "〜"
SHORT = 5  # keys of fewer characters count only as words of their own


@dataclass(frozen=True, slots=True)
class WordList:
    """Folded keys → what they stand for."""

    synonyms: dict[str, tuple[str, ...]]
    rulesets: dict[str, str]  # a ruleset's name → its slug
    ruleset_games: dict[str, str]  # a ruleset's slug → its game's
    games: dict[str, str]  # a game's name → its slug
    longest: int
    ruleset_words: dict[str, str] = field(default_factory=dict)  # rulesets by any of their names → slug
    stems: frozenset[str] = frozenset()  # keys that hold whatever ending follows (なくな〜)


def _merged(pairs: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for key, words in pairs:
        known = found[squeeze(key).text]
        known += [word for word in words if word not in known]
    return {key: tuple(words) for key, words in found.items()}


_edited: dict[str | None, dict[str, Synonym]] = {}  # game (None: all) → key → what editors entered
_state: tuple[object, ...] = ()


def refresh() -> None:
    """Read anew what editors entered, if it changed; one query."""
    global _state  # noqa: PLW0603
    counts = Synonym.objects.aggregate(count=Count("pk"), last=Max("updated_at"))
    state = (str(settings.DATABASES["default"]["NAME"]), counts["count"], counts["last"])
    if state == _state:
        return
    fresh: dict[str | None, dict[str, Synonym]] = defaultdict(dict)
    for synonym in Synonym.objects.select_related("game"):
        fresh[synonym.game.slug if synonym.game else None][synonym.key] = synonym
    _edited.clear()
    _edited.update(fresh)
    _state = state
    words_of.cache_clear()


def _said_by_editors(game: str | None) -> dict[str, Synonym]:
    found: dict[str, Synonym] = {}
    for slug in dict.fromkeys((None, game, *(PROFILES if game is None else ()))):
        found |= _edited.get(slug, {})
    return found


@lru_cache(maxsize=16)
def words_of(game: str | None) -> WordList:
    """Return the words of one game, or of all games together: the shipped ones, and in their place the editors'."""
    profiles = [profile for slug, profile in PROFILES.items() if game in (None, slug)]
    pairs = [pair for profile in profiles for pair in profile.synonyms.items()]
    synonyms = _merged(pairs)
    stems = {squeeze(key).text for key, _words in pairs if key.endswith(STEM)}
    for key, edited in _said_by_editors(game).items():
        synonyms[key] = edited.said
        (stems.add if edited.text.strip().endswith(STEM) else stems.discard)(key)
    rulesets = {squeeze(name).text: slug for profile in profiles for name, slug in profile.ruleset_names.items()}
    ruleset_games = {slug: profile.slug for profile in profiles for slug in profile.ruleset_names.values()}
    games = {squeeze(name).text: profile.slug for profile in PROFILES.values() for name in profile.query_names}
    longest = max(map(len, [*synonyms, *rulesets, *games]), default=0)
    return WordList(
        synonyms, rulesets, ruleset_games, games, longest, _ruleset_words(synonyms, rulesets), frozenset(stems)
    )


def _ruleset_words(synonyms: dict[str, tuple[str, ...]], rulesets: dict[str, str]) -> dict[str, str]:
    known = dict(rulesets)
    for key, said in synonyms.items():
        if slug := next((rulesets[name] for word in said if (name := squeeze(word).text) in rulesets), ""):
            known[key] = slug
    return known


def stands_alone(original: str, start: int, end: int) -> bool:
    """Whether `original[start:end]` begins and ends at a change of script."""
    before = script(original[start - 1]) if start else ""
    after = script(original[end]) if end < len(original) else ""
    return before != script(original[start]) and after != script(original[end - 1])


def occurrences(
    text: str, folded: Folded, keys: Mapping[str, object], longest: int, stems: frozenset[str] = frozenset()
) -> list[tuple[int, int, str]]:
    """Return (start, end, key) in `text` of the longest keys, left to right, none overlapping."""
    found: list[tuple[int, int, str]] = []
    at = 0
    while at < len(folded.text):
        for length in range(min(longest, len(folded.text) - at), 0, -1):
            key = folded.text[at : at + length]
            if key not in keys:
                continue
            start, end = folded.original_span(at, at + length)
            if length > SHORT or key in stems or stands_alone(text, start, end):
                found.append((start, end, key))
                at += length - 1
                break
        at += 1
    return found

"""Completions while typing: rule numbers, headings, cards – from the first character on, without the engine.

Names stand in memory already (`names`); numbers and headings are kept beside them, read anew when something changed.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone

from rulings.models import LIVE, Card, Change, Entry, Kind
from rulings.search import names
from rulings.search.matching import match
from rulings.search.name_table import NameTable
from rulings.search.reading import MAX_CHARS
from rulings.search.results import Suggestion
from rulings.text.fold import fold_key, squeeze
from rulings.text.numbers import parse_number

MAX_LIMIT = 50
_SCANNED = 400  # cards looked at for a single character
_HEADINGS = 5
_NUMBERS = 20
_LONGEST_SURE = 24  # characters; longer ones are no beginnings of names that would have to be searched for slips


@dataclass(frozen=True, slots=True)
class _Line:
    """A section that can be suggested."""

    number: str
    key: str  # the folded title
    game: str
    suggestion: Suggestion
    heading: Suggestion


@dataclass(frozen=True, slots=True)
class _Lines:
    state: tuple[int, str]
    lines: list[_Line]


_kept: dict[str, _Lines] = {}
_reading = threading.Lock()


def suggest(q: str, game: str | None = None, limit: int = 10) -> list[Suggestion]:
    """Return what `q` may become: sections by number, then headings, then cards."""
    text, limit = " ".join(q[:MAX_CHARS].split()), max(0, min(limit, MAX_LIMIT))
    key = squeeze(text).text
    if not key or not limit:
        return []
    found: dict[tuple[str, int], Suggestion] = {}
    for source in (_sections(text, game), _headings(key, game), _cards(key, text, game, limit)):
        for suggestion in source:
            found.setdefault((suggestion.kind, suggestion.id), suggestion)
            if len(found) >= limit:
                return list(found.values())
    return list(found.values())


def _lines() -> list[_Line]:
    """Return the sections that hold today, in the order of the books."""
    state = (Change.objects.latest_number(), timezone.localdate().isoformat())
    database = str(settings.DATABASES["default"]["NAME"])
    known = _kept.get(database)
    if known is None or known.state != state:
        with _reading:
            known = _kept.get(database)
            if known is None or known.state != state:
                known = _kept[database] = _Lines(state, list(_read()))
    return known.lines


def _read() -> Iterator[_Line]:
    sections = Entry.objects.filter(kind=Kind.SECTION, status__in=LIVE).select_related("ruleset__game").with_wording()
    for entry in sections.order_by("sort_key", "ruleset__position"):
        title = entry.wording.title if entry.wording else ""
        number = entry.number if parse_number(entry.number) else ""
        url = entry.get_absolute_url()
        label = f"{number} {title}".strip()
        yield _Line(
            number,
            squeeze(title).text,
            entry.ruleset.game.slug,
            Suggestion("section", f"{entry.ruleset} {entry}", entry.pk, url),
            Suggestion("section", f"{entry.ruleset} {label}", entry.pk, url),
        )


def _sections(text: str, game: str | None) -> Iterator[Suggestion]:
    """Yield the sections whose number begins so (805.4 → 805.4, 805.4a, …)."""
    number = parse_number(text)
    if number is None:
        return
    start = str(number)
    found = [line for line in _lines() if line.number.startswith(start) and game in (None, line.game)]
    yield from (line.suggestion for line in found[:_NUMBERS])


def _headings(key: str, game: str | None) -> Iterator[Suggestion]:
    """Yield the sections under a heading that opens with the text, then those that hold it."""
    if len(key) < 2:
        return
    held = [line for line in _lines() if key in line.key and game in (None, line.game)]
    held.sort(key=lambda line: (line.key != key, not line.key.startswith(key)))
    yield from (line.heading for line in held[:_HEADINGS])


def _cards(key: str, text: str, game: str | None, limit: int) -> Iterator[Suggestion]:
    table = names.table()
    ids = _opening(key, table, game) if len(key) == 1 else _matching(key, text, table, game)
    cards = Card.objects.in_bulk(ids[:limit])
    for pk in ids[:limit]:
        if card := cards.get(pk):
            yield Suggestion("card", card.name, card.pk, card.get_absolute_url())


def _opening(key: str, table: NameTable, game: str | None) -> list[int]:
    opening = [writing for writing in table.opening(key, _SCANNED) if game in (None, table.games[writing.card])]
    opening.sort(key=lambda writing: (writing.key != key, writing.card not in table.ruled, len(writing.key)))
    return list(dict.fromkeys(writing.card for writing in opening))


def _matching(key: str, text: str, table: NameTable, game: str | None) -> list[int]:
    found = match(fold_key(text), table, game, typos=len(key) <= _LONGEST_SURE, raw=text)
    return list(dict.fromkeys(one.card for one in found))


def forget() -> None:
    """Drop what is in memory."""
    _kept.clear()

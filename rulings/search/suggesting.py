"""Completions while typing: rule numbers, headings, cards – from the first character on, without the engine."""

from collections.abc import Iterator

from django.db.models import Q
from django.utils import timezone

from rulings.models import LIVE, Card, Entry, Kind, Revision
from rulings.search import names
from rulings.search.matching import match
from rulings.search.reading import MAX_CHARS
from rulings.search.results import Suggestion
from rulings.text.fold import fold_key, squeeze
from rulings.text.numbers import parse_number

MAX_LIMIT = 50
_SCANNED = 400  # cards looked at for a single character


def suggest(q: str, game: str | None = None, limit: int = 10) -> list[Suggestion]:
    """Return what `q` may become: sections by number, then headings, then cards."""
    text, limit = " ".join(q[:MAX_CHARS].split()), max(0, min(limit, MAX_LIMIT))
    key = squeeze(text).text
    if not key or not limit:
        return []
    found: dict[tuple[str, int], Suggestion] = {}
    for source in (_sections(text, game), _headings(key, text, game), _cards(key, game, limit)):
        for suggestion in source:
            found.setdefault((suggestion.kind, suggestion.id), suggestion)
            if len(found) >= limit:
                return list(found.values())
    return list(found.values())


def _sections(text: str, game: str | None) -> Iterator[Suggestion]:
    """Yield the sections whose number begins so (805.4 → 805.4, 805.4a, …)."""
    number = parse_number(text)
    if number is None:
        return
    starts = Q(number__startswith=str(number))
    sections = Entry.objects.filter(starts, kind=Kind.SECTION, status__in=LIVE)
    if game:
        sections = sections.filter(ruleset__game__slug=game)
    for entry in sections.select_related("ruleset").with_wording().order_by("sort_key", "ruleset__position")[:20]:
        yield Suggestion("section", f"{entry.ruleset} {entry}", entry.pk, entry.get_absolute_url())


def _headings(key: str, text: str, game: str | None) -> Iterator[Suggestion]:
    """Yield the sections under a heading that opens with the text."""
    if len(key) < 2:
        return
    titles = Revision.objects.in_force(timezone.localdate()).filter(entry__kind=Kind.SECTION, entry__status__in=LIVE)
    titles = titles.filter(Q(title__istartswith=text) | Q(title__istartswith=key))
    if game:
        titles = titles.filter(entry__ruleset__game__slug=game)
    for revision in titles.select_related("entry__ruleset").order_by("entry__ruleset__position", "entry__sort_key")[:5]:
        entry = revision.entry
        label = f"{entry.number} {revision.title}" if parse_number(entry.number) else revision.title
        yield Suggestion("section", f"{entry.ruleset} {label}", entry.pk, entry.get_absolute_url())


def _cards(key: str, game: str | None, limit: int) -> Iterator[Suggestion]:
    table = names.table()
    if len(key) == 1:
        opening = [writing for writing in table.opening(key, _SCANNED) if game in (None, table.games[writing.card])]
        opening.sort(key=lambda writing: (writing.key != key, writing.card not in table.ruled, len(writing.key)))
        ids = list(dict.fromkeys(writing.card for writing in opening))[:limit]
    else:
        ids = [found.card for found in match(fold_key(key), table, game)[:limit]]
    cards = Card.objects.in_bulk(ids)
    for pk in ids:
        if card := cards.get(pk):
            yield Suggestion("card", card.name, card.pk, card.get_absolute_url())

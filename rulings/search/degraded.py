"""Answers from the database while the index cannot be read: folded substrings, most of the query first."""

import time
from collections.abc import Callable
from functools import lru_cache

from django.db.models import QuerySet
from django.utils import timezone

from rulings.models import Entry, Kind, Revision
from rulings.models.entry_queries import EntryQuerySet
from rulings.search.engine import Concept
from rulings.search.reading import Query
from rulings.search.results import SearchRequest
from rulings.text.fold import squeeze

BUDGET = 2.0  # seconds of reading; what was not read by then is not found
NAMED = 1.5  # what naming the card counts, beside the concepts
HALF = 0.5  # of the concepts must stand there


@lru_cache(maxsize=5_000)
def _squeezed(text: str) -> str:
    return squeeze(text).text


def find(
    query: Query,
    request: SearchRequest,
    concepts: tuple[Concept, ...],
    meets: Callable[[str], bool],
    limit: int,
) -> tuple[list[int], bool]:
    """Return the entries that say most of what is asked, and whether all were read in time.

    `meets` tells whether a folded text meets the conditions of the query language.
    """
    entries = _filtered(Entry.objects.all(), query, request)
    places = {pk: at for at, pk in enumerate(entries.values_list("pk", flat=True))}
    cards = [card for mention in query.mentions for card in mention.cards[:1]]
    naming = set(Entry.cards.through.objects.filter(card__in=cards).values_list("entry", flat=True))
    on = request.as_of or timezone.localdate()
    texts: QuerySet[Revision] = Revision.objects.coming(on) if request.ahead else Revision.objects.in_force(on)
    weights = [concept.weight for concept in concepts]
    held: dict[int, float] = {}
    end = time.monotonic() + BUDGET
    for revision in texts.only("entry_id", "title", "body", "examples").iterator(chunk_size=500):
        if time.monotonic() > end:
            break
        if revision.entry_id not in places:
            continue
        examples = "\n".join(example.get("text", "") for example in revision.examples)
        text = _squeezed(f"{revision.title}\n{revision.body}\n{examples}")
        said = sum(weight for weight, concept in zip(weights, concepts, strict=True) if _says(concept, text))
        said += NAMED if revision.entry_id in naming else 0.0
        if said and said >= HALF * sum(weights) and meets(text):
            held[revision.entry_id] = max(said, held.get(revision.entry_id, 0.0))
    found = sorted(held, key=lambda pk: (-held[pk], places[pk]))
    return found[:limit], time.monotonic() <= end


def _says(concept: Concept, text: str) -> bool:
    return any(
        one.text in text if one.text else bool(one.words) and all(word in text for word in one.words)
        for one in concept.alternatives
        if one.text or one.words
    )


def _filtered(entries: EntryQuerySet, query: Query, request: SearchRequest) -> EntryQuerySet:
    if request.kind:
        entries = entries.filter(kind=request.kind)
    else:
        entries = entries.exclude(kind=Kind.INTERACTION, ruled_by__isnull=False)
    if game := query.game or request.game:
        entries = entries.filter(ruleset__game__slug=game)
    if request.ruleset:
        entries = entries.filter(ruleset__slug=request.ruleset)
    if request.card:
        entries = entries.filter(cards=request.card)
    if request.year:
        entries = entries.begun_in(request.year, request.as_of)
    entries = entries.announced(request.as_of) if request.ahead else entries.with_status(request.status, request.as_of)
    return entries.order_by("ruleset__position", "sort_key", "pk")

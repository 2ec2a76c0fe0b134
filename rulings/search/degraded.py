"""Answers from the database while the index cannot be read: plain substrings, no ranking to speak of."""

from django.db.models import Q, QuerySet
from django.utils import timezone

from rulings.models import Entry, Kind, Revision
from rulings.models.entry_queries import EntryQuerySet
from rulings.search.reading import Query
from rulings.search.results import SearchRequest

MAX_WORDS = 6


def find(query: Query, request: SearchRequest, limit: int) -> list[int]:
    """Return entries whose wording in force holds every word of the query."""
    day = request.as_of or timezone.localdate()
    texts: QuerySet[Revision] = Revision.objects.in_force(day)
    for word in query.text.split()[:MAX_WORDS]:
        bare = word.strip("《》≪≫「」『』?？")
        texts = texts.filter(Q(title__icontains=bare) | Q(body__icontains=bare) | Q(examples__icontains=bare))
    entries = Entry.objects.filter(pk__in=texts.values("entry"))
    cards = [card for mention in query.mentions for card in mention.cards[:1]]
    if cards:
        entries = entries | Entry.objects.filter(cards__in=cards)
    return list(_filtered(entries, query, request).values_list("pk", flat=True).distinct()[:limit])


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
    entries = entries.with_status(request.status, request.as_of)
    return entries.order_by("ruleset__position", "sort_key", "pk")

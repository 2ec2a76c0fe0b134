"""Results as they are shown: entries and cards, loaded, with what was found in them marked."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from django.utils import timezone

from rulings.models import Card, Entry, Kind, Revision
from rulings.search import ranking
from rulings.search.engine import Concept
from rulings.search.highlighting import highlights_of, needles_of
from rulings.search.results import Hit, HitKind, SearchRequest


@dataclass(frozen=True, slots=True)
class Place:
    """A result before it is loaded: an entry or a card."""

    score: float
    entry: int = 0
    card: int = 0
    why: dict[str, float] | None = None


def load(places: Iterable[Place], request: SearchRequest, text: str, concepts: tuple[Concept, ...]) -> list[Hit]:
    """Load the results of a page, in a fixed number of queries."""
    places = list(places)
    entries = _loaded([place.entry for place in places if place.entry], request)
    cards = Card.objects.loaded(place.card for place in places if place.card)
    needles, hits, today = needles_of(concepts, text), [], timezone.localdate()
    for place in places:
        if entry := entries.get(place.entry):
            marked = highlights_of(entry.wording_on(entry.as_of or today), needles)
            why = place.why or ({"lookup": round(place.score, 4)} if request.explain else {})
            hit = Hit(_kind(entry), round(place.score, 4), entry=entry, highlights=marked, explanation=why)
            hits.append(replace(hit, announced_for=entry.as_of) if request.ahead else hit)
        elif card := cards.get(place.card):
            why = {"name": round(place.score - ranking.CARD, 4)} if request.explain else {}
            hits.append(Hit("card", round(place.score, 4), card=card, explanation=why))
    return hits


def _loaded(ids: list[int], request: SearchRequest) -> dict[int, Entry]:
    """The entries as of the day that is asked for; of what is to come, each as of the day on which it comes."""
    if not request.ahead:
        return Entry.objects.loaded(ids, request.as_of)
    coming = Revision.objects.coming(request.as_of or timezone.localdate()).filter(entry__in=ids)
    days: dict[date, list[int]] = defaultdict(list)
    known: set[int] = set()
    for entry, day in coming.order_by("effective_on").values_list("entry", "effective_on"):
        if entry not in known and day is not None:
            known.add(entry)
            days[day].append(entry)
    return {pk: one for day, some in days.items() for pk, one in Entry.objects.loaded(some, day).items()}


def _kind(entry: Entry) -> HitKind:
    kinds: dict[str, HitKind] = {Kind.SECTION: "section", Kind.FAQ: "faq", Kind.INTERACTION: "interaction"}
    return kinds[entry.kind]

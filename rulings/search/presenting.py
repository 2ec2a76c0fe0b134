"""Results as they are shown: entries and cards, loaded, with what was found in them marked."""

from collections.abc import Iterable
from dataclasses import dataclass

from rulings.models import Card, Entry, Kind
from rulings.search import ranking
from rulings.search.engine import Concept
from rulings.search.highlighting import highlights_of
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
    entries = Entry.objects.for_display(request.as_of).in_bulk([place.entry for place in places if place.entry])
    cards = Card.objects.select_related("game").with_faces().in_bulk([place.card for place in places if place.card])
    hits = []
    for place in places:
        if entry := entries.get(place.entry):
            marked = highlights_of(entry.wording_on(request.as_of), concepts, text)
            why = place.why or ({"lookup": round(place.score, 4)} if request.explain else {})
            hits.append(Hit(_kind(entry), round(place.score, 4), entry=entry, highlights=marked, explanation=why))
        elif card := cards.get(place.card):
            why = {"name": round(place.score - ranking.CARD, 4)} if request.explain else {}
            hits.append(Hit("card", round(place.score, 4), card=card, explanation=why))
    return hits


def _kind(entry: Entry) -> HitKind:
    kinds: dict[str, HitKind] = {Kind.SECTION: "section", Kind.FAQ: "faq", Kind.INTERACTION: "interaction"}
    return kinds[entry.kind]

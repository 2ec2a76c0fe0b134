"""`expand`: the entries that the rows of an answer cite and the cards that they name, each once, in `included`."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from rest_framework.request import Request

from rulings.api.shaping import read_choices
from rulings.models import Card, CrossReference, Entry

EXPANDABLE = ("references", "cards")
MOST_INCLUDED = 500


def included(
    request: Request, entries: Iterable[Entry], context: dict[str, Any], cards: Iterable[Card] = ()
) -> dict[str, Any]:
    """The member `included` as far as the request asks for it. `cards`: rows that are cards themselves."""
    expand = read_choices(request, "expand", EXPANDABLE)
    if not expand:
        return {}
    # Cards show entries and entries cards: what draws either is only known here.
    from rulings.api.cards import CardSerializer
    from rulings.api.entries import EntrySerializer

    rows = list(entries)
    cited = _cited(rows, context["as_of"]) if "references" in expand else []
    named = _named(rows, cards) if "cards" in expand else []
    return {
        "included": {
            "entries": EntrySerializer(cited, many=True, context=context).data,
            "cards": CardSerializer(named, many=True, context=context).data,
        }
    }


def _cited(rows: list[Entry], as_of: date | None) -> list[Entry]:
    wordings = [wording for entry in rows if (wording := entry.ruling.wording_on(as_of)) is not None]
    cited = CrossReference.objects.filter(revision__in=wordings, entry__isnull=False).values("entry")
    return list(Entry.objects.for_display(as_of).filter(pk__in=cited).order_by("pk")[:MOST_INCLUDED])


def _named(rows: list[Entry], cards: Iterable[Card]) -> list[Card]:
    named = {card.pk for entry in rows for card in entry.cards.all()} | {card.pk for card in cards}
    found = Card.objects.in_ids(named).select_related("game").with_faces()
    return list(found.order_by("pk")[:MOST_INCLUDED])

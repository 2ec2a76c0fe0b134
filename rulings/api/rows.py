"""Rows of lists, written at once: a serializer that asks each field for itself takes ten times as long.

The serializers stay their description; a test holds both together.
"""

from datetime import date
from typing import Any

from rest_framework.request import Request

from rulings.api.base import page_url
from rulings.models import Entry, Verdict


def link_row(entry: Entry, request: Request) -> dict[str, Any]:
    """What `EntryLinkSerializer` describes."""
    return {
        "url": page_url(request, entry),
        "id": entry.pk,
        "kind": entry.kind,
        "ruleset": entry.ruleset.slug,
        "number": entry.number,
    }


def entry_row(
    entry: Entry, request: Request, on: date, disagreeing: list[Entry], *, is_whole: bool = False
) -> dict[str, Any]:
    """What `EntrySerializer` describes; `disagreeing`: the answers that contradict the entry.

    `is_whole`: the body with the examples, as the document prints it.
    """
    ruleset, wording, successor = entry.ruleset, entry.ruling.wording_on(on), entry.shown_successor
    own = wording.title if wording and entry.ruled_by_id is None else ""
    return {
        "url": page_url(request, entry),
        "id": entry.pk,
        "kind": entry.kind,
        "game": ruleset.game.slug,
        "ruleset": ruleset.slug,
        "authority": ruleset.authority,
        "number": entry.shown_number,
        "title": own or entry.title_on(on),
        "body": (wording.whole_text if is_whole else wording.body) if wording else "",
        "examples": wording.examples if wording else [],
        "verdict": wording.verdict if wording else Verdict.NONE.value,
        "cards": [{"id": card.pk, "name": card.name} for card in entry.named_cards],
        "status": entry.shown_status,
        "superseded_by": link_row(successor, request) if successor else None,
        "effective_on": wording.effective_on if wording else None,
        "contradicts": [link_row(other, request) for other in disagreeing],
    }

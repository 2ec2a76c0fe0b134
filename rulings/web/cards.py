"""Cards: their sides and everything that rules them."""

from collections.abc import Iterable
from datetime import date
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from rulings.games import profile_of
from rulings.models import Authority, Card, Entry, Game, Kind
from rulings.models.situations import Placed, rulings_of
from rulings.text.fold import fold_key
from rulings.web.dating import as_of
from rulings.web.page import MissingError, choice_of, page, paginated, text_of

CARDS_PAGE = 60
ENTRIES_PAGE = 60
RULES = 20  # rules shown beside a card
COMBINATIONS = 60  # combinations with other cards that are named


@page
def card_list(request: HttpRequest) -> HttpResponse:
    """Cards by name."""
    games = dict(Game.objects.values_list("slug", "name"))
    query, game = text_of(request, "q"), choice_of(request, "game", games, _("ゲーム"))
    cards = Card.objects.select_related("game").with_faces()
    if game:
        cards = cards.filter(game__slug=game)
    if query:
        cards = cards.matching(fold_key(query))
    context = {"query": query, "game": game, "games": games, "page_obj": paginated(request, cards, CARDS_PAGE)}
    return render(request, "cards.html", context)


def described_by(card: Card, on: date | None) -> list[Entry]:
    """The rules under whose headings the card's own words stand: its type, its races, its layout, its text."""
    facts = [value for face in card.faces.all() for value in face.facts.values()]
    values = [word for value in facts for word in (value if isinstance(value, list) else [value])]
    layout = profile_of(card.game.slug).layout_names.get(card.layout)
    words = [word for word in (*values, layout) if isinstance(word, str) and len(word) > 1]
    rules = Entry.objects.of_game(card.game.slug).filter(ruleset__authority=Authority.OFFICIAL, ruleset__base=None)
    titles = headings_within(words, rules.headings(on)) if words else []
    return list(rules.headed(titles, on).in_book_order().for_display(on)[:RULES]) if titles else []


def headings_within(texts: list[str], headings: Iterable[str]) -> list[str]:
    """The headings that stand in one of the texts, however either is written."""
    keys = [fold_key(text) for text in texts]
    return [heading for heading in headings if len(key := fold_key(heading)) > 1 and any(key in text for text in keys)]


def situations(placed: Iterable[Placed], on: date | None) -> list[dict[str, Any]]:
    """Rulings as the page shows them: by situation, then by ruleset."""
    rows = list(placed)
    entries = Entry.objects.for_display(on).with_references(on).in_bulk([row.entry for row in rows])
    groups = []
    for situation, members in groupby(rows, key=lambda row: row.situation):
        shown = [entries[row.entry] for row in members]
        rulesets = [
            {"ruleset": book, "entries": list(of)} for book, of in groupby(shown, key=lambda each: each.ruleset)
        ]
        groups.append({"situation": situation, "rulesets": rulesets, "count": len(shown)})
    return groups


@page
def card(request: HttpRequest, pk: int) -> HttpResponse:
    """A card, the rulings that concern it by situation and ruleset, and the cards that share a name with it."""
    found = Card.objects.select_related("game", "source").prefetch_related("faces", "aliases").filter(pk=pk).first()
    if found is None:
        raise MissingError(_("その番号のカードはありません。"))
    on = as_of(request)
    shown = paginated(request, rulings_of(found, on), ENTRIES_PAGE)
    together = Entry.objects.filter(cards=found, kind=Kind.INTERACTION).with_status(None, on)
    keys = [face.key for face in found.faces.all()]
    context = {
        "card": found,
        "page_obj": shown,
        "groups": situations(shown, on),
        "combinations": together.in_book_order().for_display(on)[:COMBINATIONS],
        "relied_on": Entry.objects.relied_on(pk, on).in_book_order().for_display(on)[:RULES],
        "described": described_by(found, on),
        "namesakes": Card.objects.filter(faces__key__in=keys, game=found.game).exclude(pk=pk).distinct(),
    }
    return render(request, "card.html", context)

"""Cards: their sides and everything that rules them."""

from datetime import date
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from rulings.models import Authority, Card, Entry, Game, Kind
from rulings.text.fold import fold_key
from rulings.web.dating import as_of
from rulings.web.page import MissingError, choice_of, page, paginated, text_of

CARDS_PAGE = 60
ENTRIES_PAGE = 60
RULES = 20  # rules shown beside a card
_KIND_ORDER = {Kind.FAQ: 0, Kind.INTERACTION: 1, Kind.SECTION: 2}


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
    """The rules under whose headings the card's own words stand: its type, its race, its abilities."""
    values = [value for face in card.faces.all() for value in face.facts.values()]
    words = {word for value in values for word in (value if isinstance(value, list) else [value])}
    titles = sorted(word for word in words if isinstance(word, str) and len(word) > 1)
    sections = Entry.objects.of_game(card.game.slug).filter(ruleset__authority=Authority.OFFICIAL, ruleset__base=None)
    return list(sections.headed(titles, on).in_book_order().for_display(on)[:RULES]) if titles else []


@page
def card(request: HttpRequest, pk: int) -> HttpResponse:
    """A card, the rulings that concern it by kind and ruleset, and the cards that share a name with it."""
    found = Card.objects.select_related("game", "source").prefetch_related("faces", "aliases").filter(pk=pk).first()
    if found is None:
        raise MissingError(_("その番号のカードはありません。"))
    on = as_of(request)
    entries = Entry.objects.filter(cards=found).with_status(None, on).for_display(on).with_references(on)
    shown = paginated(request, entries.order_by("kind", "ruleset__position", "sort_key", "pk"), ENTRIES_PAGE)
    ordered = sorted(shown, key=lambda entry: _KIND_ORDER[Kind(entry.kind)])
    keys = [face.key for face in found.faces.all()]
    context = {
        "card": found,
        "page_obj": shown,
        "groups": [
            {"kind": kind, "ruleset": ruleset, "entries": list(members)}
            for (kind, ruleset), members in groupby(ordered, key=lambda entry: (entry.kind, entry.ruleset))
        ],
        "relied_on": Entry.objects.relied_on(pk, on).in_book_order().for_display(on)[:RULES],
        "described": described_by(found, on),
        "namesakes": Card.objects.filter(faces__key__in=keys, game=found.game).exclude(pk=pk).distinct(),
    }
    return render(request, "card.html", context)

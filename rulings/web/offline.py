"""What a device keeps for the time without a network, beside the exports of the API: names and players' words."""

from typing import Any

from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from rulings.models import Card, CardAlias, CardFace, Entry, Ruleset
from rulings.search.vocabulary import players_words
from rulings.web.page import page
from rulings.web.rulesets import ruleset_or_missing


@page
def offline(request: HttpRequest) -> HttpResponse:
    """What is kept for the time without a network, and the search in it."""
    rulesets = Ruleset.objects.with_counts().select_related("game")
    return render(request, "offline.html", {"rulesets": rulesets, "nav": "settings"})


@page
def names(request: HttpRequest, slug: str) -> HttpResponse:
    """The other names of the cards that a ruleset names, and the players' words of its game, folded as the search does.

    `cards`: [id, key, …] – readings, faces, nicknames; the card's own name stands in the entries. `words`:
    [key, stem, [what the rules say, …]] – `stem` 1 where any ending may follow, 0 where a short key must stand alone.
    """
    book = ruleset_or_missing(slug)
    answer = {"cards": _cards(book), "words": players_words(book.game.slug)}
    return JsonResponse(answer, json_dumps_params={"ensure_ascii": False, "separators": (",", ":")})


def _cards(book: Ruleset) -> list[list[Any]]:
    link = Entry.cards.through.objects.filter(card=OuterRef("pk"), entry__ruleset=book)
    own: dict[int, str] = {}
    keys: dict[int, set[str]] = {}
    named = Card.objects.filter(Exists(link))
    for pk, key, reading in named.values_list("pk", "key", "reading_key"):
        own[pk], keys[pk] = key, {reading}
    for model in (CardFace, CardAlias):
        for pk, key in model.objects.filter(card__in=named).values_list("card", "key"):
            keys[pk].add(key)
    return [[pk, *sorted(found)] for pk, each in sorted(keys.items()) if (found := each - {"", own[pk]})]

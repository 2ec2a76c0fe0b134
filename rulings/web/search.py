"""Search results."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from rulings.models import Kind, Ruleset, Status
from rulings.search import SearchRequest, search, suggest
from rulings.web import dating
from rulings.web.page import BadParameterError, MissingError, choice_of, id_of, page, page_number, text_of

PAGE_SIZE = 20
LAST_PAGE = 100  # results further down are for nobody: narrow the search


def kinds() -> dict[str, str]:
    """What can be searched for."""
    return {value: str(label) for value, label in Kind.choices} | {"card": _("カード")}


def statuses() -> dict[str, str]:
    """Which statuses can be asked for."""
    return {"all": _("すべて（有効でないものも）")} | {value: str(label) for value, label in Status.choices}


def read_request(request: HttpRequest, rulesets: list[Ruleset]) -> SearchRequest:
    """Read the query and its filters from the address."""
    games = {ruleset.game.slug: ruleset.game.name for ruleset in rulesets}
    as_of = dating.as_of(request)
    card = text_of(request, "card")
    number = page_number(request)
    if number > LAST_PAGE:
        raise MissingError(_("そのページはありません。"))
    return SearchRequest(
        q=text_of(request, "q"),
        kind=choice_of(request, "kind", kinds(), _("種類")) or None,
        game=choice_of(request, "game", games, _("ゲーム")) or None,
        ruleset=choice_of(request, "ruleset", {each.slug: each.name for each in rulesets}, _("規則集")) or None,
        status=choice_of(request, "status", statuses(), _("状態")) or None,
        card=id_of(card, _("カード")) if card else None,
        as_of=as_of,
        page=number,
        page_size=PAGE_SIZE,
    )


@page
def search_page(request: HttpRequest) -> HttpResponse:
    """How the query was read, what was found, and how to narrow or widen it."""
    rulesets = list(Ruleset.objects.select_related("game"))
    asked = read_request(request, rulesets)
    try:
        found = search(asked)
    except ValueError as error:  # the search says in Japanese what it cannot read
        raise BadParameterError(str(error)) from error
    last = min(LAST_PAGE, max(1, -(-found.count // found.page_size)))
    if asked.page > last:
        raise MissingError(_("そのページはありません。"))
    context = {
        "asked": asked,
        "found": found,
        "kinds": kinds(),
        "statuses": statuses(),
        "rulesets": rulesets,
        "games": {ruleset.game.slug: ruleset.game.name for ruleset in rulesets},
        "last": last,
        "filtered": any((asked.kind, asked.game, asked.ruleset, asked.status, asked.card, asked.as_of)),
        "near": suggest(asked.q, game=asked.game, limit=8) if asked.q and not found.hits else [],
    }
    return render(request, "search.html", context)

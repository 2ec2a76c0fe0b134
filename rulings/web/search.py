"""Search results, as a page or as the part of it that changes while typing."""

from dataclasses import dataclass
from datetime import date
from itertools import chain
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from rulings.models import Authority, Card, CrossReference, Entry, Kind, Revision, Ruleset, Status
from rulings.search import SearchPage, SearchRequest, search, suggest
from rulings.text.citations import CitationKind
from rulings.web import dating
from rulings.web.page import BadParameterError, MissingError, choice_of, id_of, page, page_number, text_of

PAGE_SIZE = 20
LAST_PAGE = 100  # results further down are for nobody: narrow the search
SUGGESTIONS = 6
CITED_SHOWN = 3  # rules named under a result


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value that the results can be narrowed to."""

    value: str
    label: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """A dimension of the results: the parameter of the address, and its values with their counts."""

    name: str
    label: str
    values: list[FacetValue]

    @property
    def chosen(self) -> bool:
        return any(value.chosen for value in self.values)


def kinds() -> dict[str, str]:
    """What can be searched for."""
    return {value: str(label) for value, label in Kind.choices} | {"card": _("カード")}


def statuses() -> dict[str, str]:
    """Which statuses can be asked for."""
    return {"all": _("すべて（有効でないものも）")} | {value: str(label) for value, label in Status.choices}


def authorities() -> dict[str, str]:
    """Whose rules can be asked for."""
    return {value: str(label) for value, label in Authority.choices}


def readings() -> dict[str, str]:
    """How a query can be read other than the search reads it by itself."""
    return {"words": _("ことば"), "card": _("カード"), "number": _("番号")}


def year_of(request: HttpRequest) -> int | None:
    """The year in which results took effect."""
    value = text_of(request, "year")
    if value and not (value.isascii() and value.isdigit() and 0 < int(value[:5]) < 10_000):
        raise BadParameterError(
            _("年「%(value)s」を読み取れません。2026 のように書いてください。") % {"value": value[:40]}
        )
    return int(value) if value else None


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
        authority=choice_of(request, "authority", authorities(), _("権威")) or None,
        year=year_of(request),
        read=choice_of(request, "read", readings(), _("読み方")) or None,
        card=id_of(card, _("カード")) if card else None,
        as_of=as_of,
        page=number,
        page_size=PAGE_SIZE,
    )


def facets_of(found: SearchPage, asked: SearchRequest, rulesets: list[Ruleset]) -> list[Facet]:
    """The dimensions that would narrow these results, or that already do."""
    cards = {str(card.pk): f"《{card.name}》" for card in Card.objects.in_ids(map(int, found.facets.get("card", {})))}
    years = sorted({*found.facets.get("year", {}), *([str(asked.year)] if asked.year else [])}, reverse=True)
    labels: list[tuple[str, str, dict[str, str]]] = [
        ("ruleset", _("規則集"), {each.slug: each.name for each in rulesets}),
        ("authority", _("公式・非公式"), authorities()),
        ("status", _("状態"), {value: str(label) for value, label in Status.choices}),
        ("card", _("カード"), cards),
        ("year", _("施行された年"), {year: _("%(year)s年") % {"year": year} for year in years}),
    ]
    facets = []
    for name, label, known in labels:
        counts, chosen = found.facets.get(name, {}), str(getattr(asked, name) or "")
        values = [
            FacetValue(value, text, counts.get(value, 0), value == chosen)
            for value, text in known.items()
            if counts.get(value) or value == chosen
        ]
        if name != "year":  # years stay in their order, the newest first
            values.sort(key=lambda value: -value.count)
        if len(values) > 1 or any(value.chosen for value in values):
            facets.append(Facet(name, label, values))
    return facets


def cited_rules(found: SearchPage) -> dict[int, list[Entry]]:
    """The rules that each result rests on, in one query."""
    wordings = {
        wording.pk: hit.entry.pk
        for hit in found.hits
        if hit.entry and hit.entry.kind != Kind.SECTION and (wording := hit.entry.ruling.wording)
    }
    rules: dict[int, list[Entry]] = {}
    cited = CrossReference.objects.filter(revision__in=wordings, kind=CitationKind.RULE, entry__isnull=False)
    for reference in cited.select_related("entry__ruleset").order_by("pk"):
        known = rules.setdefault(wordings[reference.revision_id], [])
        if reference.entry and reference.entry not in known and len(known) < CITED_SHOWN:
            known.append(reference.entry)
    return rules


def headings_above(found: SearchPage, as_of: date | None) -> dict[int, str]:
    """The nearest heading that each section stands under, by its id, in two queries."""
    parents = {hit.entry.pk: hit.entry.parent_id for hit in found.hits if hit.entry and hit.entry.parent_id}
    if not parents:
        return {}
    rows = Entry.objects.filter(pk__in=set(parents.values())).values_list("pk", "parent", "parent__parent")
    above = {pk: [at for at in (pk, *higher) if at] for pk, *higher in rows}
    held = Revision.objects.in_force(as_of or timezone.localdate()).exclude(title="")
    titles = dict(held.filter(entry__in=set(chain(*above.values()))).values_list("entry", "title"))
    lines = {pk: above.get(parent, []) for pk, parent in parents.items()}
    return {pk: next(titles[at] for at in line if at in titles) for pk, line in lines.items() if titles.keys() & line}


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
        "kind_counts": found.facets.get("kind", {}),
        "facets": facets_of(found, asked, rulesets),
        "statuses": statuses(),
        "rulesets": rulesets,
        "games": {ruleset.game.slug: ruleset.game.name for ruleset in rulesets},
        "last": last,
        "cited": cited_rules(found),
        "headings": headings_above(found, asked.as_of),
        "filtered": any(
            (asked.kind, asked.game, asked.ruleset, asked.status, asked.card, asked.as_of, asked.authority, asked.year)
        ),
        "near": suggest(asked.q, game=asked.game, limit=8) if asked.q and not found.hits else [],
    }
    fragment = is_fragment(request)
    response = render(request, "parts/results.html" if fragment else "search.html", context | {"fragment": fragment})
    patch_vary_headers(response, ("HX-Request",))
    if fragment:
        keep_address(request, response)
    return response


def is_fragment(request: HttpRequest) -> bool:
    """Whether only the results are wanted: htmx asks while the reader types."""
    return request.headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in request.headers


def keep_address(request: HttpRequest, response: HttpResponse) -> None:
    """Show in the address bar what is shown; the back button leads back before the search, not to each letter."""
    filled = request.GET.copy()
    for name in [name for name, value in filled.items() if not value]:
        del filled[name]
    address = f"{reverse('search')}?{filled.urlencode()}"
    here = urlsplit(request.headers.get("HX-Current-URL", "")).path == reverse("search")
    response.headers["HX-Replace-Url" if here else "HX-Push-Url"] = address


@page
def suggestions(request: HttpRequest) -> HttpResponse:
    """What is being typed may become one of these: a fragment, drawn under the search box."""
    kind = choice_of(request, "kind", {"card": _("カード")}, _("種類"))
    found = suggest(text_of(request, "q"), limit=30 if kind else SUGGESTIONS)
    wanted = [each for each in found if not kind or each.kind == kind][:SUGGESTIONS]
    ids = [each.id for each in wanted if each.kind == "card"]
    cards = Card.objects.select_related("game").in_bulk(ids)
    rows = [{"suggestion": each, "card": cards.get(each.id) if each.kind == "card" else None} for each in wanted]
    return render(request, "parts/suggestions.html", {"rows": rows})

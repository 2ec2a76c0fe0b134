"""A query in, a page of results out."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.db.models import Count
from django.utils import timezone

from rulings.models import Authority, Card, Entry, Kind, Ruleset, Status
from rulings.search import degraded, indexing, language, lookups, names, narrowing, ranking, reading
from rulings.search.concepts import concepts_of, literal_of
from rulings.search.documents import RULED
from rulings.search.engine import Concept, EngineAnswer, EngineQuery, IndexUnusable
from rulings.search.facets import facets_of
from rulings.search.highlighting import highlights_of
from rulings.search.matching import match
from rulings.search.reading import Query
from rulings.search.results import Hit, HitKind, SearchPage, SearchRequest, SearchWarning
from rulings.text.fold import fold_key, squeeze

logger = logging.getLogger(__name__)

MAX_PAGE_SIZE = 100
DEEPEST = 2_000  # results that pages can reach
MAX_CARD_HITS = 30
FILTERED = 2_000  # the best results, among which conditions of the query language are looked for
FACETED = 5_000  # … and counted one by one where that is asked for
FACET_DEPTH = 200  # results among which named cards are counted otherwise
FACET_CARDS = 8
FEW, NEAR_NAMES = 3, 5
SHOWN = ("title", "body", "examples")


@dataclass(frozen=True, slots=True)
class Place:
    """A result before it is loaded: an entry or a card."""

    score: float
    entry: int = 0
    card: int = 0
    why: dict[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Conditions:
    """What results must meet beside the filters of the request."""

    node: language.Node | None = None
    is_exact: bool = False
    days: narrowing.Days | None = None

    def __bool__(self) -> bool:
        return self.node is not None or self.days is not None


@dataclass(slots=True)
class Results:
    """All results in order, as far as pages can reach."""

    places: list[Place] = field(default_factory=list)
    total: int = 0
    left_out: int = 0
    concepts: tuple[Concept, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)


def search(request: SearchRequest) -> SearchPage:
    """Answer `request`. Never raises for what was typed; what was left out of account stands in the warnings."""
    table = names.table()
    text, warnings = reading.cut(request.q)
    asked = language.take_apart(text)
    narrowed = narrowing.narrow(asked, request, table)
    request = narrowed.request
    if asked.is_exact:
        request = replace(request, read="words")
    query = reading.read(request, table)
    query.warnings[:0] = [*warnings, *asked.warnings, *narrowed.warnings]
    page, size = max(1, request.page), min(max(1, request.page_size), MAX_PAGE_SIZE)
    conditions = Conditions(asked.condition, asked.is_exact, narrowed.days)
    if query.reading.kind == "empty" and set(asked.fields) - {"number"}:
        query.reading = replace(query.reading, text="条件に合うもの")
    elif query.reading.kind == "empty":
        return SearchPage(0, query.reading, query.warnings, [], page, size)
    counts = request.facets or bool(conditions)
    reach = FACETED if counts else min(page * size, DEEPEST)
    results = _results(request, query, conditions, reach)
    hits = _load(results.places[(page - 1) * size : page * size], request, query, results.concepts)
    near = _did_you_mean(query, table) if results.total <= FEW else []
    facets = _counted(results, request, query) if counts else _facets(results)
    return SearchPage(results.total, query.reading, query.warnings, hits, page, size, facets, results.left_out, near)


def _facets(results: Results) -> dict[str, dict[str, int]]:
    """The counts of the engine by dimension, without zeros, and the cards most named among the first results."""
    facets: dict[str, dict[str, int]] = {}
    for label, count in results.counts.items():
        dimension, _colon, value = label.partition(":")
        if count:
            facets.setdefault(dimension, {})[value] = count
    if results.counts:
        first = [place.entry for place in results.places[:FACET_DEPTH] if place.entry]
        named = Entry.cards.through.objects.filter(entry__in=first).values("card").annotate(count=Count("entry"))
        rows = list(named.order_by("-count", "card")[:FACET_CARDS])
        facets["card"] = {str(row["card"]): row["count"] for row in rows}
    return facets


def _counted(results: Results, request: SearchRequest, query: Query) -> dict[str, dict[str, int]]:
    """Count the results one by one."""
    if results.total > len(results.places):
        query.warnings.append(SearchWarning("facets_cut", f"件数の内訳は、よく合うもの {FACETED} 件についてです。"))
    cards = sum(1 for place in results.places if place.card)
    entries = (place.entry for place in results.places if place.entry)
    return facets_of(entries, cards, request.as_of or timezone.localdate())


def _did_you_mean(query: Query, table: names.NameTable) -> list[str]:
    """Return names a slip away from a query that found little."""
    if any(mention.is_exact for mention in query.mentions):
        return []
    found = [one for one in match(fold_key(query.text), table, query.game) if one.how in ("typo", "nickname", "part")]
    best = [one.card for one in found[:NEAR_NAMES]]
    known = dict(Card.objects.filter(pk__in=best).values_list("pk", "name"))
    return [known[card] for card in best if card in known]


def _results(request: SearchRequest, query: Query, conditions: Conditions, reach: int) -> Results:
    if request.kind == "card":
        return _cards_only(request, query)
    if query.reading.kind == "empty":
        return _browsed(request, conditions)
    if query.reading.kind == "number":
        return _by_number(request, query, conditions, reach)
    results = _by_words(request, query, conditions, reach)
    if request.kind is None and request.card is None and request.ruleset is None:
        _insert_cards(results, query)
    return results


def _browsed(request: SearchRequest, conditions: Conditions) -> Results:
    """Return what the filters alone let through, in the order of the books."""
    entries = lookups.by_filters(request, conditions.days, request.as_of or timezone.localdate())
    return Results([Place(0.0, entry=entry) for entry in entries[:FACETED]], len(entries))


# -- cards ---------------------------------------------------------------------------------------------------------


def _card_places(query: Query, limit: int) -> list[Place]:
    found: dict[int, Place] = {}
    for mention in query.mentions:
        for one in mention.matches[:limit]:
            found.setdefault(one.card, Place(ranking.CARD + one.quality, card=one.card))
    return list(found.values())


def _cards_only(request: SearchRequest, query: Query) -> Results:
    places = [place for place in _card_places(query, 200) if request.card in (None, place.card)]
    return Results(places, len(places))


def _insert_cards(results: Results, query: Query) -> None:
    """Show the cards that were named: behind the best ruling that names them, before other results."""
    if not query.mentions:
        return
    whole = any(mention.whole for mention in query.mentions)
    places = _card_places(query, MAX_CARD_HITS if whole else ranking.CARDS_BESIDE_WORDS)
    first = results.places[0] if results.places else None
    named = {place.card for place in places}
    rules_it = first is not None and Entry.cards.through.objects.filter(entry=first.entry, card__in=named).exists()
    says_it = first is not None and rules_it or (whole and _says(query, first))
    at = 1 if says_it else 0
    head, tail = places[: ranking.CARDS_IN_FRONT], places[ranking.CARDS_IN_FRONT :]
    results.places[at:at] = head
    results.places.extend(tail)
    results.total += len(places)


def _says(query: Query, first: Place | None) -> bool:
    if first is None:
        return False
    wording = Entry.objects.with_wording().get(pk=first.entry).wording
    return wording is not None and squeeze(query.text).text in squeeze(f"{wording.title} {wording.body}").text


# -- numbers -------------------------------------------------------------------------------------------------------


def _by_number(request: SearchRequest, query: Query, conditions: Conditions, reach: int) -> Results:
    """Return the section itself, what cites it, what stands under it; then what the words find."""
    found = lookups.by_number(query.reading.number, query.reading.ruleset, request)
    places = [Place(score, entry=entry) for score, entry in found]
    if not squeeze(query.rest).text:
        return Results(places, len(places), concepts=concepts_of(query))
    rest_of_it = Query(query.rest, query.reading, query.game, words=query.words)
    by_words = _by_words(request, rest_of_it, conditions, reach)
    known = {place.entry for place in places}
    rest = [place for place in by_words.places if place.entry not in known]
    total = len(places) + by_words.total - (len(by_words.places) - len(rest))
    return Results(places + rest, total, by_words.left_out, by_words.concepts, by_words.counts)


# -- words ---------------------------------------------------------------------------------------------------------


def _by_words(request: SearchRequest, query: Query, conditions: Conditions, reach: int) -> Results:
    concepts = concepts_of(query)
    limit = max(reach, FILTERED if conditions else 0, ranking.LOOKED_AT_TWICE)
    asked = _engine_query(request, query, concepts, limit)
    if conditions.is_exact:
        asked = replace(asked, minimum=0.0)  # the condition decides
    try:
        answer = indexing.ask(asked)
    except IndexUnusable as error:
        logger.warning("search without the index: %s", error)
        query.warnings.append(SearchWarning("degraded", "索引を作り直しているため、簡易検索で答えています。"))
        entries = degraded.find(query, request, DEEPEST)
        return Results([Place(0.0, entry=entry) for entry in entries], len(entries), concepts=concepts)
    total = answer.total
    if conditions:
        answer = _filtered(answer, conditions, query)
        total = len(answer.found)
    places = _ordered(answer, query, concepts, explain=request.explain)
    return Results(places, total, answer.left_out, concepts, answer.counts)


def _filtered(answer: EngineAnswer, conditions: Conditions, query: Query) -> EngineAnswer:
    """Return what meets the conditions, of the best that the engine found."""
    if answer.total > len(answer.found):
        query.warnings.append(SearchWarning("condition_cut", f"条件は、よく合うもの {FILTERED} 件の中で調べました。"))
    found = answer.found
    if conditions.days:
        begun = lookups.begun_within([one.id for one in found], conditions.days)
        found = [one for one in found if one.id in begun]
    node = conditions.node
    if node is not None:
        held = [one for one in found if node.holds("\n".join(one.texts.get(name, "") for name in SHOWN))]
        if not held and not conditions.is_exact and not _excludes(node):
            query.warnings.append(
                SearchWarning("phrase_not_found", "引用符の中の文がそのままあるものはありませんでした。")
            )
        else:
            found = held
    return replace(answer, found=found)


def _excludes(node: language.Node) -> bool:
    return node.kind == "not" or any(map(_excludes, node.parts))


def _ordered(answer: EngineAnswer, query: Query, concepts: tuple[Concept, ...], *, explain: bool) -> list[Place]:
    text = query.text
    look = ranking.Look(concepts, answer.information, squeeze(text).text, ranking.asked_for(text))
    again, rest = answer.found[: ranking.LOOKED_AT_TWICE], answer.found[ranking.LOOKED_AT_TWICE :]
    judged = ranking.second_look(again, look) + [ranking.Judged(one, one.score, {}, 1.0) for one in rest]
    return [Place(one.score, entry=one.found.entry, why=_why(one) if explain else None) for one in judged]


def _why(one: ranking.Judged) -> dict[str, float]:
    """Return what a score is made of: engine × (1 + the parts) × factor."""
    parts = {name: round(value, 4) for name, value in one.parts.items() if value}
    return {
        "engine": round(one.found.score, 4),
        "coverage": round(one.found.coverage, 4),
        **parts,
        "factor": one.factor,
    }


def _engine_query(request: SearchRequest, query: Query, concepts: tuple[Concept, ...], limit: int) -> EngineQuery:
    required = [
        frozenset((f"{name}:{value}",))
        for name, value in (
            ("kind", request.kind),
            ("ruleset", request.ruleset),
            ("game", query.game or request.game),
            ("card", request.card),
            ("authority", request.authority),
        )
        if value
    ]
    left_out: frozenset[str] = frozenset()
    if request.status is None and request.as_of is None:
        left_out = frozenset(("status:superseded", "status:withdrawn"))
    elif request.status not in (None, "all"):
        required.append(frozenset((f"status:{request.status}",)))
    return EngineQuery(
        concepts=concepts,
        literal=literal_of(query.text),
        required=tuple(required),
        excluded=frozenset() if request.kind == Kind.INTERACTION else frozenset((RULED,)),
        left_out=left_out,
        on=request.as_of or timezone.localdate(),
        in_force=request.as_of is not None and request.status is None,
        minimum=ranking.MINIMUM_COVERAGE,
        boosts=ranking.FIELD_BOOSTS,
        label_boosts=ranking.LABEL_BOOSTS | {f"ruleset:{slug}": ranking.NAMED_RULESET for slug in query.rulesets},
        limit=limit,
        counted=_counted(),
    )


def _counted() -> tuple[str, ...]:
    values = {
        "kind": Kind.values,
        "ruleset": Ruleset.objects.values_list("slug", flat=True),
        "authority": Authority.values,
        "status": Status.values,
    }
    return tuple(f"{dimension}:{value}" for dimension, each in values.items() for value in each)


# -- loading -------------------------------------------------------------------------------------------------------


def _load(places: Iterable[Place], request: SearchRequest, query: Query, concepts: tuple[Concept, ...]) -> list[Hit]:
    places = list(places)
    entries = Entry.objects.for_display(request.as_of).in_bulk([place.entry for place in places if place.entry])
    cards = Card.objects.select_related("game").with_faces().in_bulk([place.card for place in places if place.card])
    hits = []
    for place in places:
        if entry := entries.get(place.entry):
            marked = highlights_of(entry.wording_on(request.as_of), concepts, query.text)
            why = place.why or ({"lookup": round(place.score, 4)} if request.explain else {})
            hits.append(Hit(_kind(entry), round(place.score, 4), entry=entry, highlights=marked, explanation=why))
        elif card := cards.get(place.card):
            why = {"name": round(place.score - ranking.CARD, 4)} if request.explain else {}
            hits.append(Hit("card", round(place.score, 4), card=card, explanation=why))
    return hits


def _kind(entry: Entry) -> HitKind:
    kinds: dict[str, HitKind] = {Kind.SECTION: "section", Kind.FAQ: "faq", Kind.INTERACTION: "interaction"}
    return kinds[entry.kind]

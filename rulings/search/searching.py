"""A query in, a page of results out."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.utils import timezone

from rulings.models import Card, ChangeCounter, Entry
from rulings.search import (
    degraded,
    hierarchy,
    indexing,
    language,
    lookups,
    names,
    narrowing,
    ranking,
    reading,
    vocabulary,
)
from rulings.search.asking import FILTERED, Conditions, engine_query, filtered
from rulings.search.concepts import concepts_of
from rulings.search.doubting import stretches_of
from rulings.search.engine import Concept, Engine, EngineAnswer, EngineFailedError, EngineQuery, IndexUnusable
from rulings.search.facets import FACETED, Counts, facets_of, facets_of_engine
from rulings.search.matching import match
from rulings.search.name_table import NameTable
from rulings.search.presenting import Place, load
from rulings.search.reading import Query
from rulings.search.results import SearchPage, SearchRequest, SearchWarning
from rulings.search.widening import near_words, widened
from rulings.text.fold import fold_key, squeeze

logger = logging.getLogger(__name__)

MAX_PAGE_SIZE = 100
DEEPEST = 2_000  # results that pages can reach
MAX_CARD_HITS = 30
FEW, NEAR_NAMES = 3, 5


@dataclass(slots=True)
class Results:
    """All results in order, as far as pages can reach."""

    places: list[Place] = field(default_factory=list)
    total: int = 0
    left_out: int = 0
    concepts: tuple[Concept, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it was read."""

    request: SearchRequest
    query: Query
    conditions: Conditions
    is_nothing: bool  # neither words nor filters of the query language


def _read(request: SearchRequest, table: NameTable) -> Asked:
    text, warnings = reading.cut(request.q)
    asked = language.Asked(text) if reading.is_name(text, table) else language.take_apart(text)
    narrowed = narrowing.narrow(asked, request, table)
    request = narrowed.request
    if asked.is_exact:
        request = replace(request, read="words")
    query = reading.read(request, table)
    query.warnings[:0] = [*warnings, *asked.warnings, *narrowed.warnings]
    is_nothing = False
    if query.reading.kind == "empty":
        is_nothing = not set(asked.fields) - {"number"}
        query.reading = query.reading if is_nothing else replace(query.reading, text="条件に合うもの")
    conditions = Conditions(asked.condition, asked.is_exact, narrowed.days)
    if asked.condition is None and (stretches := stretches_of(query)):
        conditions = replace(conditions, node=stretches, is_strict=True)
    return Asked(request, query, conditions, is_nothing)


def _known() -> NameTable:
    """Return the names; they and players' words are those of this moment."""
    seen = ChangeCounter.objects.seen()
    vocabulary.refresh(seen)
    return names.table(seen)


def matching(request: SearchRequest) -> list[int]:
    """Return the entries that `request` finds, the best first, at most `DEEPEST`; of `request.only` where given.

    The rules are those of `search`, but a phrase that nothing holds finds nothing. Raise IndexUnusable while the
    index cannot answer: an answer without it may differ.
    """
    asked = _read(request, _known())
    if asked.is_nothing or asked.request.kind == "card":
        return []
    conditions = replace(asked.conditions, is_strict=True)
    results = _results(asked.request, asked.query, conditions, DEEPEST)
    if any(warning.code == "degraded" for warning in asked.query.warnings):
        raise IndexUnusable("saved searches wait for the index")
    found = [place.entry for place in results.places if place.entry]
    return [pk for pk in found if request.only is None or pk in request.only][:DEEPEST]


def search(request: SearchRequest) -> SearchPage:
    """Answer `request`. Never raises for what was typed; what was left out of account stands in the warnings."""
    table = _known()
    asked = _read(request, table)
    request, query, conditions = asked.request, asked.query, asked.conditions
    page, size = max(1, request.page), min(max(1, request.page_size), MAX_PAGE_SIZE)
    if asked.is_nothing:
        return SearchPage(0, query.reading, query.warnings, [], page, size)
    counts = request.facets or bool(conditions)
    reach = FACETED if counts else min(page * size, DEEPEST)
    results = _results(request, query, conditions, reach)
    hits = load(results.places[(page - 1) * size : page * size], request, query.text, results.concepts)
    near = _did_you_mean(query, table) if results.total <= FEW else []
    entries = [place.entry for place in results.places if place.entry]
    facets: Counts = {}
    if counts and request.counted:
        facets = facets_of(entries, len(results.places) - len(entries), request.as_of or timezone.localdate())
    elif request.counted:
        facets = facets_of_engine(results.counts, entries)
    if counts and results.total > len(results.places):
        query.warnings.append(SearchWarning("facets_cut", f"件数の内訳は、よく合うもの {FACETED} 件についてです。"))
    return SearchPage(results.total, query.reading, query.warnings, hits, page, size, facets, results.left_out, near)


def _did_you_mean(query: Query, table: NameTable) -> list[str]:
    """Return names a slip away from a query that found little."""
    if any(mention.is_exact for mention in query.mentions):
        return []
    found = [one for one in match(fold_key(query.text), table, query.game) if one.how in ("typo", "nickname", "part")]
    best = [one.card for one in found[:NEAR_NAMES]]
    known = Card.objects.names(best)
    return [known[card] for card in best if card in known]


def _results(request: SearchRequest, query: Query, conditions: Conditions, reach: int) -> Results:
    if request.kind == "card":
        return _cards_only(request, query)
    if query.reading.kind == "empty":
        return _browsed(request, conditions)
    if query.reading.kind == "number":
        return _by_number(request, query, conditions, reach)
    results = _by_words(request, query, conditions, reach)
    if _shows_cards(request):
        _insert_cards(results, query)
    return results


def _shows_cards(request: SearchRequest) -> bool:
    return request.kind is None and request.card is None and request.ruleset is None and not request.ahead


def _browsed(request: SearchRequest, conditions: Conditions) -> Results:
    """Return what the filters alone let through, in the order of the books."""
    entries = lookups.by_filters(request, conditions.days, request.as_of or timezone.localdate())
    if request.only is not None:
        entries = [pk for pk in entries if pk in request.only]
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
    """Show the cards that were named: behind the best ruling that names them, before other results.

    A name alone stands first, or the ruling that names this very card – also where it is a word of the rules (覚醒).
    """
    if not query.mentions:
        return
    whole = any(mention.whole for mention in query.mentions)
    places = _card_places(query, MAX_CARD_HITS if whole else ranking.CARDS_BESIDE_WORDS)
    exact = query.mentions[0].surest if whole and query.mentions[0].is_exact else []
    first = Entry.objects.loaded([place.entry for place in results.places[:1]])
    named = set(exact or [place.card for place in places])
    rules_it = any(card.pk in named for entry in first.values() for card in entry.named_cards)
    says_it = rules_it or (whole and not exact and _says(query, first.values()))
    # A name among other words may be an ordinary word of another game: the ruling that the words find stands first.
    at = 1 if first and (says_it or not whole) else 0
    in_front = ranking.CARDS_IN_FRONT
    if exact and not rules_it and _says(query, first.values()):
        in_front = min(in_front, len(exact))  # the rule that says the word, before cards that only hold it
    results.places[at:at] = places[:in_front]
    results.places.extend(places[in_front:])
    results.total += len(places)


def _says(query: Query, entries: Iterable[Entry]) -> bool:
    """Whether an entry's own wording holds the query."""
    wordings = [entry.wording for entry in entries]
    texts = [squeeze(f"{wording.title} {wording.body}").text for wording in wordings if wording]
    return any(squeeze(query.text).text in text for text in texts)


# -- numbers -------------------------------------------------------------------------------------------------------


def _by_number(request: SearchRequest, query: Query, conditions: Conditions, reach: int) -> Results:
    """Return the section itself, what cites it, what stands under it; then what the words find."""
    found = lookups.by_number(query.reading.number, query.reading.ruleset, request)
    places = [Place(score, entry=entry) for score, entry in found]
    if not squeeze(query.rest).text:
        cards = _card_places(query, 1) if _shows_cards(request) else []
        return Results(places[:1] + cards + places[1:], len(places) + len(cards), concepts=concepts_of(query))
    rest_of_it = replace(query, text=query.rest, rest="", mentions=[])
    by_words = _by_words(request, rest_of_it, conditions, reach)
    known = {place.entry for place in places}
    rest = [place for place in by_words.places if place.entry not in known]
    total = len(places) + by_words.total - (len(by_words.places) - len(rest))
    return Results(places + rest, total, by_words.left_out, by_words.concepts, by_words.counts)


# -- words ---------------------------------------------------------------------------------------------------------


def _by_words(request: SearchRequest, query: Query, conditions: Conditions, reach: int) -> Results:
    concepts = concepts_of(query)
    limit = max(reach, FILTERED if conditions else 0, ranking.LOOKED_AT_TWICE)
    asked = engine_query(request, query, concepts, limit)
    if conditions.is_exact:
        asked = replace(asked, minimum=0.0)  # the condition decides
    if not conditions and not request.explain:
        asked = replace(asked, texts="looked_at")
    try:
        concepts, answer = indexing.ask(lambda engine: _ask(engine, asked))
    except IndexUnusable as error:
        logger.warning("検索索引なしで答えます: %s", error)
        why = "索引で検索できなかった" if isinstance(error, EngineFailedError) else "索引を作り直している"
        query.warnings.append(SearchWarning("degraded", f"{why}ため、簡易検索で答えています。"))
        node = conditions.node
        entries, whole = degraded.find(query, request, concepts, node.holds if node else lambda _text: True, DEEPEST)
        if not whole:
            query.warnings.append(SearchWarning("degraded_cut", "時間内に調べられたものだけを示しています。"))
        return Results([Place(0.0, entry=entry) for entry in entries], len(entries), concepts=concepts)
    total = answer.total
    if conditions:
        answer = filtered(answer, conditions, query)
        total = len(answer.found)
    places = _ordered(answer, query, concepts, explain=request.explain)
    counts = answer.counts
    if request.ahead:  # the entries themselves may hold today: what was found of them does not
        counts = {label: count for label, count in counts.items() if not label.startswith("status:")}
        counts["status:announced"] = total
    return Results(places, total, answer.left_out, concepts, counts)


def _ask(engine: Engine, asked: EngineQuery) -> tuple[tuple[Concept, ...], EngineAnswer]:
    """Return what the engine answers, and the concepts that it was asked: rare words with those near them."""
    concepts = widened(asked.concepts, engine.holding())
    return concepts, engine.search(replace(asked, concepts=concepts))


def _ordered(answer: EngineAnswer, query: Query, concepts: tuple[Concept, ...], *, explain: bool) -> list[Place]:
    text = query.text
    look = ranking.Look(concepts, answer.information, squeeze(text).text, ranking.asked_for(text))
    count = ranking.looked_at([one.score for one in answer.found])
    again, rest = answer.found[:count], answer.found[count:]
    judged = ranking.second_look(again, look)
    standings = hierarchy.standings_of(one.entry for one in again) if len(again) > 1 else {}
    judged = hierarchy.in_order(judged, standings) + [ranking.Judged(one, one.score, {}, 1.0) for one in rest]
    return [Place(one.score, entry=one.found.entry, why=_why(one, concepts) if explain else None) for one in judged]


def _why(one: ranking.Judged, concepts: tuple[Concept, ...]) -> dict[str, float]:
    """Return what a score is made of: engine × (1 + the parts) × factor; where another lifts it, also its own score.

    Of words that are only near those of the query (`near:`) what each weighs, where they stand in the text.
    """
    parts = {name: round(value, 4) for name, value in one.parts.items() if value}
    return {
        "engine": round(one.found.score, 4),
        "coverage": round(one.found.coverage, 4),
        **parts,
        "factor": one.factor,
        **{f"near:{word}": round(weight, 4) for word, weight in near_words(concepts, _text(one)).items()},
        **({} if one.lifted_from is None else {"own_score": round(one.lifted_from, 4)}),
    }


def _text(one: ranking.Judged) -> str:
    return "\n".join(one.found.texts.values())

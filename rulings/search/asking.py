"""What the engine is asked, and which of its answers meet the conditions of the query language."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.utils import timezone

from rulings.models import Authority, Kind, Status
from rulings.search import language, lookups, narrowing, ranking, vocabulary
from rulings.search.concepts import literal_of
from rulings.search.documents import RULED
from rulings.search.engine import Concept, EngineAnswer, EngineQuery
from rulings.search.reading import Query
from rulings.search.results import SearchRequest, SearchWarning

FILTERED = 2_000  # the best results, at least, among which conditions of the query language are looked for
SHOWN = ("title", "body", "examples")


@dataclass(frozen=True, slots=True)
class Conditions:
    """What results must meet beside the filters of the request."""

    node: language.Node | None = None
    is_exact: bool = False
    days: narrowing.Days | None = None
    is_strict: bool = False  # a phrase that nothing holds finds nothing, instead of what is near it

    def __bool__(self) -> bool:
        return self.node is not None or self.days is not None


def filtered(answer: EngineAnswer, conditions: Conditions, query: Query) -> EngineAnswer:
    """Return what meets the conditions, of the best that the engine found."""
    if answer.total > len(answer.found):
        query.warnings.append(
            SearchWarning("condition_cut", f"条件は、よく合うもの {len(answer.found)} 件の中で調べました。")
        )
    found = answer.found
    if conditions.days:
        begun = lookups.begun_within([one.id for one in found], conditions.days)
        found = [one for one in found if one.id in begun]
    node = conditions.node
    if node is not None:
        held = [one for one in found if node.holds("\n".join(one.texts.get(name, "") for name in SHOWN))]
        if not held and not (conditions.is_exact or conditions.is_strict) and not _excludes(node):
            query.warnings.append(
                SearchWarning("phrase_not_found", "引用符の中の文がそのままあるものはありませんでした。")
            )
        else:
            found = held
    return replace(answer, found=found)


def _excludes(node: language.Node) -> bool:
    return node.kind == "not" or any(map(_excludes, node.parts))


def engine_query(request: SearchRequest, query: Query, concepts: tuple[Concept, ...], limit: int) -> EngineQuery:
    """Return the engine's query for the concepts, with the filters of the request."""
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
    elif request.status not in (None, "all") and not request.ahead:
        required.append(frozenset((f"status:{request.status}",)))
    rulesets = vocabulary.bases()
    named = {f"ruleset:{slug}": ranking.NAMED_RULESET for slug in query.rulesets}
    overlays = {f"ruleset:{slug}": ranking.OVERLAY for slug, base in rulesets.items() if base}
    return EngineQuery(
        concepts=concepts,
        literal=literal_of(query.text),
        required=tuple(required),
        excluded=frozenset() if request.kind == Kind.INTERACTION else frozenset((RULED,)),
        left_out=left_out,
        on=request.as_of or timezone.localdate(),
        year=request.year,
        in_force=request.as_of is not None and request.status is None,
        ahead=request.ahead,
        minimum=ranking.MINIMUM_COVERAGE,
        boosts=ranking.FIELD_BOOSTS,
        label_boosts=ranking.LABEL_BOOSTS | overlays | named,
        limit=limit,
        counted=_counted(rulesets) if request.counted and request.only is None else (),
        only=request.only,
    )


def _counted(rulesets: Iterable[str]) -> tuple[str, ...]:
    values = {
        "kind": Kind.values,
        "ruleset": rulesets,
        "authority": Authority.values,
        "status": Status.values,
    }
    return tuple(f"{dimension}:{value}" for dimension, each in values.items() for value in each)

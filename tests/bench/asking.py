"""The query that the site would send to its engine, without the site."""

from datetime import date

from rulings.search import ranking
from rulings.search.analysis import prepare
from rulings.search.concepts import concepts_of, literal_of
from rulings.search.documents import RULED
from rulings.search.engine import EngineQuery
from rulings.search.reading import Query
from rulings.search.results import Reading
from rulings.search.vocabulary import words_of

LEFT_OUT = frozenset(("status:superseded", "status:withdrawn"))


def ask(text: str, limit: int = 20, **options: object) -> EngineQuery:
    """The engine's query for what was typed."""
    ready = prepare(text)
    given = {"left_out": LEFT_OUT, "excluded": frozenset((RULED,)), "on": date(2026, 11, 30)} | options
    return EngineQuery(
        concepts=concepts_of(Query(ready, Reading("words", ""), words=words_of("dm"))),
        literal=literal_of(ready),
        minimum=ranking.MINIMUM_COVERAGE,
        boosts=ranking.FIELD_BOOSTS,
        label_boosts=ranking.LABEL_BOOSTS,
        limit=limit,
        **given,  # type: ignore[arg-type]
    )

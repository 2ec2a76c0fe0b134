"""What the search asks of an engine. An engine is an adapter that passes `tests/search/engine_contract.py`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NamedTuple, Protocol

from rulings.search.analysis import Terms

# The fields of a document that are searched.
FIELDS = ("title", "body", "examples", "context")


class IndexUnusable(Exception):  # noqa: N818 - a state, met by a rebuild
    """The index is missing, broken or foreign; the cure is a rebuild."""


class IndexMissing(IndexUnusable):
    """There is no index yet, which is no fault: the first build makes it."""


class IndexNotWritable(IndexUnusable):
    """Nothing can be written (a full disk, a read-only folder): what is there stays, and a rebuild is no cure."""


class EngineFailedError(IndexUnusable):
    """The engine raised over files that are as they were written: a fault of the program, which no rebuild cures."""


@dataclass(frozen=True, slots=True)
class Document:
    """One wording of an entry, as the index holds it."""

    id: int  # of the revision
    entry: int
    terms: dict[str, Terms]  # by field
    texts: dict[str, str]  # squeezed text by field, for exact comparison of what was found
    labels: frozenset[str]  # `kind:faq`, `ruleset:dm-cr`, `game:dm`, `status:current`, `card:17`, …
    since: date | None = None  # shown from this day on
    until: date | None = None  # until another wording takes its place
    held_until: date | None = None  # the day from which it has no force


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to say a concept: all its words, or nearly all its grams."""

    text: str  # squeezed
    words: tuple[str, ...]
    grams: tuple[str, ...]
    discount: float = 1.0
    labels: frozenset[str] = frozenset()  # documents under one of these labels say it too
    is_near: bool = False  # a word near what was asked for, not another way to say it


@dataclass(frozen=True, slots=True)
class Concept:
    """Something the query asks for, in one or several ways."""

    alternatives: tuple[Alternative, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class EngineQuery:
    """A query that no engine's language has touched."""

    concepts: tuple[Concept, ...]
    literal: tuple[str, ...] = ()  # grams of the whole query: a document that holds all of them matches
    required: tuple[frozenset[str], ...] = ()  # one label of each set
    excluded: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()  # documents under these labels are counted, not shown
    on: date | None = None  # wordings shown on this day
    in_force: bool = False  # … and in force then
    year: int | None = None  # … that took effect in this year
    ahead: bool = False  # instead: of each entry the next wording to come after this day
    minimum: float = 0.0  # share of the query's information that a document must cover
    boosts: dict[str, float] = field(default_factory=dict)  # field → factor
    label_boosts: dict[str, float] = field(default_factory=dict)
    limit: int = 100
    # Labels under which the shown documents are counted; with any, also the years in which they took effect.
    counted: tuple[str, ...] = ()
    only: frozenset[int] | None = None  # entries among which to look; weights stay those of the whole index
    # Of which results the texts are read, which takes half as long as finding them: `looked_at` are the best of them.
    texts: Literal["all", "looked_at", "none"] = "all"


class Found(NamedTuple):
    """A document that matches. A tuple, because twenty and more are made for each search."""

    id: int
    entry: int
    score: float
    coverage: float
    texts: dict[str, str]  # none where the query wants none


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The best documents, and how many match in all."""

    total: int
    left_out: int
    found: list[Found]
    # Information per concept: high for rare ones.
    information: tuple[float, ...] = ()
    # Documents under each counted label (and `year:2025`), without regard to what is required of the same dimension.
    counts: dict[str, int] = field(default_factory=dict)


Holding = Callable[[str], int]  # in how many documents a word stands


class Engine(Protocol):
    """An index in a folder of its own. Readers are never blocked; writers come one at a time (the caller's lock)."""

    def build(self, documents: Iterable[Document]) -> int:
        """Fill an empty folder; return the number of documents."""

    def update(self, gone: Sequence[int], documents: Iterable[Document]) -> None:
        """Replace all documents of the entries `gone` by `documents`, in one commit."""

    def search(self, query: EngineQuery) -> EngineAnswer:
        """Return the best documents, ties by document id; raise IndexUnusable, or whatever damaged arrays lead to."""

    def holding(self) -> Holding:
        """Return what tells in how many documents a word stands at this moment, replaced ones included."""

    def doc_count(self) -> int:
        """Return how many documents the index holds."""

    def is_wasteful(self) -> bool:
        """Whether a good part of the index is documents that were replaced, as far as was last seen; costs nothing."""

    def tidy(self) -> int:
        """Write anew, without them, what holds many documents that were replaced; return how many were dropped."""

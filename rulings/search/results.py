"""What a search is asked and what it answers. Plain data."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from rulings.models import Card, Entry, Status

ReadingKind = Literal["number", "card", "cards", "words", "empty"]
HitKind = Literal["section", "faq", "interaction", "card"]
Place = Literal["title", "body", "example"]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query and its filters. `status` None: what holds; 'all': everything; else that status."""

    q: str
    kind: str | None = None
    game: str | None = None
    ruleset: str | None = None
    card: int | None = None
    status: str | None = None
    as_of: date | None = None
    authority: str | None = None
    year: int | None = None  # in which the wording took effect, 1 to 9999
    page: int = 1
    page_size: int = 20
    read: str | None = None  # "number", "card" or "words": read it so, whatever it looks like
    explain: bool = False
    facets: bool = False  # counted one by one
    counted: bool = True  # whether results are counted by what they could be narrowed to
    only: frozenset[int] | None = None  # entries among which to look (see `searching.matching`)

    @property
    def ahead(self) -> bool:
        """Whether wordings that are still to come are asked for, and they alone."""
        return self.status == Status.ANNOUNCED


@dataclass(frozen=True, slots=True)
class Reading:
    """How a query was read; `text` says it in Japanese."""

    kind: ReadingKind
    text: str
    number: str = ""
    ruleset: str = ""
    cards: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Highlight:
    """An excerpt of a field of the wording; `spans` are the marked ranges within `snippet`."""

    field: Place
    snippet: str
    spans: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Hit:
    """One result: an entry, loaded for display, or a card."""

    kind: HitKind
    score: float
    entry: Entry | None = None
    card: Card | None = None
    highlights: list[Highlight] = field(default_factory=list)
    explanation: dict[str, float] = field(default_factory=dict)  # what the score is made of, where asked for
    announced_for: date | None = None  # the day from which the wording found will hold, where such were asked for


@dataclass(frozen=True, slots=True)
class SearchWarning:
    """Something the asker should know; `code` is stable, `message` Japanese."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of results. `left_out` counts the matching entries that no longer hold and are not shown."""

    count: int
    reading: Reading
    warnings: list[SearchWarning]
    hits: list[Hit]
    page: int
    page_size: int
    facets: dict[str, Any] = field(default_factory=dict)
    left_out: int = 0
    did_you_mean: list[str] = field(default_factory=list)  # names near what was typed, where it found little


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A completion of what is being typed: a card, a section, a question."""

    kind: HitKind
    text: str
    id: int
    url: str

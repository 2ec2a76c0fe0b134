"""Documents, Japanese analysis, the engine, results."""

from rulings.search.results import (
    Highlight,
    Hit,
    Reading,
    SearchPage,
    SearchRequest,
    SearchWarning,
    Suggestion,
)
from rulings.search.searching import search
from rulings.search.suggesting import suggest

__all__ = [
    "Highlight",
    "Hit",
    "Reading",
    "SearchPage",
    "SearchRequest",
    "SearchWarning",
    "Suggestion",
    "search",
    "suggest",
]

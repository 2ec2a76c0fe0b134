"""Completions while typing."""

from rulings.search.results import Suggestion


def suggest(q: str, game: str | None = None, limit: int = 10) -> list[Suggestion]:
    """Return what `q` may become."""
    return []

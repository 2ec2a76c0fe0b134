"""What every search needs to know and hardly ever changes, kept while the site is as it was: one short query tells."""

from collections.abc import Callable
from typing import Any, TypeVar

from rulings.models import ChangeCounter, Ruleset
from rulings.models.changes import NOTHING_SEEN, Seen

T = TypeVar("T")
_kept: dict[str, tuple[Seen, Any]] = {}


def kept(name: str, read: Callable[[], T]) -> T:
    """Return what `read` returned in this state of the site."""
    seen = ChangeCounter.objects.seen()
    known = _kept.get(name)
    if known is None or known[0] != seen or seen == NOTHING_SEEN:
        known = _kept[name] = seen, read()
    found: T = known[1]
    return found


def bases() -> dict[str, int | None]:
    """Return each ruleset, by its slug, with what it builds on."""
    return kept("bases", lambda: dict(Ruleset.objects.values_list("slug", "base")))


def forget() -> None:
    """Drop what is in memory."""
    _kept.clear()

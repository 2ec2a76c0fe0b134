"""What changed in a ruleset between two dates."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from django.db.models import Q

from rulings.models.entries import Entry
from rulings.models.games import Ruleset
from rulings.models.kinds import Kind
from rulings.models.revisions import Revision

DifferenceKind = Literal["added", "edited", "moved", "deleted"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A section that is not on the later date what it was on the earlier one."""

    kind: DifferenceKind
    entry: Entry
    old: Revision | None
    new: Revision | None
    is_editorial: bool


def ruleset_differences(ruleset: Ruleset, earlier: date, later: date) -> list[Difference]:
    """Compare the sections in force on two dates, in the order of the book."""
    touched = Revision.objects.filter(
        Q(effective_on__gt=earlier, effective_on__lte=later) | Q(ended_on__gt=earlier, ended_on__lte=later)
    )
    entries = Entry.objects.filter(kind=Kind.SECTION, ruleset=ruleset, pk__in=touched.values("entry"))
    found = []
    for entry in entries.select_related("ruleset__game").with_wording(later).in_book_order():
        known = [revision for revision in entry.known_wordings(later) if revision.is_text]
        old, new = _holding(known, earlier), _holding(known, later)
        kind = _difference(old, new)
        if kind:
            between = [step for step in entry.known_wordings(later) if (step.effective_on or date.min) > earlier]
            found.append(Difference(kind, entry, old, new, all(step.is_editorial for step in between)))
    return found


def _holding(revisions: list[Revision], on: date) -> Revision | None:
    return next((revision for revision in revisions if revision.holds_on(on)), None)


def _difference(old: Revision | None, new: Revision | None) -> DifferenceKind | None:
    if old is None or new is None:
        return "added" if new else "deleted" if old else None
    if (old.title, old.body, old.examples, old.verdict) != (new.title, new.body, new.examples, new.verdict):
        return "edited"
    return "moved" if old.number != new.number else None

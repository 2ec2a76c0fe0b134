"""What changed in a ruleset, or below one of its sections, between two days."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from django.db.models import Q

from rulings.models.entries import Entry
from rulings.models.games import Ruleset
from rulings.models.kinds import Kind
from rulings.models.revisions import Revision
from rulings.text.books import Pair, SectionText, compare_books
from rulings.text.numbers import parse_number

DifferenceKind = Literal["added", "deleted", "edited", "moved", "renumbered"]
KINDS: tuple[DifferenceKind, ...] = ("added", "deleted", "edited", "moved", "renumbered")
DEEPEST = 8  # levels below a section


@dataclass(frozen=True, slots=True)
class Difference:
    """A section that is not on the later day what it was on the earlier one.

    `renumbered`: only its citations follow what moved. A `moved` one has another number; `is_edited` says whether
    its text changed as well. `is_editorial`: every step between was said to change no rule.
    """

    kind: DifferenceKind
    entry: Entry
    old: Revision | None
    new: Revision | None
    is_edited: bool
    is_editorial: bool


def ruleset_differences(ruleset: Ruleset, earlier: date, later: date, section: Entry | None = None) -> list[Difference]:
    """Compare the sections in force on two days, in the order of the book; `section`: only it and what is below."""
    old = _states(ruleset, earlier, later, earlier)
    new = _states(ruleset, earlier, later, later)
    found = compare_books(_texts(old), _texts(new))
    differences = [
        *(_one("added", None, new[text.identity or 0], earlier, later) for text in found.added),
        *(_one("deleted", old[text.identity or 0], None, earlier, later) for text in found.deleted),
        *(_of_pair("edited", pair, old, new, earlier, later) for pair in found.edited),
        *(_of_pair("moved", pair, old, new, earlier, later) for pair in found.moved),
        *(_of_pair("renumbered", pair, old, new, earlier, later) for pair in found.renumbered),
    ]
    if section is not None:
        below = set(Entry.objects.below(section, DEEPEST).values_list("pk", flat=True)) | {section.pk}
        differences = [one for one in differences if one.entry.pk in below or _stands_in(one, section.number)]
    return sorted(differences, key=_place)


def counted(differences: Collection[Difference]) -> dict[str, int]:
    """How many differences of each kind there are."""
    counts = Counter(one.kind for one in differences)
    return {kind: counts[kind] for kind in KINDS}


def _states(ruleset: Ruleset, earlier: date, later: date, on: date) -> dict[int, Revision]:
    """What the sections that something happened to between the days said on `on`, by entry.

    What was not touched need not be read: entries have identities, so it is paired with itself and unchanged.
    """
    touched = Revision.objects.filter(
        Q(effective_on__gt=earlier, effective_on__lte=later) | Q(ended_on__gt=earlier, ended_on__lte=later)
    )
    rows = Revision.objects.in_force(on).filter(
        entry__kind=Kind.SECTION, entry__ruleset=ruleset, entry__in=touched.values("entry")
    )
    entries = Entry.objects.select_related("ruleset__game").with_wording(later)
    revisions = list(rows.select_related("amendment"))
    by_pk = entries.prefetch_related("cards").in_bulk([revision.entry_id for revision in revisions])
    for revision in revisions:
        revision.entry = by_pk[revision.entry_id]
    return {revision.entry_id: revision for revision in sorted(revisions, key=_position)}


def _position(revision: Revision) -> tuple[str, int]:
    number = parse_number(revision.number)
    return number.sort_key if number else revision.entry.sort_key, revision.entry_id


def _texts(state: dict[int, Revision]) -> list[SectionText]:
    return [
        SectionText(
            key=revision.number or f"#{pk}",
            title=revision.title,
            body=revision.body,
            examples=tuple(f"{example['label']} {example['text']}" for example in revision.examples),
            identity=pk,
        )
        for pk, revision in state.items()
    ]


def _of_pair(
    kind: DifferenceKind, pair: Pair, old: dict[int, Revision], new: dict[int, Revision], earlier: date, later: date
) -> Difference:
    pk = pair.new.identity or 0
    return _one(kind, old[pk], new[pk], earlier, later, pair.is_edited)


def _one(
    kind: DifferenceKind,
    old: Revision | None,
    new: Revision | None,
    earlier: date,
    later: date,
    is_edited: bool = False,
) -> Difference:
    entry = (new or old).entry  # type: ignore[union-attr]
    between = [step for step in entry.known_wordings(later) if (step.effective_on or date.min) > earlier]
    return Difference(kind, entry, old, new, is_edited, bool(between) and all(s.is_editorial for s in between))


def _place(one: Difference) -> tuple[str, int]:
    return _position(one.new or one.old)  # type: ignore[arg-type]


def _stands_in(one: Difference, number: str) -> bool:
    return any(number in _upwards(revision.number) for revision in (one.old, one.new) if revision)


def _upwards(number: str) -> Iterator[str]:
    parsed = parse_number(number)
    while parsed is not None:
        yield str(parsed)
        parsed = parsed.parent

"""The histories of everything that ever stood under a number: one number may have been several rules."""

from dataclasses import dataclass, field

from rulings.models.amended import before, chains_of
from rulings.models.entries import Entry
from rulings.models.games import Ruleset
from rulings.models.kinds import Kind
from rulings.models.lineages import Lineage
from rulings.models.revisions import Revision
from rulings.text.numbers import parse_number


@dataclass(frozen=True, slots=True)
class Step:
    """A revision, the wording that it replaced, and the splits and merges of its day."""

    revision: Revision
    before: Revision | None
    lineages: list[Lineage] = field(default_factory=list)

    @property
    def is_retracted(self) -> bool:
        """Whether it was announced, and taken back before its day."""
        return self.revision.retracted_on is not None

    @property
    def moved_from(self) -> str:
        """The number before, when this step changed it."""
        old = self.before.number if self.before else ""
        return old if self.revision.is_text and old != self.revision.number else ""


@dataclass(slots=True)
class History:
    """One rule through its edits, moves and its end, the newest step first."""

    entry: Entry
    steps: list[Step] = field(default_factory=list)


def histories_at(ruleset: Ruleset, number: str) -> list[History]:
    """The histories of the rules that stand or ever stood under `number`: the one that stands there now first."""
    parsed = parse_number(number)
    wanted = str(parsed) if parsed else number
    former = Revision.objects.filter(number=wanted, entry__ruleset=ruleset, entry__kind=Kind.SECTION)
    rows = Entry.objects.of_ruleset(ruleset.slug).at_number(wanted) | Entry.objects.filter(
        pk__in=former.values("entry")
    )
    entries = list(rows.order_by("pk").for_display().prefetch_related("supersedes__ruleset"))
    chains = chains_of([entry.pk for entry in entries])
    lineages = Lineage.objects.of(chains)
    histories = []
    for entry in entries:
        chain = chains[entry.pk]  # with what held on no day: it was published, and is told as what it is
        steps = [Step(one, before(one, chain)) for one in reversed(chain)]
        _add_lineages(steps, lineages[entry.pk])
        histories.append(History(entry, steps))
    return sorted(histories, key=lambda one: _rank(one, wanted))


def _add_lineages(steps: list[Step], lineages: list[Lineage]) -> None:
    """Put each split or merge to the step that it made: what began on its day, else what held then."""
    held = [step for step in steps if not step.revision.held_never]
    for lineage in lineages:
        begun = [step for step in held if step.revision.effective_on == lineage.effective_on]
        holding = [step for step in held if step.revision.holds_on(lineage.effective_on)]
        for step in (begun + holding + held)[:1]:
            step.lineages.append(lineage)


def _rank(history: History, number: str) -> tuple[bool, bool, int]:
    entry = history.entry
    held = [step.revision for step in history.steps if not step.revision.held_never]
    newest = held[0].chronology()[0].toordinal() if held else 0
    return entry.number != number, not entry.is_live, -newest

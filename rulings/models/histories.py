"""The histories of everything that ever stood under a number: one number may have been several rules."""

from dataclasses import dataclass, field

from rulings.models.amended import before, chains_of
from rulings.models.entries import Entry
from rulings.models.games import Ruleset
from rulings.models.kinds import Kind
from rulings.models.revisions import Revision
from rulings.text.numbers import parse_number


@dataclass(frozen=True, slots=True)
class Step:
    """A revision and the wording that it replaced."""

    revision: Revision
    before: Revision | None

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
    histories = []
    for entry in entries:
        chain = chains[entry.pk]  # with what held on no day: it was published, and is told as what it is
        histories.append(History(entry, [Step(one, before(one, chain)) for one in reversed(chain)]))
    return sorted(histories, key=lambda one: _rank(one, wanted))


def _rank(history: History, number: str) -> tuple[bool, bool, int]:
    entry = history.entry
    held = [step.revision for step in history.steps if not step.revision.held_never]
    newest = held[0].chronology()[0].toordinal() if held else 0
    return entry.number != number, not entry.is_live, -newest

"""What an amendment did, in the groups of its announcement: each number that they list, changed or not."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from rulings.models.amendments import Amendment, AmendmentGroup
from rulings.models.entries import Entry
from rulings.models.lineages import Lineage
from rulings.models.revisions import Event, Revision

UNCHANGED = "unchanged"


@dataclass(slots=True)
class Amended:
    """One number of an amendment; without a revision it was announced, and says what it said before."""

    group: AmendmentGroup | None
    entry_id: int
    revision_id: int | None
    entry: Entry | None = None
    revision: Revision | None = None
    before: Revision | None = None
    lineages: list[Lineage] = field(default_factory=list)

    @property
    def event(self) -> str:
        return self.revision.event if self.revision else UNCHANGED

    @property
    def number(self) -> str:
        """The number that it had by the amendment."""
        return (self.revision.number if self.revision else "") or (self.entry.number if self.entry else "")

    @property
    def title(self) -> str:
        shown = self.revision if self.revision and self.revision.is_text else self.before
        return shown.title if shown else ""


@dataclass(slots=True)
class AmendedGroup:
    """The changes that the announcement groups together; `group` is None for those of no group."""

    group: AmendmentGroup | None
    changes: list[Amended] = field(default_factory=list)


def amended(amendment: Amendment) -> list[Amended]:
    """Everything that an amendment changed or listed, in its order; `load` fills in the texts."""
    revisions: dict[int | None, dict[int, int]] = defaultdict(dict)
    order: dict[int, str] = {}
    rows = amendment.revisions.order_by("entry__sort_key", "pk")
    for pk, entry, own, sort_key in rows.values_list("pk", "entry", "group", "entry__sort_key"):
        revisions[own][entry] = pk
        order[entry] = sort_key
    listed: dict[int, list[int]] = defaultdict(list)
    through = AmendmentGroup.listed.through.objects.filter(amendmentgroup__amendment=amendment)
    for group_id, entry, sort_key in through.values_list("amendmentgroup", "entry", "entry__sort_key"):
        listed[group_id].append(entry)
        order[entry] = sort_key
    found: list[Amended] = []
    grouped: set[int] = set()
    for group in amendment.groups.all():
        entries = sorted({*listed[group.pk], *revisions[group.pk]}, key=lambda pk: (order[pk], pk))
        found += [Amended(group, entry, revisions[group.pk].get(entry)) for entry in entries]
        grouped |= set(entries)
    # Of a rule that it ended, an announcement may have brought the last wording: that is no change of its own.
    return found + [Amended(None, entry, pk) for entry, pk in revisions[None].items() if entry not in grouped]


def load(changes: Sequence[Amended]) -> None:
    """Read the entries, the revisions and the wordings before them, in a fixed number of queries."""
    rows = Entry.objects.select_related("ruleset__game", "superseded_by__ruleset").with_wording()
    entries = rows.prefetch_related("cards").in_bulk([change.entry_id for change in changes])
    chains = chains_of(entries)
    lineages = Lineage.objects.of(entries)
    for change in changes:
        change.entry = entries[change.entry_id]
        chain = chains[change.entry_id]
        change.revision = next((one for one in chain if one.pk == change.revision_id), None)
        change.before = before(change.revision, chain) if change.revision else change.entry.wording
        on = change.revision.effective_on if change.revision else None
        change.lineages = [one for one in lineages[change.entry_id] if one.effective_on == on]


def chains_of(entry_ids: Collection[int]) -> dict[int, list[Revision]]:
    """The revisions of entries, oldest first."""
    chains: dict[int, list[Revision]] = {pk: [] for pk in entry_ids}
    rows = Revision.objects.filter(entry__in=list(chains)).select_related("amendment", "successor__ruleset", "group")
    for revision in sorted(rows, key=Revision.chronology):
        chains[revision.entry_id].append(revision)
    return chains


def before(revision: Revision, chain: Sequence[Revision]) -> Revision | None:
    """The wording that a revision replaced; one that held on no day was replaced by nobody."""
    earlier = [
        other
        for other in chain
        if other.chronology() < revision.chronology() and other.is_text and not other.held_never
    ]
    return earlier[-1] if earlier and revision.event != Event.ADDED else None


def by_group(changes: Sequence[Amended]) -> list[AmendedGroup]:
    """Put changes under their groups, which stand together in their order."""
    groups: list[AmendedGroup] = []
    for change in changes:
        if not groups or groups[-1].group != change.group:
            groups.append(AmendedGroup(change.group))
        groups[-1].changes.append(change)
    return groups

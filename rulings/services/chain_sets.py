"""The chains of many entries, read with one query and saved with few."""

from collections.abc import Iterable

from rulings.models import Entry, Revision
from rulings.services.chains import Chain
from rulings.services.wordings import end_of

# What may change in a revision that is saved: its range, and what is known of its beginning.
_CHANGEABLE = (
    "event",
    "effective_on",
    "ended_on",
    "due_on",
    "is_editorial",
    "amendment",
    "group",
    "source",
    "lines",
    "editor",
    "reason",
    "successor",
    "retracted_on",
    "retraction",
)


_CLOSED = ("event", "effective_on", "ended_on", "due_on", "retracted_on", "retraction")


class Chains:
    """The chains of many entries, read with one query and saved with few."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._chains: dict[int, Chain] = {}
        self.load(entries)

    def load(self, entries: Iterable[Entry]) -> None:
        """Read the chains of entries that are not held yet."""
        new = {entry.pk: entry for entry in entries if entry.pk not in self._chains}
        revisions: dict[int, list[Revision]] = {pk: [] for pk in new}
        ids = list(new)
        for start in range(0, len(ids), 5000):
            for revision in Revision.objects.filter(entry__in=ids[start : start + 5000]).order_by("pk"):
                revisions[revision.entry_id].append(revision)
        self._chains |= {pk: Chain(new[pk], found) for pk, found in revisions.items()}

    def begin(self, entries: Iterable[Entry]) -> None:
        """Hold empty chains for entries that were just created."""
        self._chains |= {entry.pk: Chain(entry) for entry in entries}

    def hold(self, chain: Chain) -> None:
        """Hold a chain that was read elsewhere."""
        self._chains[chain.entry.pk] = chain

    def __getitem__(self, entry: Entry) -> Chain:
        return self._chains[entry.pk]

    def save(self) -> list[Revision]:
        """Save everything that waits; return the new revisions. Ranges are closed before others take their place."""
        older = [revision for chain in self._chains.values() for revision in chain.older.values()]
        changed = [
            revision
            for chain in self._chains.values()
            for pk, revision in chain.changed.items()
            if pk not in chain.older
        ]
        added = [revision for chain in self._chains.values() for revision in chain.added]
        # First what gives way, then what takes its place; closed ranges before open ones.
        Revision.objects.bulk_update(changed, _CLOSED, batch_size=200)
        extended = [revision for chain in self._chains.values() for revision in chain.extended]
        Revision.objects.bulk_update([one for one in extended if one.pk], ["ended_on"], batch_size=200)
        Revision.objects.bulk_update(older, _CHANGEABLE, batch_size=100)
        Revision.objects.bulk_create(sorted(added, key=end_of), batch_size=500)
        for chain in self._chains.values():
            chain.changed, chain.older, chain.added, chain.extended = {}, {}, [], []
        return added

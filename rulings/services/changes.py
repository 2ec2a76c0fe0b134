"""What an operation touched, recorded once in the change log; the search index follows after the commit."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence

from django.db import transaction

from rulings.models import Card, Change, ChangeKind, Contradiction, Entry, Lineage
from rulings.search.engine import IndexUnusable
from rulings.search.indexing import catch_up
from rulings.services.background import wake

logger = logging.getLogger(__name__)

# When one operation does several things to a thing, the later of these is what is told.
_WEIGHT = {ChangeKind.UPDATED: 0, ChangeKind.CREATED: 1, ChangeKind.ENDED: 2}


class ChangeLog:
    """Collects what one operation touched; every entry and card is recorded once."""

    def __init__(self) -> None:
        self._entries: dict[int, ChangeKind] = {}
        self._cards: dict[int, ChangeKind] = {}
        self.new_entries: set[int] = set()  # created by this operation, whatever happened to them then

    def __len__(self) -> int:
        return len(self._entries) + len(self._cards)

    @property
    def entry_ids(self) -> set[int]:
        return set(self._entries)

    def ids(self, kind: ChangeKind) -> set[int]:
        """The entries to which `kind` happened."""
        return {pk for pk, happened in self._entries.items() if happened == kind}

    def created(self, *things: Entry | Card) -> None:
        self._note(things, ChangeKind.CREATED)
        self.new_entries.update(thing.pk for thing in things if not isinstance(thing, Card))

    def updated(self, *things: Entry | Card) -> None:
        self._note(things, ChangeKind.UPDATED)

    def ended(self, *things: Entry | Card) -> None:
        self._note(things, ChangeKind.ENDED)

    def _note(self, things: Iterable[Entry | Card], kind: ChangeKind) -> None:
        for thing in things:
            kinds = self._cards if isinstance(thing, Card) else self._entries
            known = kinds.get(thing.pk)
            if known is None or _WEIGHT[kind] > _WEIGHT[known]:
                kinds[thing.pk] = kind

    def updated_ids(self, entry_ids: Iterable[int]) -> None:
        for pk in entry_ids:
            self._entries.setdefault(pk, ChangeKind.UPDATED)

    def record(self, warn: Callable[[str], None] | None = None) -> list[Change]:
        """Write the log inside the caller's transaction; after the commit the index catches up.

        `warn` is told (in Japanese) when the index failed: the data is safe, and the index catches up later.
        """
        self._add_dependents()
        cards = [Change(kind=kind, card_id=pk) for pk, kind in self._cards.items()]
        entries = [Change(kind=kind, entry_id=pk) for pk, kind in self._entries.items()]
        recorded = Change.objects.record([*cards, *entries])
        if recorded:
            transaction.on_commit(lambda: _follow(warn))
        return recorded

    def _add_dependents(self) -> None:
        """Entries that show something of what changed: whoever keeps a copy must fetch them too."""
        shown = {pk for pk, kind in self._entries.items() if kind != ChangeKind.CREATED}
        renamed = {pk for pk, kind in self._cards.items() if kind != ChangeKind.CREATED}
        for field, ids in (("ruled_by", shown), ("superseded_by", shown), ("cards", renamed)):
            for some in _batches(sorted(ids)):
                self.updated_ids(Entry.objects.filter(**{f"{field}__in": some}).values_list("pk", flat=True))
        for some in _batches(sorted(shown)):
            self.updated_ids(Contradiction.objects.partners(some) | Lineage.objects.partners(some))


def _batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), 1_000):
        yield ids[start : start + 1_000]


def _follow(warn: Callable[[str], None] | None) -> None:
    try:
        catch_up()
    except Exception as error:  # whatever broke the index, what was imported stays imported
        known = isinstance(error, IndexUnusable)  # it says all there is to say
        logger.error("検索索引を更新できません: %s", error, exc_info=not known)
        if warn is not None:
            warn("検索索引を更新できませんでした。データは保存されています。rebuild_index を実行してください。")
    wake()

"""Card interactions: rulings in which two or more known cards act on each other, named without copying the text."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils import timezone

from rulings.models import (
    LIVE,
    Card,
    CardInteraction,
    CrossReference,
    Entry,
    Kind,
    Place,
    Revision,
    Status,
    Verdict,
)
from rulings.services.chain_sets import Chains
from rulings.services.changes import ChangeLog
from rulings.services.reports import Counts
from rulings.services.revisions import latest_texts, save_statuses, set_current, set_ended
from rulings.services.wordings import Wording, begin_of
from rulings.text.citations import CitationKind
from rulings.text.interplay import Mention, acting_cards

Key = tuple[int, str]  # (id of the ruling, cards_key)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """An interaction that a ruling in force yields."""

    ruling: Entry
    revision: Revision
    cards: tuple[int, ...]
    verdict: str


def cards_key(cards: Collection[int]) -> str:
    """The key of a set of cards: their ids in ascending order, joined with `-`."""
    return "-".join(str(pk) for pk in sorted(cards))


def sync_interactions(ruling_ids: Collection[int], changes: ChangeLog, **facts: Any) -> Counts:
    """Bring the interactions that the entries `ruling_ids` rule in step with their latest wordings.

    `facts`: amendment, editor of the revisions written. A ruling that ended or no longer names the cards ends its
    interaction; one that says so again revives it.
    """
    rulings = Entry.objects.filter(pk__in=ruling_ids).exclude(kind=Kind.INTERACTION).select_related("ruleset")
    return _Sync({entry.pk: entry for entry in rulings}, changes, facts).run()


class _Sync:
    """Compares the interactions that rulings yield with those that exist."""

    def __init__(self, rulings: dict[int, Entry], changes: ChangeLog, facts: dict[str, Any]) -> None:
        self.rulings, self.changes, self.facts = rulings, changes, facts
        self.latest = latest_texts(rulings)
        self.wanted = _wanted({pk: entry for pk, entry in rulings.items() if entry.status in LIVE}, self.latest)
        known = CardInteraction.objects.filter(ruled_by__in=list(rulings), group_name="")
        self.known = {(entry.ruled_by_id, entry.cards_key): entry for entry in known}
        cards = {pk for found in self.wanted.values() for pk in found.cards}
        self.names = dict(Card.objects.filter(pk__in=cards).values_list("pk", "name"))
        self.chains = Chains(self.known.values())
        self.counts = Counts()
        self.saved: list[Entry] = []

    def run(self) -> Counts:
        created = _create([found for key, found in self.wanted.items() if key not in self.known])
        self.chains.begin(created.values())
        self.changes.created(*created.values())
        self.counts.created += len(created)
        for key, interaction in created.items():
            self._write(interaction, self.wanted[key])
        for key, interaction in self.known.items():
            if key in self.wanted:
                self._keep(interaction, self.wanted[key])
            elif interaction.status in LIVE:
                self._end(interaction, self.rulings[key[0]])
        save_statuses(self.saved)
        self.chains.save()
        return self.counts

    def _keep(self, interaction: CardInteraction, found: _Wanted) -> None:
        """The text of the ruling may have changed even where the interaction's own wording has not."""
        self.changes.updated(interaction)
        if self._write(interaction, found):
            self.counts.edited += 1
        else:
            self.counts.unchanged += 1

    def _write(self, interaction: CardInteraction, found: _Wanted) -> bool:
        """Let it say what its ruling says, dated like it, and share its doubts; whether its wording is new."""
        chain, on = self.chains[interaction], found.revision.effective_on
        if chain.last is not None and not chain.last.is_text:  # it ended: it does not hold again before that
            on = max(on or date.min, begin_of(chain.last))
        title = "と".join(f"《{self.names[pk]}》" for pk in found.cards)
        lines = {"source_id": found.revision.source_id, "lines": found.revision.lines}
        written = chain.write(Wording(title=title, verdict=found.verdict), on, **self.facts, **lines)
        had = (interaction.status, interaction.status_on, interaction.status_reason)
        set_current(interaction)
        if found.ruling.status == Status.NEEDS_REVIEW:
            interaction.status = Status.NEEDS_REVIEW
            interaction.status_on, interaction.status_reason = found.ruling.status_on, found.ruling.status_reason
        if had != (interaction.status, interaction.status_on, interaction.status_reason):
            self.saved.append(interaction)
        return written is not None

    def _end(self, interaction: CardInteraction, ruling: Entry) -> None:
        chain, latest = self.chains[interaction], self.latest.get(ruling.pk)
        if ruling.status in LIVE:
            on = latest.effective_on if latest else None
            reason = "この裁定の元になった項目が、これらのカードの関係に触れなくなりました。"
        else:
            on = ruling.status_on
            reason = f"この裁定の元になった項目が終了しました。{ruling.status_reason}"
        on = on or timezone.localdate()
        if chain.last is not None:
            on = max(on, begin_of(chain.last))
        chain.delete(on, reason=reason, **self.facts)
        set_ended(interaction, on, reason)
        self.saved.append(interaction)
        self.changes.ended(interaction)
        self.counts.ended += 1


def _wanted(entries: dict[int, Entry], latest: dict[int, Revision]) -> dict[Key, _Wanted]:
    wanted: dict[Key, _Wanted] = {}
    for revision, cards in _acting({pk: latest[pk] for pk in entries if pk in latest}):
        ruling = entries[revision.entry_id]
        verdict = str(revision.verdict) if ruling.kind == Kind.FAQ else Verdict.NONE.value
        wanted[ruling.pk, cards_key(cards)] = _Wanted(ruling, revision, cards, verdict)
    return wanted


def _acting(revisions: dict[int, Revision]) -> Iterator[tuple[Revision, tuple[int, ...]]]:
    """Each text of a ruling (a question with its answer, each example) with the cards that act on each other in it."""
    mentions: dict[int, dict[tuple[str, int], list[CrossReference]]] = defaultdict(lambda: defaultdict(list))
    cited = CrossReference.objects.filter(
        revision__in=[revision.pk for revision in revisions.values()], kind=CitationKind.CARD
    )
    for reference in cited.order_by("pk"):
        mentions[reference.revision_id][reference.place, reference.example].append(reference)
    for revision in revisions.values():
        places = mentions[revision.pk]
        if revision.entry.kind == Kind.FAQ:
            offset = len(revision.title) + 1
            found = _mentions(places[Place.TITLE, 0]) + _mentions(places[Place.BODY, 0], offset)
            texts = [(f"{revision.title}\n{revision.body}", found)]
        else:
            texts = [
                (example["text"], _mentions(places[Place.EXAMPLE, number]))
                for number, example in enumerate(revision.examples)
            ]
        for text, found in texts:
            if cards := acting_cards(text, found):
                yield revision, cards


def _mentions(references: list[CrossReference], offset: int = 0) -> list[Mention]:
    return [Mention(found.start + offset, found.end + offset, found.card_id) for found in references]


def _create(missing: list[_Wanted]) -> dict[Key, CardInteraction]:
    interactions = CardInteraction.objects.bulk_create(
        [
            CardInteraction(
                kind=Kind.INTERACTION,
                ruleset=found.ruling.ruleset,
                source_id=found.revision.source_id,
                lines=found.revision.lines,
                sort_key=found.ruling.sort_key,
                cards_key=cards_key(found.cards),
                ruled_by=found.ruling,
            )
            for found in missing
        ],
        batch_size=200,
    )
    links = Entry.cards.through
    links.objects.bulk_create(
        [
            links(entry_id=interaction.pk, card_id=card)
            for interaction, found in zip(interactions, missing, strict=True)
            for card in found.cards
        ]
    )
    return {(found.ruling.pk, made.cards_key): made for made, found in zip(interactions, missing, strict=True)}

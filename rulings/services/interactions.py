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
from rulings.services.changes import ChangeLog
from rulings.services.reports import Counts
from rulings.services.revisions import (
    STATUS_FIELDS,
    Chains,
    Wording,
    latest_texts,
    set_current,
    set_ended,
)
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

    `facts`: source, amendment, editor of the revisions written. A ruling that ended or no longer names the cards
    ends its interaction; one that says so again revives it.
    """
    rulings = Entry.objects.filter(pk__in=ruling_ids).exclude(kind=Kind.INTERACTION).select_related("ruleset")
    entries = {entry.pk: entry for entry in rulings}
    latest = latest_texts(entries)
    wanted = _wanted({pk: entry for pk, entry in entries.items() if entry.status in LIVE}, latest)
    had = {
        (interaction.ruled_by_id, interaction.cards_key): interaction
        for interaction in CardInteraction.objects.filter(ruled_by__in=list(entries), group_name="")
    }
    counts = Counts()
    chains = Chains(had.values())
    created = _create([found for key, found in wanted.items() if key not in had], chains)
    changes.created(*created.values())
    counts.created += len(created)
    everything = {**had, **created}
    names = dict(
        Card.objects.filter(pk__in={pk for found in wanted.values() for pk in found.cards}).values_list("pk", "name")
    )
    saved: list[Entry] = []
    for key, interaction in everything.items():
        if key in wanted:
            _keep(interaction, wanted[key], names, chains, changes, counts, saved, key in created, facts)
        elif interaction.status in LIVE:
            _end(interaction, entries[key[0]], latest.get(key[0]), chains, facts)
            changes.ended(interaction)
            counts.ended += 1
            saved.append(interaction)
    Entry.objects.bulk_update(saved, STATUS_FIELDS, batch_size=200)
    chains.save()
    return counts


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


def _create(missing: list[_Wanted], chains: Chains) -> dict[Key, CardInteraction]:
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
    chains.begin(interactions)
    return {(found.ruling.pk, made.cards_key): made for made, found in zip(interactions, missing, strict=True)}


def _keep(
    interaction: CardInteraction,
    found: _Wanted,
    names: dict[int, str],
    chains: Chains,
    changes: ChangeLog,
    counts: Counts,
    saved: list[Entry],
    is_new: bool,
    facts: dict[str, Any],
) -> None:
    """Let a wanted interaction say what its ruling says now, dated like it, and share its doubts."""
    title = "と".join(f"《{names[pk]}》" for pk in found.cards)
    facts = {**facts, "source_id": found.revision.source_id, "lines": found.revision.lines}
    on = found.revision.effective_on
    chain = chains[interaction]
    if not is_new and chain.last is not None and not chain.last.is_text:
        on = max(on or date.min, chain.last.effective_on or date.min)
    written = chain.write(Wording(title=title, verdict=found.verdict), on, **facts)
    had = (interaction.status, interaction.status_on, interaction.status_reason)
    if found.ruling.status == Status.NEEDS_REVIEW:
        interaction.status, interaction.superseded_by = Status.NEEDS_REVIEW, None
        interaction.status_on, interaction.status_reason = found.ruling.status_on, found.ruling.status_reason
    else:
        set_current(interaction)
    if had != (interaction.status, interaction.status_on, interaction.status_reason):
        saved.append(interaction)
    # The text of the ruling may have changed even where the interaction's own wording has not.
    if not is_new:
        changes.updated(interaction)
        if written is not None:
            counts.edited += 1
        else:
            counts.unchanged += 1


def _end(
    interaction: CardInteraction, ruling: Entry, latest: Revision | None, chains: Chains, facts: dict[str, Any]
) -> None:
    chain = chains[interaction]
    begun = (chain.last.effective_on if chain.last else None) or date.min
    if ruling.status in LIVE:
        on = latest.effective_on if latest and latest.effective_on else timezone.localdate()
        reason = "この裁定の元になった項目が、これらのカードの関係に触れなくなりました。"
    else:
        on = ruling.status_on or timezone.localdate()
        reason = f"この裁定の元になった項目が終了しました。{ruling.status_reason}"
    on = max(on, begun)
    chain.delete(on, reason=reason, **facts)
    set_ended(interaction, on, reason)

"""Cross-references: find what wordings cite, and keep what the citations point at up to date."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from django.db.models import Q

from rulings.games import profile_of
from rulings.models import CrossReference, Entry, Game, Kind, Place, Revision, Ruleset
from rulings.services.changes import ChangeLog
from rulings.services.revisions import latest_texts
from rulings.services.targets import Targets
from rulings.text.citations import Citation, CitationKind, find_citations
from rulings.text.numbers import parse_number

BATCH = 500


def relink_revisions(revisions: Collection[Revision], targets: Targets | None = None) -> list[CrossReference]:
    """Find anew what the wordings of `revisions` cite; return the references, saved.

    What a list gave beside the text (`Place.LISTED`) stays. The entries of the revisions belong to one game.
    """
    texts = [revision for revision in revisions if revision.is_text and revision.entry.kind != Kind.INTERACTION]
    if not texts:
        return []
    targets = targets or Targets(texts[0].entry.ruleset.game)
    for start in range(0, len(texts), BATCH):
        old = CrossReference.objects.filter(revision__in=texts[start : start + BATCH])
        old.exclude(place=Place.LISTED).delete()
    profile = profile_of(targets.game.slug)
    found = [
        reference
        for revision in texts
        for place, example, text in _places(revision)
        for citation in find_citations(text, profile)
        if (reference := _reference(revision, place, example, citation, targets)) is not None
    ]
    return CrossReference.objects.bulk_create(found, batch_size=BATCH)


def _places(revision: Revision) -> Iterator[tuple[str, int, str]]:
    yield Place.TITLE, 0, revision.title
    yield Place.BODY, 0, revision.body
    for number, example in enumerate(revision.examples):
        yield Place.EXAMPLE, number, example["text"]


def _reference(
    revision: Revision, place: str, example: int, citation: Citation, targets: Targets
) -> CrossReference | None:
    """A reference, None for a citation that is one only if its target is known."""
    ruleset_id = targets.ruleset_id(citation.ruleset, revision.entry.ruleset_id)
    entry_id, card_id = targets.resolve(citation.kind, citation.key, citation.text, ruleset_id)
    if not citation.certain and entry_id is None and card_id is None:
        return None
    return CrossReference(
        revision=revision,
        place=place,
        example=example,
        start=citation.start,
        end=citation.end,
        kind=citation.kind,
        text=citation.text[:300],
        key=citation.key[:200],
        ruleset_id=None if citation.kind == CitationKind.CARD else ruleset_id,
        entry_id=entry_id,
        card_id=card_id,
    )


def set_listed(listed: Mapping[int, tuple[Revision, Sequence[str]]], targets: Targets) -> set[int]:
    """Let the wording of each entry cite what a list gives beside it; return the ids of entries that changed.

    `listed`: id of the entry → its wording and the citations as the list writes them.
    """
    known: dict[int, dict[str, CrossReference]] = defaultdict(dict)
    for old in CrossReference.objects.filter(revision__entry__in=list(listed), place=Place.LISTED):
        known[old.revision_id][old.key] = old
    new: list[CrossReference] = []
    gone: list[int] = []
    touched: set[int] = set()
    for entry_id, (revision, texts) in listed.items():
        wanted = {reference.key: reference for text in texts for reference in _listed(revision, text, targets)}
        had = known.get(revision.pk, {})
        new += [reference for key, reference in wanted.items() if key not in had]
        gone += [reference.pk for key, reference in had.items() if key not in wanted]
        if wanted.keys() != had.keys():
            touched.add(entry_id)
    CrossReference.objects.filter(pk__in=gone).delete()
    CrossReference.objects.bulk_create(new, batch_size=BATCH)
    return touched


def _listed(revision: Revision, text: str, targets: Targets) -> Iterator[CrossReference]:
    """References for one citation beside the text: a bare number, or anything that can be cited in a text."""
    number = parse_number(text)
    if number is not None:
        citations = [Citation(CitationKind.RULE, text, 0, 0, str(number), None, True)]
    else:
        citations = find_citations(text, profile_of(targets.game.slug))
        citations = citations or [Citation(CitationKind.HEADING, text, 0, 0, text, None, True)]
    for citation in citations:
        reference = _reference(revision, Place.LISTED, 0, citation, targets)
        if reference is not None:
            reference.start = reference.end = 0
            yield reference


def resolve_pending(
    *,
    changes: ChangeLog,
    game: Game | None = None,
    ruleset: Ruleset | None = None,
    targets: Targets | None = None,
) -> set[int]:
    """Point references at what their keys name now: pending ones that have a target, and those whose target moved.

    `ruleset`: the citations of its sections, wherever they stand. `game`: the citations of its cards. Return the
    ids of the entries whose latest wording is affected; they are noted in `changes`.
    """
    scope = (
        Q(ruleset=ruleset) if ruleset is not None else Q(kind=CitationKind.CARD, revision__entry__ruleset__game=game)
    )
    owner = game or (ruleset.game if ruleset else None)
    if owner is None:
        raise ValueError("either the game or the ruleset whose targets changed")
    targets = targets or Targets(owner)
    moved: list[CrossReference] = []
    for reference in CrossReference.objects.filter(scope).iterator(chunk_size=2000):
        target = targets.resolve(reference.kind, reference.key, reference.text, reference.ruleset_id)
        if target != (reference.entry_id, reference.card_id):
            reference.entry_id, reference.card_id = target
            moved.append(reference)
    CrossReference.objects.bulk_update(moved, ["entry", "card"], batch_size=BATCH)
    affected = _entries_of(moved)
    changes.updated_ids(affected)
    return affected


def _entries_of(references: Iterable[CrossReference]) -> set[int]:
    """The entries in whose latest wording the references stand."""
    revision_ids = {reference.revision_id for reference in references}
    pairs: dict[int, int] = {}
    for ids in _batches(sorted(revision_ids)):
        pairs.update(Revision.objects.filter(pk__in=ids).values_list("pk", "entry_id"))
    latest = latest_texts(set(pairs.values()))
    return {entry_id for pk, entry_id in pairs.items() if entry_id in latest and latest[entry_id].pk == pk}


def _batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), 5000):
        yield ids[start : start + 5000]


def refresh_cards(entry_ids: Collection[int]) -> set[int]:
    """Let `Entry.cards` be the cards that each entry's latest wording names; return the entries that changed.

    Interactions keep theirs: they name the cards that act on each other.
    """
    links = Entry.cards.through
    kinds = dict(Entry.objects.filter(pk__in=entry_ids).values_list("pk", "kind"))
    latest = latest_texts([pk for pk, kind in kinds.items() if kind != Kind.INTERACTION])
    wanted: dict[int, set[int]] = {pk: set() for pk in latest}
    cited = CrossReference.objects.filter(revision__in=latest.values(), card__isnull=False)
    for entry_id, card_id in cited.values_list("revision__entry_id", "card_id"):
        wanted[entry_id].add(card_id)
    had: dict[int, set[int]] = {pk: set() for pk in latest}
    for entry_id, card_id in links.objects.filter(entry_id__in=list(latest)).values_list("entry_id", "card_id"):
        had[entry_id].add(card_id)
    changed = {pk for pk in latest if wanted[pk] != had[pk]}
    for pk in changed:
        if had[pk] - wanted[pk]:
            links.objects.filter(entry_id=pk, card_id__in=had[pk] - wanted[pk]).delete()
    added = [links(entry_id=pk, card_id=card) for pk in sorted(changed) for card in sorted(wanted[pk] - had[pk])]
    links.objects.bulk_create(added, batch_size=BATCH)
    return changed

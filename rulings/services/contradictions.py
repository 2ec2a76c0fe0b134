"""Find answers that cannot both be right. They are settled by `decisions.explain` and `decisions.replace_older`."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date

from rapidfuzz import fuzz

from rulings.models import (
    Authority,
    Contradiction,
    ContradictionKind,
    CrossReference,
    Entry,
    Kind,
    Revision,
    Ruleset,
    Verdict,
)
from rulings.services.changes import ChangeLog
from rulings.services.revisions import latest_texts
from rulings.text.citations import CitationKind
from rulings.text.fold import fold_key

SAME_QUESTION = 95.0  # per cent of the folded questions, about the same cards
OPPOSITE = {(Verdict.YES.value, Verdict.NO.value), (Verdict.NO.value, Verdict.YES.value)}


@dataclass(frozen=True, slots=True)
class _Answer:
    entry: Entry
    revision: Revision
    question: str
    answer: str
    cards: frozenset[int]
    rules: frozenset[str]

    @property
    def age(self) -> tuple[date, int]:
        return self.revision.effective_on or date.min, self.entry.pk


def note_contradictions(entry_ids: Collection[int], changes: ChangeLog) -> list[Contradiction]:
    """Compare the questions among the entries with all others that they could contradict; return the new pairs.

    Both answers of a pair show it: they are noted in `changes`.
    """
    fresh = Entry.objects.live().filter(pk__in=entry_ids, kind=Kind.FAQ)
    rulesets = Ruleset.objects.filter(pk__in=set(fresh.values_list("ruleset", flat=True)))
    ids = set(fresh.values_list("pk", flat=True))
    found: dict[tuple[int, int], Contradiction] = {}
    for compared in sorted({_comparable(ruleset) for ruleset in rulesets}, key=sorted):
        for kind, one, other in _disagreeing(_answers(compared), ids):
            older, newer = sorted((one, other), key=lambda answer: answer.age)
            pair = Contradiction(kind=kind, older=older.entry, newer=newer.entry)
            found.setdefault((min(one.entry.pk, other.entry.pk), max(one.entry.pk, other.entry.pk)), pair)
    known = Contradiction.objects.filter(older__in={pk for pair in found for pk in pair}).values_list("older", "newer")
    pairs = {(min(pair), max(pair)) for pair in known}
    new = Contradiction.objects.bulk_create([made for pair, made in found.items() if pair not in pairs])
    for made in new:
        changes.updated_ids([made.older.pk, made.newer.pk])
    return new


def _comparable(ruleset: Ruleset) -> frozenset[int]:
    """The rulesets whose answers must agree with those of one: official ones of a game with each other.

    Whoever writes house rules, or for an event, may rule otherwise: that is an overlay, no contradiction.
    """
    if ruleset.authority != Authority.OFFICIAL:
        return frozenset({ruleset.pk})
    official = Ruleset.objects.filter(game=ruleset.game_id, authority=Authority.OFFICIAL)
    return frozenset(official.values_list("pk", flat=True))


def _answers(ruleset_ids: Collection[int]) -> list[_Answer]:
    entries = {entry.pk: entry for entry in Entry.objects.live().filter(ruleset__in=ruleset_ids, kind=Kind.FAQ)}
    texts = latest_texts(entries)
    cards: dict[int, set[int]] = defaultdict(set)
    for entry, card in Entry.cards.through.objects.filter(entry__in=entries).values_list("entry_id", "card_id"):
        cards[entry].add(card)
    rules: dict[int, set[str]] = defaultdict(set)
    cited = CrossReference.objects.filter(revision__in=[one.pk for one in texts.values()], kind=CitationKind.RULE)
    for revision, ruleset, key in cited.values_list("revision", "ruleset", "key"):
        rules[revision].add(f"{ruleset} {key}")
    return [
        _Answer(
            entries[pk],
            revision,
            fold_key(revision.title),
            fold_key(revision.body),
            frozenset(cards[pk]),
            frozenset(rules[revision.pk]),
        )
        for pk, revision in texts.items()
    ]


def _disagreeing(answers: list[_Answer], fresh: set[int]) -> Iterator[tuple[ContradictionKind, _Answer, _Answer]]:
    alike: dict[object, list[_Answer]] = defaultdict(list)
    for answer in answers:
        alike[answer.question].append(answer)
        if answer.cards:
            alike[answer.cards].append(answer)
    for group in alike.values():
        for at, one in enumerate(group):
            for other in group[at + 1 :]:
                kind = _kind(one, other) if {one.entry.pk, other.entry.pk} & fresh else None
                if kind is not None:
                    yield kind, one, other


def _kind(one: _Answer, other: _Answer) -> ContradictionKind | None:
    opposite = (str(one.revision.verdict), str(other.revision.verdict)) in OPPOSITE
    if one.question == other.question and one.answer != other.answer:
        return ContradictionKind.REASKED
    if opposite and one.cards == other.cards and fuzz.ratio(one.question, other.question) >= SAME_QUESTION:
        return ContradictionKind.REASKED
    if opposite and one.cards and one.cards == other.cards and one.rules & other.rules:
        return ContradictionKind.OPPOSITE
    return None

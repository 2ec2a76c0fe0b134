"""The rulings of a card, grouped by the situation of the game in which they speak."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from rulings.games import profile_of
from rulings.games.situations import Situation, ruling_texts, situation_of
from rulings.models.cards import Card
from rulings.models.entries import Entry
from rulings.models.kinds import Kind
from rulings.models.references import CrossReference
from rulings.models.revisions import Revision
from rulings.text.citations import CitationKind

MOST = 500  # rulings of one card that are brought into the order of their situations
ABOVE = 3  # levels of headings above a cited rule
_KIND_ORDER = {Kind.FAQ: 0, Kind.INTERACTION: 1, Kind.SECTION: 2}


@dataclass(frozen=True, slots=True)
class Placed:
    """A ruling of a card: its entry, and the situation it speaks of (None: none of them)."""

    entry: int
    situation: Situation | None


class ByBooks:
    """Rulings of a card in the order of the books; those of a page are placed when it is cut out."""

    def __init__(self, card: Card, entries: list[int], on: date | None) -> None:
        self.card, self.entries, self.on = card, entries, on

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, page: slice) -> list[Placed]:
        return placed(self.card, self.entries[page], self.on)


def rulings_of(card: Card, on: date | None = None) -> list[Placed] | ByBooks:
    """The rulings that hold and name `card`, in the order of the situations of its game, then of the rulesets.

    An interaction whose ruling is itself among them is left out: the same text would stand there twice. More than
    `MOST` are in the order of the books: to place them, all their texts would be read for one page.
    """
    found = Entry.objects.with_status(None, on).filter(cards=card).order_by("ruleset__position", "sort_key", "pk")
    rows = list(found.values_list("pk", "ruled_by"))
    known = {pk for pk, _ruled_by in rows}
    shown = [pk for pk, ruled_by in rows if ruled_by not in known]
    return placed(card, shown, on) if len(shown) <= MOST else ByBooks(card, shown, on)


def placed(card: Card, entries: Collection[int], on: date | None = None) -> list[Placed]:
    """Some rulings of a card with their situations, in their order."""
    found = Entry.objects.filter(pk__in=entries)
    shown = list(found.values_list("pk", "kind", "ruled_by", "ruleset__position", "ruleset", "sort_key"))
    profile = profile_of(card.game.slug)
    places = {situation: place for place, situation in enumerate(profile.situations)}
    spoken = _situations({row[2] or row[0] for row in shown}, on or timezone.localdate(), card.game.slug)
    last = len(places)

    def order(row: tuple) -> tuple:
        pk, kind, ruled_by, position, ruleset, key = row
        situation = spoken.get(ruled_by or pk)
        place = last if situation is None else places[situation]
        return place, position, ruleset, _KIND_ORDER[Kind(kind)], key, pk

    return [Placed(row[0], spoken.get(row[2] or row[0])) for row in sorted(shown, key=order)]


def _situations(entries: set[int], on: date, game: str) -> dict[int, Situation | None]:
    """The situation of each entry, by its wording of `on` and the headings of the rules it cites or stands under."""
    profile = profile_of(game)
    held = Revision.objects.in_force(on).filter(entry__in=entries)
    wordings, texts = {}, {}
    for pk, entry, title, body, examples in held.values_list("pk", "entry", "title", "body", "examples"):
        wordings[pk] = entry
        texts[entry] = (title, "\n".join([body, *(example["text"] for example in examples)]))
    cited = CrossReference.objects.filter(revision__in=wordings, kind=CitationKind.RULE, entry__isnull=False)
    rules: dict[int, set[int]] = defaultdict(set)
    for wording, rule in cited.order_by().values_list("revision", "entry"):
        rules[wordings[wording]].add(rule)
    sections = Entry.objects.filter(pk__in=entries, kind=Kind.SECTION).values_list("pk", "parent")
    for entry, parent in sections:
        if parent is not None:
            rules[entry].add(parent)
    above = _above({rule for each in rules.values() for rule in each})
    titled = Revision.objects.in_force(on).filter(entry__in=above).exclude(title="")
    headings = dict(titled.values_list("entry", "title"))
    return {
        entry: situation_of(
            ruling_texts(title, body, _headings(rules[entry], above, headings), profile.card_brackets),
            profile.situations,
        )
        for entry, (title, body) in texts.items()
    }


def _above(rules: Iterable[int]) -> dict[int, int | None]:
    """Each of `rules` and of the sections above them with the section it stands in."""
    parents: dict[int, int | None] = {}
    wanted = set(rules)
    for _level in range(ABOVE):
        if not wanted:
            break
        parents |= dict(Entry.objects.filter(pk__in=wanted).values_list("pk", "parent"))
        wanted = {parent for parent in parents.values() if parent is not None} - parents.keys()
    return parents


def _headings(rules: set[int], above: dict[int, int | None], headings: dict[int, str]) -> set[str]:
    found = set()
    for rule in rules:
        at: int | None = rule
        while at in above:
            found.add(headings.get(at, ""))
            at = above[at]
    return found - {""}

"""The skeleton of a ruleset: which section stands under which, in the order of the book, without any text."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from django.utils import timezone

from rulings.models import CrossReference, Entry, Kind, Level, Revision, Ruleset, Status
from rulings.text.numbers import parse_number

CONTENTS = (Level.PART, Level.CHAPTER, Level.HEADING)


@dataclass(slots=True)
class Node:
    """A section of the skeleton; `entry` is filled in for the sections that a page shows."""

    pk: int
    parent: int | None
    number: str
    level: str
    sort_key: str
    status: str = Status.CURRENT
    children: list["Node"] = field(default_factory=list)
    faq_count: int = 0
    entry: Entry | None = None
    cited_by: int = 0

    def walk(self) -> Iterator["Node"]:
        """This section and all below it, in the order of the book."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def rule_count(self) -> int:
        """How many numbered rules stand below."""
        return sum(1 for node in self.walk() if node.level in (Level.RULE, Level.SUBRULE))

    @property
    def contents(self) -> list["Node"]:
        """The children that a table of contents names."""
        return [child for child in self.children if child.level in CONTENTS]

    @property
    def in_contents(self) -> bool:
        return self.level in CONTENTS


class Outline:
    """The sections of a ruleset that hold (on `as_of`)."""

    def __init__(self, ruleset: Ruleset, as_of: date | None = None) -> None:
        fields = ("pk", "parent_id", "number", "level", "sort_key", "status")
        entries = Entry.objects.filter(ruleset=ruleset, kind=Kind.SECTION).with_status(None, as_of)
        self.nodes = [Node(*row) for row in entries.order_by("sort_key", "pk").values_list(*fields)]
        if as_of is not None:
            self._number_as_of(ruleset, as_of)
        self.by_pk = {node.pk: node for node in self.nodes}
        self.roots: list[Node] = []
        for node in self.nodes:
            above = self.by_pk.get(node.parent) if node.parent else None
            (above.children if above else self.roots).append(node)

    def _number_as_of(self, ruleset: Ruleset, as_of: date) -> None:
        """Give the sections the numbers of that day, and the places that follow from them."""
        held = Revision.objects.in_force(as_of).filter(entry__ruleset=ruleset, entry__kind=Kind.SECTION)
        numbers = dict(held.order_by().values_list("entry", "number"))
        moved = [node for node in self.nodes if numbers.get(node.pk) not in (None, "", node.number)]
        for node in moved:
            node.number = numbers[node.pk]
        by_number = {node.number: node for node in self.nodes}
        for node in moved:
            parsed = parse_number(node.number)
            if parsed is not None:
                above = by_number.get(str(parsed.parent)) if parsed.parent else None
                node.sort_key, node.parent = parsed.sort_key, above.pk if above else node.parent
        self.nodes.sort(key=lambda node: (node.sort_key, node.pk))

    def walk(self) -> Iterator[Node]:
        """All sections in the order of the book."""
        for root in self.roots:
            yield from root.walk()

    def above(self, node: Node) -> list[Node]:
        """The sections that `node` stands in, outermost first."""
        found: list[Node] = []
        at = self.by_pk.get(node.parent) if node.parent else None
        while at is not None and at not in found:
            found.insert(0, at)
            at = self.by_pk.get(at.parent) if at.parent else None
        return found

    def around(self, node: Node) -> tuple[Node | None, Node | None]:
        """What a reader of `node` and all below it has just read and reads next: its neighbours, else up the book."""
        above = self.above(node)
        siblings = above[-1].children if above else self.roots
        at = siblings.index(node)
        before = siblings[at - 1] if at else (above[-1] if above else None)
        for parent in [None, *reversed(above)]:
            if at + 1 < len(siblings):
                return before, siblings[at + 1]
            if parent is None:
                continue
            higher = self.above(parent)
            siblings = higher[-1].children if higher else self.roots
            at = siblings.index(parent)
        return before, (siblings[at + 1] if at + 1 < len(siblings) else None)

    def near(self, number: str, count: int = 6) -> list[Node]:
        """Sections whose numbers stand next to `number` in the book."""
        parsed = parse_number(number)
        if parsed is None:
            return []
        numbered = sorted(
            ((read.sort_key, node) for node in self.nodes if (read := parse_number(node.number))),
            key=lambda pair: pair[0],
        )
        at = bisect_left([key for key, _node in numbered], parsed.sort_key)
        first = max(0, min(at - count // 2, len(numbered) - count))
        return [node for _key, node in numbered[first : first + count]]


def fill(nodes: Iterable[Node], as_of: date | None = None, *, with_references: bool = False) -> None:
    """Load the entries of `nodes` in a fixed number of queries."""
    wanted = {node.pk: node for node in nodes}
    entries = Entry.objects.filter(pk__in=wanted).for_display(as_of)
    for entry in entries.with_references(as_of) if with_references else entries:
        wanted[entry.pk].entry = entry


def count_citing(nodes: Iterable[Node], as_of: date | None = None) -> None:
    """Count the entries that cite each of `nodes`, in one query."""
    wanted = {node.pk: node for node in nodes}
    for pk, count in CrossReference.objects.citing_counts(wanted, as_of or timezone.localdate()).items():
        wanted[pk].cited_by = count

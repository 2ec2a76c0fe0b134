"""The sections that the citations of a text name, in every ruleset of the game, with what took their place."""

from collections.abc import Mapping, Sequence

from rulings.models import Entry, Kind, Revision, Ruleset
from rulings.services.targets import Targets
from rulings.text.citations import Citation, CitationKind

MAX_SUCCESSORS = 5  # how far a chain of successors is followed


class CitedSections:
    """The sections under the cited numbers, in every ruleset of the game, with their successors."""

    def __init__(self, entries: Mapping[int, Entry], headings: Mapping[str, int], names: Mapping[str, str]) -> None:
        self.entries = entries
        self.headings = headings
        self.names = names
        self._under: dict[tuple[str, str], Entry] = {}
        for entry in sorted(entries.values(), key=lambda one: (one.is_live, one.pk)):
            for revision in entry.known_wordings():
                if revision.number and revision.number != entry.number:
                    self._under.setdefault((entry.ruleset.slug, revision.number), entry)
        for entry in sorted(entries.values(), key=lambda one: (one.is_live, one.pk)):
            if entry.kind == Kind.SECTION:
                self._under[entry.ruleset.slug, entry.number] = entry

    @classmethod
    def of(cls, citations: Sequence[Citation], ruleset: Ruleset) -> "CitedSections":
        keys = {one.key for one in citations if one.kind == CitationKind.RULE}
        game = Entry.objects.filter(kind=Kind.SECTION, ruleset__game=ruleset.game_id)
        wanted = set(game.filter(number__in=keys).values_list("pk", flat=True)) if keys else set()
        if keys:
            moved = Revision.objects.filter(number__in=keys, entry__ruleset__game=ruleset.game_id)
            wanted |= set(moved.values_list("entry_id", flat=True))
        headings = _headings({one.key for one in citations if one.kind == CitationKind.HEADING}, ruleset)
        entries: dict[int, Entry] = {}
        missing = wanted | set(headings.values())
        for _step in range(MAX_SUCCESSORS):
            entries.update(Entry.objects.for_display().in_bulk(list(missing)))
            missing = {one.superseded_by_id for one in entries.values() if one.superseded_by_id} - entries.keys()
            if not missing:
                break
        names = dict(Ruleset.objects.filter(game=ruleset.game_id).values_list("slug", "name"))
        return cls(entries, headings, names)

    def at(self, slug: str, number: str) -> Entry | None:
        return self._under.get((slug, number))

    def elsewhere(self, slug: str, number: str) -> list[Entry]:
        """The sections that hold under that number in other rulesets."""
        others = (self.at(other, number) for other in self.names if other != slug)
        return [entry for entry in others if entry is not None and entry.is_live]

    def successor(self, entry: Entry) -> Entry | None:
        """What holds in the place of an ended section."""
        for _step in range(MAX_SUCCESSORS):
            if entry.superseded_by_id is None or entry.superseded_by_id not in self.entries:
                break
            entry = self.entries[entry.superseded_by_id]
        return entry if entry.is_live else None


def _headings(keys: set[str], ruleset: Ruleset) -> dict[str, int]:
    if not keys:
        return {}
    targets = Targets(ruleset.game)
    found = {key: targets.resolve(CitationKind.HEADING, key, key, ruleset.pk)[0] for key in keys}
    return {key: pk for key, pk in found.items() if pk is not None}

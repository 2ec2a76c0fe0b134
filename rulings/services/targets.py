"""What citations can point at: the keys of cards, rules and headings, each read once per operation."""

from collections import defaultdict

from django.utils import timezone

from rulings.models import LIVE, Card, CardAlias, CardFace, Entry, Game, Kind, Revision, Ruleset
from rulings.text.citations import CitationKind
from rulings.text.fold import fold_key

Target = tuple[int | None, int | None]  # (id of an entry, id of a card): at most one is given
NOTHING: Target = (None, None)


class Targets:
    """Resolves the keys of citations in the rulesets and cards of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._cards: _CardKeys | None = None
        self._sections: dict[int, _SectionKeys] = {}
        self._rulesets = dict(Ruleset.objects.values_list("slug", "pk"))

    def ruleset_id(self, slug: str | None, default: int) -> int | None:
        """The ruleset that a citation names; `default` (its document's own) when it names none."""
        return self._rulesets.get(slug) if slug else default

    def resolve(self, kind: str, key: str, text: str, ruleset_id: int | None) -> Target:
        """What `key` points at; NOTHING when unknown, or when several cards bear the name."""
        if kind == CitationKind.CARD:
            if self._cards is None:
                self._cards = _CardKeys(self.game)
            return None, self._cards.find(key, text)
        if ruleset_id is None:
            return NOTHING
        if ruleset_id not in self._sections:
            self._sections[ruleset_id] = _SectionKeys(ruleset_id)
        keys = self._sections[ruleset_id]
        return (keys.numbers.get(key) if kind == CitationKind.RULE else keys.heading(key)), None


class _CardKeys:
    """A card's own name wins over the name of a face, that over an alias; an alias of an ordinary card over one of a
    twin card, whose aliases are those of its halves too."""

    def __init__(self, game: Game) -> None:
        self._names: dict[str, dict[int, str]] = defaultdict(dict)
        for pk, key, name in Card.objects.filter(game=game).values_list("pk", "key", "name"):
            self._names[key][pk] = name
        self._faces: dict[str, dict[int, str]] = defaultdict(dict)
        for pk, key, name in CardFace.objects.filter(card__game=game).values_list("card_id", "key", "name"):
            self._faces[key][pk] = name
        self._own_aliases: dict[str, dict[int, str]] = defaultdict(dict)
        self._aliases: dict[str, dict[int, str]] = defaultdict(dict)
        twins = set(CardFace.objects.filter(card__game=game, position=1).values_list("card_id", flat=True))
        for pk, key, name in CardAlias.objects.filter(card__game=game).values_list("card_id", "key", "text"):
            self._aliases[key][pk] = name
            if pk not in twins:
                self._own_aliases[key][pk] = name

    def find(self, key: str, text: str) -> int | None:
        for keys in (self._names, self._faces, self._own_aliases, self._aliases):
            found = keys.get(key)
            if found:
                return _the_one(found, text)
        return None


def _the_one(found: dict[int, str], text: str) -> int | None:
    """The only card under a key, or the only one whose name is written in `text` to the letter."""
    if len(found) == 1:
        return next(iter(found))
    exact = [pk for pk, name in found.items() if name == text.strip("《》≪≫«»「」『』 　")]
    return exact[0] if len(exact) == 1 else None


class _SectionKeys:
    """The numbers and headings of a ruleset: what holds, else where the number last stood."""

    def __init__(self, ruleset_id: int) -> None:
        self.numbers: dict[str, int] = {}
        sections = Entry.objects.filter(ruleset=ruleset_id, kind=Kind.SECTION)
        # Weakest first: former numbers of entries that moved, ended entries, live ones.
        former = Revision.objects.filter(entry__in=sections).order_by("pk").values_list("number", "entry_id")
        self.numbers.update((number, pk) for number, pk in former if number)
        self.numbers.update(sections.exclude(status__in=LIVE).order_by("pk").values_list("number", "pk"))
        self.numbers.update(sections.filter(status__in=LIVE).values_list("number", "pk"))
        self._headings: dict[str, set[int]] = defaultdict(set)
        titled = Revision.objects.in_force(timezone.localdate()).exclude(title="")
        titled = titled.filter(entry__in=sections, entry__status__in=LIVE)
        for title, pk in titled.values_list("title", "entry_id"):
            self._headings[fold_key(title)].add(pk)

    def heading(self, key: str) -> int | None:
        """The one section under that heading, else the section under that slug."""
        found = self._headings.get(fold_key(key), set())
        return next(iter(found)) if len(found) == 1 else self.numbers.get(key)

"""Import a list of cards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db import transaction

from rulings.games import profile_of
from rulings.importers.decoding import decode
from rulings.importers.lists import parse_cards
from rulings.importers.records import CardRecord
from rulings.models import Card, CardAlias, CardFace, CrossReference, Event, Game, Revision, Source
from rulings.services import lists
from rulings.services.changes import ChangeLog
from rulings.services.finishing import follow_up
from rulings.services.references import relink_revisions, resolve_pending
from rulings.services.reports import ImportReport
from rulings.services.targets import Targets
from rulings.text.fold import fold_key

BATCH = 1000


def import_cards(
    game: Game,
    data: bytes,
    mapping: Mapping[str, str] | None = None,
    *,
    title: str = "",
    url: str = "",
    publisher: str = "",
    dry_run: bool = False,
    progress: lists.Progress | None = None,
) -> ImportReport:
    """Read a list (CSV, JSON, JSON lines) of cards of `game`, in one transaction; `mapping`: field → column.

    Cards that are as the list says are not touched, cards that it leaves out stay. Citations that name a card only
    now known resolve by themselves. Raise DecodeError or ParseError, with nothing stored, when it cannot be read.
    """
    text = decode(data).text
    records, warnings = parse_cards(text, mapping or {}, profile_of(game.slug))
    title = title or f"{game.name} カードの一覧"
    report = lists.begin(game.slug, title, warnings, dry_run=dry_run)
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=game.pk)
        source, is_new = lists.source_of(text, title=title, url=url, publisher=publisher)
        report.already_imported = not is_new
        changes = ChangeLog()
        writer = _CardWriter(game, source, changes, report)
        writer.write(records, progress)
        if writer.names_changed:
            _link(game, changes, report)
        lists.close(report, source, changes, is_new=is_new)
        if dry_run:
            transaction.set_rollback(True)
    return report


def _link(game: Game, changes: ChangeLog, report: ImportReport) -> None:
    """Let citations find the cards, and what hangs on them follow."""
    targets = Targets(game)
    affected = resolve_pending(game=game, targets=targets, changes=changes)
    affected |= _find_uncertain(game, targets, changes)
    report.references.resolved_later = len(affected)
    follow_up(affected, changes, report)


def _find_uncertain(game: Game, targets: Targets, changes: ChangeLog) -> set[int]:
    """Where brackets hold a card's name only if such a card is known, read again the texts that have them."""
    brackets = profile_of(game.slug).possible_card_brackets
    if not brackets:
        return set()
    revisions = list(
        Revision.objects.filter(entry__ruleset__game=game)
        .exclude(event=Event.DELETED)
        .select_related("entry__ruleset__game")
    )
    before = _cited(game)
    relink_revisions(revisions, targets)
    affected = {entry_id for entry_id, _card in _cited(game) ^ before}
    changes.updated_ids(affected)
    return affected


def _cited(game: Game) -> set[tuple[int, int]]:
    cited = CrossReference.objects.filter(card__game=game)
    return set(cited.values_list("revision__entry_id", "card_id"))


@dataclass(slots=True)
class _CardWriter:
    """Compares a list with the cards of a game in memory and writes what differs, in bulk."""

    game: Game
    source: Source
    changes: ChangeLog
    report: ImportReport
    names_changed: bool = False
    _known: dict[str, Card] = field(default_factory=dict)
    _by_id: dict[str, Card] = field(default_factory=dict)
    _faces: dict[int, list[CardFace]] = field(default_factory=dict)
    _aliases: dict[int, dict[str, str]] = field(default_factory=dict)

    def write(self, records: list[CardRecord], progress: lists.Progress | None) -> None:
        self._read_known()
        distinct = self._distinct(records)
        pairs = [(record, self._known.get(record.name) or self._renamed(record)) for record in distinct]
        new = [record for record, card in pairs if card is None]
        for start in range(0, len(new), BATCH):
            self._create(new[start : start + BATCH])
            if progress is not None:
                progress(min(start + BATCH, len(new)), len(distinct))
        self._update([(record, card) for record, card in pairs if card is not None])
        if progress is not None:
            progress(len(distinct), len(distinct))

    def _read_known(self) -> None:
        for card in Card.objects.filter(game=self.game):
            self._known[card.name] = card
            if card.official_id:
                self._by_id[card.official_id] = card
        for face in CardFace.objects.filter(card__game=self.game).order_by("position"):
            self._faces.setdefault(face.card_id, []).append(face)
        for alias in CardAlias.objects.filter(card__game=self.game):
            self._aliases.setdefault(alias.card_id, {})[alias.key] = alias.text

    def _distinct(self, records: Iterable[CardRecord]) -> list[CardRecord]:
        """One record per name; the later ones only add their other names."""
        found: dict[str, CardRecord] = {}
        for record in records:
            first = found.setdefault(record.name, record)
            if first is not record:
                self.report.warn("duplicate_card", f"《{record.name}》が一覧に二度あります。最初のものを使います。")
                first.aliases = list(dict.fromkeys([*first.aliases, *record.aliases]))
        return list(found.values())

    def _renamed(self, record: CardRecord) -> Card | None:
        """The card that bears the record's official id under another name."""
        return self._by_id.get(record.official_id) if record.official_id else None

    def _create(self, records: list[CardRecord]) -> None:
        cards = Card.objects.bulk_create([_filled(Card(game=self.game, source=self.source), r) for r in records])
        CardFace.objects.bulk_create(
            [face for record, card in zip(records, cards, strict=True) for face in _faces_of(record, card)]
        )
        CardAlias.objects.bulk_create(
            [alias for record, card in zip(records, cards, strict=True) for alias in _aliases_of(record, card)]
        )
        self.changes.created(*cards)
        self.report.cards.created += len(cards)
        self.names_changed |= bool(cards)

    def _update(self, pairs: list[tuple[CardRecord, Card]]) -> None:
        changed: list[Card] = []
        faces: list[tuple[Card, list[CardFace]]] = []
        aliases: list[CardAlias] = []
        for record, card in pairs:
            before = _state(card)
            former = card.name
            _filled(card, record)
            if former != card.name:
                record.aliases.append(former)
            new_aliases = [a for a in _aliases_of(record, card) if a.key not in self._aliases.get(card.pk, {})]
            new_faces = self._changed_faces(record, card)
            if before == _state(card) and not new_aliases and new_faces is None:
                self.report.cards.unchanged += 1
                continue
            changed.append(card)
            aliases += new_aliases
            if new_faces is not None:
                faces.append((card, new_faces))
        self._save(changed, faces, aliases)

    def _changed_faces(self, record: CardRecord, card: Card) -> list[CardFace] | None:
        """The faces that the record gives the card, None when it has them already."""
        wanted = _faces_of(record, card)
        had = [(face.position, face.name, face.facts) for face in self._faces.get(card.pk, [])]
        return wanted if had != [(face.position, face.name, face.facts) for face in wanted] else None

    def _save(self, changed: list[Card], faces: list[tuple[Card, list[CardFace]]], aliases: list[CardAlias]) -> None:
        for card in changed:
            card.source = self.source
        Card.objects.bulk_update(changed, [*_FIELDS, "source"], batch_size=200)
        CardFace.objects.filter(card__in=[card for card, _faces in faces]).delete()
        CardFace.objects.bulk_create([face for _card, own in faces for face in own], batch_size=BATCH)
        CardAlias.objects.bulk_create(aliases, batch_size=BATCH)
        self.changes.updated(*changed)
        self.report.cards.edited += len(changed)
        self.names_changed |= bool(changed)


_FIELDS = ("name", "key", "reading", "reading_key", "official_id", "layout")


def _state(card: Card) -> tuple[str, ...]:
    return tuple(getattr(card, name) for name in _FIELDS)


def _filled(card: Card, record: CardRecord) -> Card:
    """Let the card say what the record says; what the record leaves empty stays."""
    card.name, card.key = record.name, fold_key(record.name)
    card.reading = record.reading or card.reading
    card.reading_key = fold_key(card.reading) if card.reading else ""
    card.official_id = record.official_id or card.official_id
    card.layout = record.layout or card.layout
    return card


def _faces_of(record: CardRecord, card: Card) -> list[CardFace]:
    return [
        CardFace(card=card, position=at, name=face.name, key=fold_key(face.name), facts=face.facts)
        for at, face in enumerate(record.faces)
    ]


def _aliases_of(record: CardRecord, card: Card) -> list[CardAlias]:
    """The record's other names, each key once, without those under which the card is found anyway."""
    keys = {card.key, *(fold_key(face.name) for face in record.faces)}
    aliases = {fold_key(text): text for text in reversed(record.aliases)}
    return [CardAlias(card=card, text=text, key=key) for key, text in aliases.items() if key not in keys]

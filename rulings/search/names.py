"""Card names, read from the database – or from a file beside the index, where they were kept as they are."""

import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.models import Count, Max

from rulings.models import Card, CardAlias, CardFace, Change, ChangeCounter, Entry, Kind, Revision
from rulings.models.changes import NOTHING_SEEN, Seen
from rulings.search import kept_names
from rulings.search.name_table import ALIAS, FACE, NAME, READING, NameTable
from rulings.search.writings import Writing, Writings
from rulings.text.fold import fold_key, squeeze
from rulings.text.names import other_writings

WARMED = 2_000  # names: with so many, what takes a while is made ahead and kept in a file

_BRACKETED = re.compile(r"[《≪«〈][^《》≪≫«»〈〉]*[》≫»〉]")


def _writings_of(card: int, name: str, key: str, rank: int) -> Iterable[Writing]:
    """Yield the writings of a name: as it is, and with its readings in parentheses left out or read."""
    yield Writing(key, card, rank, name)
    for other in other_writings(name):  # ボルシャック・NEX（ネックス）
        yield Writing(fold_key(other), card, rank, other)


def _read_writings() -> Writings:
    found: dict[tuple[str, int], Writing] = {}
    rows: list[tuple[int, str, str, int]] = []
    for pk, name, key, reading, reading_key in Card.objects.values_list("pk", "name", "key", "reading", "reading_key"):
        rows.append((pk, name, key, NAME))
        if reading:
            rows.append((pk, reading, reading_key or fold_key(reading), READING))
    rows += [(card, name, key, FACE) for card, name, key in CardFace.objects.values_list("card", "name", "key")]
    rows += [(card, text, key, ALIAS) for card, text, key in CardAlias.objects.values_list("card", "text", "key")]
    for card, name, key, rank in sorted(rows, key=lambda row: (row[3], row[0])):
        for writing in _writings_of(card, name, key or fold_key(name), rank):
            found.setdefault((writing.key, card), writing)
    return Writings.of(found.values())


def _read_vocabulary() -> str:
    rows = Revision.objects.filter(entry__kind=Kind.SECTION).values_list("title", "body")
    text = "\n".join(f"{title}\n{body}" for title, body in rows.iterator(chunk_size=2_000))
    return squeeze(_BRACKETED.sub("|", text)).text


State = tuple[int, ...]


@dataclass(slots=True)
class _Known:
    """A table, and what it was read at: the cards' state, the entries'."""

    cards: State
    entries: int
    table: NameTable
    seen: Seen = NOTHING_SEEN  # the state of the site in which both were looked at last


_tables: dict[str, _Known] = {}
_loading = threading.Lock()


def _state_of_cards() -> State:
    cards = Change.objects.filter(card__isnull=False).aggregate(last=Max("number"))["last"] or 0
    aliases = CardAlias.objects.aggregate(count=Count("pk"), last=Max("pk"))
    return cards, Card.objects.count(), aliases["count"], aliases["last"] or 0


def table(seen: Seen | None = None) -> NameTable:
    """Return the names as of the latest change of a card; nothing is asked where `seen` says so.

    What entries add to it (the rules' vocabulary, which cards they name) only weighs; where there are many names it
    follows an instant later, beside the queries.
    """
    database = str(settings.DATABASES["default"]["NAME"])
    known, seen = _tables.get(database), seen or ChangeCounter.objects.seen()
    if known is not None and known.seen == seen != NOTHING_SEEN:
        return known.table
    cards, entries = _state_of_cards(), Change.objects.latest_number()
    if known is None or known.cards != cards:
        with _loading:
            known = _tables.get(database)
            if known is None or known.cards != cards:
                known = _tables[database] = _loaded(cards, entries, database)
    elif known.entries != entries:
        known.entries = entries
        if len(known.table.writings) > WARMED:
            start(partial(_weigh, known.table))
        else:
            _weigh(known.table)
    known.seen = seen
    return known.table


def _loaded(cards: State, entries: int, database: str) -> _Known:
    """Return the names as they are kept, else as the database has them, which are then kept."""
    path = Path(settings.INDEX_DIR) / kept_names.NAME
    mark: kept_names.Mark = [database, _mark(cards[0]), *cards]
    if kept := kept_names.read(path, mark):
        return _Known(cards, *kept)
    known = _Known(cards, entries, _fresh())
    if len(known.table.writings) > WARMED:
        start(partial(_keep, path, mark, known))
    return known


def _keep(path: Path, mark: kept_names.Mark, known: _Known) -> None:
    known.table.warm()
    kept_names.write(path, mark, known.entries, known.table)


def _mark(number: int) -> str:
    """Return what tells the change `number` of this database from that of another."""
    at = Change.objects.filter(number=number).values_list("at", flat=True).first()
    return at.isoformat() if at else ""


def _fresh() -> NameTable:
    cards = list(Card.objects.values_list("pk", "game__slug", "official_id"))
    games = {pk: game for pk, game, _number in cards}
    numbers = {pk: int(number) for pk, _game, number in cards if number.isdecimal()}
    return NameTable(_read_writings(), games, _read_ruled(), numbers, _read_vocabulary())


def _read_ruled() -> frozenset[int]:
    return frozenset(Entry.cards.through.objects.values_list("card", flat=True).distinct())


def _weigh(known: NameTable) -> None:
    known.ruled, known.vocabulary = _read_ruled(), _read_vocabulary()


def start(work: Callable[[], object]) -> None:
    """Do something beside the queries, on a connection of its own."""

    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    threading.Thread(target=run, name="names", daemon=True).start()


def forget() -> None:
    """Drop what is in memory."""
    _tables.clear()

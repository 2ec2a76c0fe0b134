"""What the index holds of an entry: one document per wording, with the headings it stands under."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice, pairwise

from django.db.models import Prefetch

from rulings.games import profile_of
from rulings.models import Entry, Kind, Revision
from rulings.search.analysis import Terms
from rulings.search.engine import Document
from rulings.search.tokens import Analysed, TokenStore, analysed

RULED = "ruled"  # label of interactions that another entry rules: ordinary results show that entry
BATCH = 200
ANALYSED_AT_ONCE = 4_000  # wordings
_HEADING_LENGTH = 80


class Headings:
    """The titles that entries stand under, read as needed."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[int | None, str]] = {}

    def above(self, entry: Entry) -> list[str]:
        """Return the headings above `entry`, the nearest first."""
        found: list[str] = []
        parent = entry.parent_id
        while parent and len(found) < 12:
            if parent not in self.known:
                self._read({parent})
            above, heading = self.known[parent]
            if heading:
                found.append(heading)
            parent = above
        return found

    def read_above(self, entries: Iterable[Entry]) -> None:
        """Read all that stands above `entries`, one query per level instead of one per heading."""
        missing = {entry.parent_id for entry in entries if entry.parent_id} - self.known.keys()
        while missing:
            self._read(missing)
            missing = {above for pk in missing if (above := self.known[pk][0])} - self.known.keys()

    def _read(self, ids: set[int]) -> None:
        for entry in Entry.objects.with_wording().filter(pk__in=ids):
            wording = entry.wording
            heading = (wording.title or wording.body[:_HEADING_LENGTH]) if wording else ""
            self.known[entry.pk] = (entry.parent_id, heading)


def _shown_wordings(entry: Entry) -> list[tuple[Revision, Revision | None]]:
    """Return each wording that is shown at some time, with the one that takes its place (see `wording_on`)."""
    texts = [
        revision
        for revision in sorted(entry.revisions.all(), key=Revision.chronology)
        if revision.is_text and not revision.held_never
    ]
    return list(pairwise([*texts, None]))  # type: ignore[list-item]


def _labels(entry: Entry, revision: Revision) -> frozenset[str]:
    ruleset = entry.ruleset
    labels = {
        f"kind:{entry.kind}",
        f"ruleset:{ruleset.slug}",
        f"game:{ruleset.game.slug}",
        f"authority:{ruleset.authority}",
        f"status:{entry.status}",
        f"verdict:{revision.verdict}",
        *(f"card:{card.pk}" for card in entry.cards.all()),
    }
    if entry.ruled_by_id:
        labels.add(RULED)
    if entry.level:
        labels.add(f"level:{entry.level}")
    return frozenset(labels)


def _context(entry: Entry, headings: Headings) -> str:
    ruleset = entry.ruleset
    names = [name for name, slug in profile_of(ruleset.game.slug).ruleset_names.items() if slug == ruleset.slug]
    return "\n".join([*headings.above(entry), ruleset.name, *names])


def _texts(entry: Entry, revision: Revision, headings: Headings) -> dict[str, str]:
    """Return the raw texts by field."""
    ruling = entry.ruled_by.wording if entry.ruled_by else None
    body = "\n".join(part for part in (revision.body, ruling and f"{ruling.title}\n{ruling.body}") if part)
    return {
        "title": revision.title,
        "body": body,
        "examples": "\n".join(example.get("text", "") for example in revision.examples),
        "context": _context(entry, headings),
    }


def _numbered(terms: Terms, number: str) -> Terms:
    """Add a section's own number, with its prefixes, to its title."""
    chapter, _dot, rule = number.partition(".")
    if not chapter.isdigit():
        return terms
    own = [f"{chapter}."] + ([number, number.rstrip("abcdefghijklmnopqrstuvwxyz")] if rule else [])
    return Terms((*terms.words, *dict.fromkeys(own)), terms.grams)


@dataclass(frozen=True, slots=True)
class _Wording:
    """A wording that is shown, before it is analysed."""

    entry: Entry
    revision: Revision
    until: date | None
    texts: dict[str, str]


def documents_of(entries: Iterable[Entry], headings: Headings, store: TokenStore | None = None) -> Iterator[Document]:
    """Yield the documents of entries (loaded by `for_index`); what `store` knows is not analysed again."""
    wordings = _wordings(entries, headings)
    while some := list(islice(wordings, ANALYSED_AT_ONCE)):
        texts = {text for one in some for text in one.texts.values() if text}
        known = store.analyse(texts) if store else {text: analysed(text) for text in texts}
        yield from (_document(one, known) for one in some)


def _wordings(entries: Iterable[Entry], headings: Headings) -> Iterator[_Wording]:
    for entry in _with_headings(entries, headings):
        for revision, successor in _shown_wordings(entry):
            until = successor.effective_on if successor else None
            yield _Wording(entry, revision, until, _texts(entry, revision, headings))


def _with_headings(entries: Iterable[Entry], headings: Headings) -> Iterator[Entry]:
    """The entries, a batch at a time, after what stands above the batch was read."""
    waiting = iter(entries)
    while some := list(islice(waiting, BATCH)):
        headings.read_above(some)
        yield from some


def _document(wording: _Wording, known: dict[str, Analysed]) -> Document:
    entry, revision = wording.entry, wording.revision
    found = {field: known[text] for field, text in wording.texts.items() if text}
    terms = {field: terms for field, (terms, _squeezed) in found.items()}
    terms["title"] = _numbered(terms.get("title", Terms((), ())), entry.number)
    return Document(
        id=revision.pk,
        entry=entry.pk,
        terms=terms,
        texts={field: squeezed for field, (_terms, squeezed) in found.items()},
        labels=_labels(entry, revision),
        since=revision.effective_on,
        until=wording.until,
        held_until=revision.ended_on,
    )


def for_index(ids: Iterable[int]) -> Iterator[Entry]:
    """Yield entries with all that their documents are made of."""
    numbers = sorted(ids)
    for start in range(0, len(numbers), BATCH):
        yield from (
            Entry.objects.filter(pk__in=numbers[start : start + BATCH])
            .select_related("ruleset__game", "ruled_by")
            .prefetch_related("revisions", "cards", Prefetch("ruled_by__revisions"))
            .order_by("pk")
        )


def touched_by(ids: Iterable[int]) -> set[int]:
    """Return the entries whose documents hold text of `ids`: themselves, what stands under them, what they rule."""
    found = set(ids)
    fresh = found
    while fresh:
        batch, rest = set(sorted(fresh)[:500]), set(sorted(fresh)[500:])
        below = set(Entry.objects.filter(parent__in=batch).values_list("pk", flat=True))
        below |= set(Entry.objects.filter(kind=Kind.INTERACTION, ruled_by__in=batch).values_list("pk", flat=True))
        fresh = rest | (below - found)
        found |= below
    return found

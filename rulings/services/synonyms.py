"""Load the words that ship with a game; what an editor wrote or took away stays."""

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from rulings.importers.decoding import decode
from rulings.importers.records import WordRecord
from rulings.importers.words import parse_words
from rulings.models import ChangeCounter, Game, Origin, Synonym
from rulings.models.synonyms import SEPARATOR
from rulings.services.reports import ImportReport
from rulings.text.fold import squeeze


def load_shipped(game: Game) -> None:
    """Load the list that ships for a game, where one does."""
    path = settings.BASE_DIR / "fixtures" / "synonyms" / f"{game.slug}.txt"
    if path.is_file():
        load_words(game, path.read_bytes())


def load_words(game: Game, data: bytes) -> ImportReport:
    """Make the shipped words of a game those of a list, in one transaction; loading it again changes nothing.

    Words that the list no longer has go, unless an editor wrote them. Raise DecodeError where it cannot be read.
    """
    records, warnings = parse_words(decode(data).text)
    report = ImportReport(target=game.slug, title=f"{game.name} 言い換え")
    for warning in warnings:
        report.warn(warning.code, warning.message, warning.line)
    with transaction.atomic():
        known = {row.key: row for row in Synonym.objects.filter(game=game)}
        fresh, changed = _compared(game, _by_key(records), known, report)
        gone = [row.pk for row in known.values() if row.is_shipped and row.origin == Origin.SHIPPED]
        report.words.ended = Synonym.objects.filter(pk__in=gone).delete()[0]
        unlisted = [row for row in known.values() if row.is_shipped and row.origin == Origin.EDITOR]
        for row in unlisted:
            row.is_shipped = False
        for row in changed:
            row.updated_at = timezone.now()
        Synonym.objects.bulk_create(fresh)
        Synonym.objects.bulk_update([*changed, *unlisted], ["text", "words", "is_shipped", "updated_at"])
        if report.words.touched:
            ChangeCounter.objects.touch()
    return report


def _by_key(records: list[WordRecord]) -> dict[str, WordRecord]:
    """Put together what is said of one word in several lines."""
    found: dict[str, WordRecord] = {}
    for record in records:
        if key := squeeze(record.text).text:
            before = found.get(key)
            said = dict.fromkeys([*before.words, *record.words] if before else record.words)
            found[key] = WordRecord(before.text if before else record.text, tuple(said), record.line)
    return found


def _compared(
    game: Game, listed: dict[str, WordRecord], known: dict[str, Synonym], report: ImportReport
) -> tuple[list[Synonym], list[Synonym]]:
    """Return the rows to create and those to change; take out of `known` what the list has."""
    fresh: list[Synonym] = []
    changed: list[Synonym] = []
    for key, record in listed.items():
        words = SEPARATOR.join(record.words)
        row = known.pop(key, None)
        if row is None:
            fresh.append(
                Synonym(game=game, text=record.text, key=key, words=words, origin=Origin.SHIPPED, is_shipped=True)
            )
            report.words.created += 1
        elif row.origin == Origin.SHIPPED and (row.text, row.words) != (record.text, words):
            row.text, row.words = record.text, words
            changed.append(row)
            report.words.edited += 1
        else:
            if not row.is_shipped:
                row.is_shipped = True
                changed.append(row)
            report.words.unchanged += 1
    return fresh, changed

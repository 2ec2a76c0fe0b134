"""Tell when a document seems to belong to another ruleset of the game than the one it is imported into."""

from collections.abc import Iterator

from rapidfuzz import fuzz

from rulings.games import profile_of
from rulings.importers.records import Fate, Form, ParsedDocument
from rulings.models import Entry, Kind, Ruleset
from rulings.services.matching import text_key
from rulings.services.reports import ImportReport
from rulings.text.fold import fold_key
from rulings.text.numbers import parse_number

# Two wordings of one rule are alike by at least so much (per cent), two rules under one number hardly ever.
_ALIKE = 60.0
_HEAD = 5  # lines about the document that may name its ruleset


def warn_of_other_ruleset(ruleset: Ruleset, document: ParsedDocument, text: str, report: ImportReport) -> None:
    """Warn (`other_ruleset`) when the document names another ruleset of the game, or changes the rules of one."""
    named = _named(ruleset, document, text)
    if named is not None:
        message = f"文書の題名や前書きは「{named.name}」のものです。"
    elif (other := _owner_of_numbers(ruleset, document)) is not None:
        message = f"文書が挙げる番号と文は、「{other.name}」の条項のものです。"
    else:
        return
    report.warn("other_ruleset", f"{message}「{ruleset.name}」に取り込んでよいか確認してください。")


def _named(ruleset: Ruleset, document: ParsedDocument, text: str) -> Ruleset | None:
    """The one other ruleset that the document's title, else the lines about it, name; None when it names its own."""
    lines = text.split("\n")
    notes = [line.line for line in document.account if line.fate is Fate.SOURCE_NOTE][:_HEAD]
    listed = {
        number for group in document.groups for span in group.lines for number in range(span.first, span.last + 1)
    }
    own_words = [document.title, *(lines[number - 1] for number in notes if number not in listed)]
    rulesets = {known.slug: known for known in Ruleset.objects.filter(game=ruleset.game_id)}
    names = list(_names(rulesets, ruleset))
    for words in own_words:
        folded = fold_key(words)
        found = {slug for name, slug in names if name and name in folded}
        if ruleset.slug in found:
            return None
        if len(found) == 1:
            return rulesets[found.pop()]
    return None


def _names(rulesets: dict[str, Ruleset], ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Folded names with the slugs of the rulesets that bear them."""
    for name, slug in profile_of(ruleset.game.slug).ruleset_names.items():
        if slug in rulesets:
            yield fold_key(name), slug
    for slug, known in rulesets.items():
        yield fold_key(known.name), slug


def _owner_of_numbers(ruleset: Ruleset, document: ParsedDocument) -> Ruleset | None:
    """The other ruleset that has most of the known numbers, with texts like these, where this one has none of them."""
    if document.form not in (Form.NUMBERED, Form.AMENDMENT):
        return None
    records = {record.number: record for record in document.sections if parse_number(record.number)}
    sections = Entry.objects.filter(
        kind=Kind.SECTION, ruleset__game=ruleset.game_id, number__in=list(records)
    ).select_related("ruleset")
    here = set(sections.filter(ruleset=ruleset).values_list("number", flat=True))
    others: dict[int, list[Entry]] = {}
    for entry in sections.exclude(ruleset=ruleset).exclude(number__in=here).with_wording():
        others.setdefault(entry.ruleset_id, []).append(entry)
    for found in others.values():
        alike = 0
        for entry in found:
            record, wording = records[entry.number], entry.wording
            known = text_key(wording.title, wording.body) if wording else ""
            alike += fuzz.ratio(text_key(record.title, record.body), known) >= _ALIKE
        if len(found) > len(here) and alike * 2 > len(found):
            return found[0].ruleset
    return None

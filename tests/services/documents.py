"""Small documents as parsers hand them over."""

from datetime import date
from typing import Any

from rulings.importers.records import (
    Example,
    FaqRecord,
    Fate,
    Form,
    GroupRecord,
    Level,
    LineAccount,
    Lines,
    ParsedDocument,
    SectionRecord,
)
from rulings.models import Entry, Ruleset
from rulings.services.importing import import_parsed
from rulings.services.reports import ImportReport
from rulings.text.numbers import parse_number
from rulings.text.verdicts import verdict_of

DAY, LATER, LAST = date(2025, 1, 1), date(2025, 6, 1), date(2026, 2, 13)


def section(number: str, body: str = "", *, title: str = "", examples: tuple[str, ...] = (), **fields: Any) -> Any:
    """A section record; a number gives its level, parent and place, a slug is an item."""
    parsed = parse_number(number)
    level = Level.ITEM
    if parsed is not None:
        level = Level.SUBRULE if parsed.letter else Level.RULE if parsed.rule else Level.CHAPTER
        fields.setdefault("parent", str(parsed.parent) if parsed.parent else "")
    fields.setdefault("sort_key", parsed.sort_key if parsed else number)
    return SectionRecord(
        number=number,
        printed=number,
        level=level,
        title=title,
        body=body,
        examples=[Example("例", text) for text in examples],
        **fields,
    )


def faq(question: str, answer: str, **fields: Any) -> FaqRecord:
    fields.setdefault("sort_key", question[:10])
    return FaqRecord(question, answer, verdict=verdict_of(answer), **fields)


def document(*records: SectionRecord | FaqRecord, form: Form = Form.NUMBERED, **fields: Any) -> ParsedDocument:
    """A document with one line per record."""
    sections = [record for record in records if isinstance(record, SectionRecord)]
    faqs = [record for record in records if isinstance(record, FaqRecord)]
    account = []
    for line, record in enumerate(records, 1):
        record.lines = [Lines(line, line)]
        key = record.number if isinstance(record, SectionRecord) else f"faq:{faqs.index(record) + 1}"
        account.append(LineAccount(line, Fate.ENTRY, (key,)))
    fields.setdefault("is_complete", form is not Form.AMENDMENT)
    fields.setdefault("title", "試験の規則")
    return ParsedDocument(form=form, sections=sections, faqs=faqs, account=account, **fields)


def amendment(*records: SectionRecord, editorial: bool = False, **fields: Any) -> ParsedDocument:
    for record in records:
        record.group = 0
    return document(
        *records, form=Form.AMENDMENT, groups=[GroupRecord("試験の項目を変更しました。", editorial)], **fields
    )


def load(ruleset: Ruleset, parsed: ParsedDocument, on: date | None = DAY, **options: Any) -> ImportReport:
    """Import a document as of a day."""
    lines = [getattr(record, "body", "") or getattr(record, "question", "") for record in parsed.sections + parsed.faqs]
    text = "\n".join(f"{line.replace(chr(10), ' ')} {on}" for line in lines)
    return import_parsed(ruleset, parsed, text, published=on, **options)


def at(ruleset: Ruleset, number: str) -> Entry:
    """The section that holds, or last held, at a number."""
    found = Entry.objects.of_ruleset(ruleset.slug).at_number(number).first()
    assert found is not None
    return found


def body_on(entry: Entry, on: date) -> str | None:
    """The wording in force on a day."""
    wording = Entry.objects.get(pk=entry.pk).wording_on(on)
    return wording.body if wording is not None and wording.holds_on(on) else None

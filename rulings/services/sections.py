"""Write the sections of a document into a ruleset."""

from collections.abc import Iterable, Sequence

from rulings.importers.records import SectionRecord
from rulings.models import LIVE, AmendmentGroup, Entry, Event, Kind, Level, Revision, RuleSection
from rulings.services.chains import NOT_IN_BOOK, Chain
from rulings.services.context import Import
from rulings.services.regrouping import end_past, entries_regrouped, keep_regrouped
from rulings.services.revisions import (
    STATUS_FIELDS,
    as_examples,
    as_lines,
    set_announced,
    set_current,
    set_ended,
    set_not_announced,
)
from rulings.services.section_matching import SectionMatching
from rulings.services.wordings import Wording
from rulings.text.numbers import parse_number

_FIELDS = ["number", "printed_number", "level", "sort_key", "source", "lines", *STATUS_FIELDS]


class SectionWriter(SectionMatching):
    """Brings the sections of a ruleset in step with those of a document."""

    def __init__(self, job: Import, records: Sequence[SectionRecord], in_line: set[int], is_complete: bool) -> None:
        super().__init__(job, records, in_line, is_complete)
        self.by_key: dict[str, Entry] = {}  # number in the document → its section
        self.changed: dict[int, Entry] = {}
        self.placed: dict[int, Entry] = {}  # those with another parent
        self.former: dict[int, str] = {}  # the numbers of those that gave theirs up
        self.ends: dict[int, tuple[str, Entry]] = {}  # of those split or merged: why an entry ends, what it leads to

    @property
    def all_sections(self) -> list[Entry]:
        """The sections of the ruleset, with those of the document."""
        return list({entry.pk: entry for entry in [*self.known, *self.by_key.values()]}.values())

    def write(self) -> None:
        """Write every section of the document. What it no longer contains is ended by `leftovers`."""
        self.by_key = dict(self._match())
        self.matched = {entry.pk for entry in self.by_key.values()}
        self._free_numbers()
        new = self._create([record for record in self.records if record.number not in self.by_key])
        for record in self.records:
            self._write(record, self.by_key[record.number], record.number in new)
        for record in self.records:
            if record.deleted:
                self._delete(record, record.number in new)
        self._place()
        self._save()
        self._list()
        self._regroup()
        self.job.entries.update({key: entry.pk for key, entry in self.by_key.items()})

    def _list(self) -> None:
        """Remember which numbers each group of the announcement lists, whether their wording changes or not."""
        groups = self.job.groups
        through = AmendmentGroup.listed.through
        listed = {
            (groups[record.group].pk, self.by_key[record.number].pk)
            for record in self.records
            if record.group is not None and record.group < len(groups)
        }
        through.objects.bulk_create([through(amendmentgroup_id=group, entry_id=pk) for group, pk in sorted(listed)])

    def _regroup(self) -> None:
        known = {entry.pk: entry for entry in self.known}
        found = entries_regrouped(self.job, self.regrouped, known, self.by_key)
        self.ends = keep_regrouped(self.job, found)
        for entry in self.by_key.values():
            if entry.pk in self.ends:
                end_past(self.job, entry, *self.ends[entry.pk])

    def leftovers(self) -> list[Entry]:
        """Sections of this line of documents that the document does not contain."""
        return [entry for entry in self.known if entry.pk in self.in_line and entry.pk not in self.matched]

    # -- numbers and new sections -----------------------------------------------------------------------------------

    def _free_numbers(self) -> None:
        """Take their old numbers from rules that are about to move: others may stand there now."""
        moving = [
            self.by_key[record.number]
            for record in self.records
            if (entry := self.by_key.get(record.number)) is not None
            and self._number(record, entry, is_new=False) != entry.number
            and self.job.chains[entry].is_present(self.job.on, self.job.until)
        ]
        for entry in [*moving, *self.replaced.values()]:
            self.former[entry.pk] = entry.number
            entry.number = f"~{entry.pk}"
        Entry.objects.bulk_update([*moving, *self.replaced.values()], ["number"], batch_size=200)

    def restore_numbers(self) -> None:
        """Give the sections that ended because others have their numbers now the numbers that they bore."""
        for pk, entry in self.replaced.items():
            entry.number = self.former[pk]
        Entry.objects.bulk_update(self.replaced.values(), ["number"], batch_size=200)

    def _create(self, records: Sequence[SectionRecord]) -> set[str]:
        """Create the sections of records that have none yet; return their numbers."""
        taken = {entry.number for entry in self.known if entry.is_live}
        sections = [
            RuleSection(
                kind=Kind.SECTION,
                ruleset=self.job.ruleset,
                number=_free(record.number, taken),
                source=self.job.source,
                lines=as_lines(record.lines),
                printed_number=record.printed[:200],
                level=record.level.value,
                sort_key=record.sort_key[:120],
            )
            for record in records
        ]
        for section, record in zip(sections, records, strict=True):
            self._set_first_status(section, record)
        RuleSection.objects.bulk_create(sections, batch_size=200)
        self.job.chains.begin(sections)
        self.by_key.update({record.number: made for record, made in zip(records, sections, strict=True)})
        self.job.changes.created(*sections)
        self.job.report.sections.created += sum(not record.deleted for record in records)
        return {record.number for record in records}

    def _set_first_status(self, section: Entry, record: SectionRecord) -> None:
        """Sections of the past are born ended, those of the future announced: their numbers may be others' today."""
        job = self.job
        if record.deleted:
            if not job.is_ahead or not (record.title or record.body):  # of a text that is unknown nothing can hold
                set_ended(section, job.on or job.today, self._reason(record))
        elif job.until is not None and job.until <= job.today:
            set_ended(section, job.until, NOT_IN_BOOK)
        elif job.is_ahead and job.on is not None:
            set_announced(section, job.on)

    # -- what it says ---------------------------------------------------------------------------------------------

    def _write(self, record: SectionRecord, entry: Entry, is_new: bool) -> None:
        if record.deleted and not (is_new and (record.title or record.body)):
            return
        job = self.job
        chain = job.chains[entry]
        is_present = chain.is_present(job.on, job.until)
        wording = Wording(
            record.title, record.body, as_examples(record.examples), number=self._number(record, entry, is_new)
        )
        wording = self._as_known(chain, wording)
        facts = job.facts(as_lines(record.lines), record.group)
        known = chain.wording(job.on)
        if known is not None and (known.title or known.body) and not (wording.title or wording.body):
            job.losses.emptied.append(record.printed)
        if record.deleted:  # its last wording held until it ended
            chain.write(wording, None, **{**facts, "group": None, "is_editorial": False})
            return
        revision = chain.write(wording, job.on, job.until, **facts)
        if is_new:
            if job.until is not None:
                chain.delete(job.until, reason=NOT_IN_BOOK, editor=job.editor)
            return
        if is_present:
            self._update_fields(record, entry, revision, wording.number)
        self._count(entry, revision, is_present)

    def _as_known(self, chain: Chain, wording: Wording) -> Wording:
        """The wording as it is known, where the document says nothing else."""
        return chain.in_known_lines(wording, self.job.on)

    def _number(self, record: SectionRecord, entry: Entry, is_new: bool) -> str:
        """A rule's number is what the document says; a slug, once given, stays the section's address."""
        if is_new or parse_number(record.number) is None:
            return entry.number
        return record.number

    def _update_fields(self, record: SectionRecord, entry: Entry, revision: Revision | None, number: str) -> None:
        before = (entry.number, entry.printed_number, entry.level, entry.sort_key)
        entry.printed_number, entry.level = record.printed[:200], record.level.value
        entry.sort_key, entry.number = record.sort_key[:120], number
        if revision is not None:
            entry.source, entry.lines = self.job.source, as_lines(record.lines)
            set_current(entry)
        if revision is not None or before != (entry.number, entry.printed_number, entry.level, entry.sort_key):
            self.changed[entry.pk] = entry

    def _count(self, entry: Entry, revision: Revision | None, is_present: bool) -> None:
        counts, job = self.job.report.sections, self.job
        if revision is None:
            counts.unchanged += 1
            return
        job.changes.updated(entry)
        if revision.event == Event.MOVED:
            counts.moved += 1
        else:
            counts.edited += 1
        if is_present and not revision.is_editorial and revision.event != Event.ADDED:
            job.touched_sections.add(entry.pk)

    # -- what ends ------------------------------------------------------------------------------------------------

    def _reason(self, record: SectionRecord) -> str:
        group = self.job.groups[record.group].title if record.group is not None and self.job.groups else ""
        title = self.job.amendment.title if self.job.amendment else self.job.source.title
        return f"「{title}」により削除されました。" + (f"（{group}）" if group else "")

    def _delete(self, record: SectionRecord, is_new: bool) -> None:
        job, entry = self.job, self.by_key[record.number]
        on = job.on or job.today
        chain = job.chains[entry]
        is_present, successor = chain.is_present(on), self._successor(record)
        facts = job.facts(as_lines(record.lines), record.group) | {"reason": self._reason(record)}
        revision = chain.delete(on, successor=successor, **facts)
        if revision is not None and is_present:
            set_ended(entry, on, self._reason(record), successor)
            entry.source, entry.lines = job.source, as_lines(record.lines)
            self.changed[entry.pk] = entry
            job.touched_sections.add(entry.pk)
        elif set_not_announced(entry, chain, self._reason(record)):
            self.changed[entry.pk] = entry
        if revision is None and not is_new:
            job.report.sections.unchanged += 1
            return
        (job.changes.updated if job.is_ahead else job.changes.ended)(entry)
        job.report.sections.ended += 1

    def _successor(self, record: SectionRecord) -> Entry | None:
        """What the record names as its successor: a rule that does not end with the same document."""
        number = record.successor
        if not number or any(other.number == number and other.deleted for other in self.records):
            return None
        live = (entry for entry in self.known if entry.is_live and entry.number == number)
        return self.by_key.get(number) or next(live, None)

    # -- where it stands ------------------------------------------------------------------------------------------

    def _place(self) -> None:
        """Give every section of the document its parent; adopt numbered sections whose parent is known only now."""
        live = {entry.number: entry for entry in [*self.known, *self.by_key.values()] if entry.status in LIVE}
        parts = sorted((entry.sort_key, entry.pk, entry) for entry in live.values() if entry.level == Level.PART)
        for record in self.records:
            entry = self.by_key[record.number]
            parent = self.by_key.get(record.parent) or live.get(record.parent)
            is_first = entry.parent_id is None
            if parent is not None and (is_first or self.job.chains[entry].is_present(self.job.on, self.job.until)):
                self._set_parent(entry, parent)
        for entry in live.values():
            if entry.parent_id is None and (number := parse_number(entry.number)) and entry.level != Level.PART:
                parent = live.get(str(number.parent)) if number.parent else _last_before(parts, entry.sort_key)
                if parent is not None:
                    self._set_parent(entry, parent)

    def _set_parent(self, entry: Entry, parent: Entry) -> None:
        if entry.parent_id != parent.pk and entry.pk != parent.pk:
            entry.parent = parent
            self.placed[entry.pk] = entry
            self.job.changes.updated(entry)

    def _save(self) -> None:
        self._object_to_shared_numbers()
        Entry.objects.bulk_update(self.changed.values(), _FIELDS, batch_size=100)
        Entry.objects.bulk_update(self.placed.values(), ["parent"], batch_size=200)

    def _object_to_shared_numbers(self) -> None:
        """Two living sections cannot bear one number: the import will be refused, with their numbers."""
        bearers: dict[str, Entry] = {}
        for entry in self.all_sections:
            if entry.is_live and (other := bearers.setdefault(entry.number, entry)) is not entry:
                self.job.losses.shared.append(entry.number)
                loser = other if other.pk in self.changed else entry
                loser.number = f"~{loser.pk}"


def _free(number: str, taken: set[str]) -> str:
    """`number`, or where another section holds that slug, the slug with the next free digit; now taken."""
    free, copy = number, 1
    while free in taken and parse_number(number) is None:
        copy += 1
        free = f"{number}-{copy}"
    taken.add(free)
    return free


def _last_before(parts: Iterable[tuple[str, int, Entry]], sort_key: str) -> Entry | None:
    """The part in whose range of sort keys a chapter lies."""
    found = None
    for key, _pk, part in parts:
        if key <= sort_key:
            found = part
    return found

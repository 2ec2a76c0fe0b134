"""Write questions and answers, from a document or a list, into a ruleset."""

from collections.abc import Sequence
from datetime import date

from rulings.importers.records import FaqRecord
from rulings.models import Entry, FaqEntry, Kind, Revision
from rulings.services.chains import Chain
from rulings.services.context import Import
from rulings.services.matching import Candidate, Matcher, Wanted, text_key
from rulings.services.revisions import STATUS_FIELDS, as_lines, set_announced, set_current, set_ended
from rulings.services.wordings import Wording
from rulings.text.fold import fold_key

_FIELDS = ["official_id", "url", "sort_key", "parent", "source", "lines", *STATUS_FIELDS]

NOT_LISTED = "この日に公開された文書には載っていません。"


class FaqWriter:
    """Brings the questions of a ruleset in step with those of a document or list.

    A question is known by its official id, else by its words, else (in a complete document) by similar words.
    """

    def __init__(self, job: Import, records: Sequence[FaqRecord], in_line: set[int], is_complete: bool) -> None:
        self.job, self.records, self.in_line, self.is_complete = job, records, in_line, is_complete
        self.known = list(
            FaqEntry.objects.filter(ruleset=job.ruleset)
            .select_related("source")
            .defer("source__text", "source__account")
            .order_by("pk")
        )
        self.entries: list[Entry] = []  # in the order of the records
        self.revised: list[Entry] = []  # those whose wording is new
        self.changed: dict[int, Entry] = {}
        job.chains.load(self.known)

    def write(self, sections: dict[str, Entry] | None = None) -> None:
        """Write every question; `sections`: number in the document → the section a question may stand under."""
        found = self._match()
        new = self._create(found)
        self.entries = [found[str(at)] for at in range(len(self.records))]
        for record, entry in zip(self.records, self.entries, strict=True):
            self._write(record, entry, entry.pk in new)
            parent = (sections or {}).get(record.section)
            if parent is not None and entry.parent_id != parent.pk:
                entry.parent = parent
                self.changed[entry.pk] = entry
                self.job.changes.updated(entry)
        FaqEntry.objects.bulk_update(list(self.changed.values()), _FIELDS, batch_size=100)
        self.job.entries.update({f"faq:{at}": entry.pk for at, entry in enumerate(self.entries, 1)})

    def leftovers(self) -> list[Entry]:
        """Questions of this line of documents that the document does not contain."""
        matched = {entry.pk for entry in self.entries}
        return [entry for entry in self.known if entry.pk in self.in_line and entry.pk not in matched]

    def _match(self) -> dict[str, Entry]:
        by_id = {entry.official_id: entry for entry in self.known if entry.official_id}
        found = {
            str(at): by_id[record.official_id] for at, record in enumerate(self.records) if record.official_id in by_id
        }
        if len(found) == len(self.records):
            return found
        taken = {entry.pk for entry in found.values()}
        wanted = [
            Wanted(str(at), fold_key(record.question), text_key(record.question, record.answer))
            for at, record in enumerate(self.records)
            if str(at) not in found
        ]
        identified = {at.key for at in wanted if self.records[int(at.key)].official_id}
        candidates = [
            candidate
            for entry in self.known
            if entry.pk not in taken and (candidate := self._candidate(entry)) is not None
        ]
        # A question with an official id of its own is not another one that has a different id.
        plain = [candidate for candidate in candidates if not candidate.entry.official_id]
        strict = Matcher([record for record in wanted if record.key in identified], plain, is_complete=False).match()
        used = {entry.pk for entry in strict.values()}
        left = [candidate for candidate in candidates if candidate.entry.pk not in used]
        loose = Matcher([record for record in wanted if record.key not in identified], left, self.is_complete).match()
        return found | strict | loose

    def _candidate(self, entry: Entry) -> Candidate | None:
        chain = self.job.chains[entry]
        wording = chain.wording(self.job.on)
        if wording is None:
            return None
        last_word = chain.begins_by(self.job.on or self.job.today)
        return Candidate(
            entry=entry,
            number=fold_key(wording.title),
            text=text_key(wording.title, wording.body),
            in_line=True,
            last_word=entry.pk in self.in_line and last_word,
            ended=chain.has_ended(self.job.on),
        )

    def _create(self, found: dict[str, Entry]) -> set[int]:
        """Create questions that are new, add them to `found`; return their ids."""
        missing = [(str(at), record) for at, record in enumerate(self.records) if str(at) not in found]
        faqs = [
            FaqEntry(
                kind=Kind.FAQ,
                ruleset=self.job.ruleset,
                source=self.job.source,
                lines=as_lines(record.lines),
                sort_key=record.sort_key[:120],
                official_id=record.official_id,
                url=record.url,
            )
            for _key, record in missing
        ]
        if self.job.until is not None and self.job.until <= self.job.today:
            for faq in faqs:
                set_ended(faq, self.job.until, NOT_LISTED)
        FaqEntry.objects.bulk_create(faqs, batch_size=200)
        self.job.chains.begin(faqs)
        found.update({key: faq for (key, _record), faq in zip(missing, faqs, strict=True)})
        self.job.changes.created(*faqs)
        self.job.report.faqs.created += len(faqs)
        return {faq.pk for faq in faqs}

    def _write(self, record: FaqRecord, entry: Entry, is_new: bool) -> None:
        job, chain = self.job, self.job.chains[entry]
        wording = Wording(record.question, record.answer, verdict=record.verdict.value)
        wording = chain.in_known_lines(wording, record.published or job.on)
        on = self._on(record, chain, wording)
        is_present = chain.is_present(on, job.until)
        revision = chain.write(wording, on, job.until, **job.facts(as_lines(record.lines)))
        if is_new:
            self.revised.append(entry)
            if revision is not None and revision.due_on is not None:
                set_announced(entry, revision.due_on)
                self.changed[entry.pk] = entry
            if job.until is not None:
                chain.delete(job.until, reason=NOT_LISTED, editor=job.editor)
            return
        if is_present:
            self._update_fields(record, entry, revision)
        if revision is None:
            job.report.faqs.unchanged += 1
            return
        self.revised.append(entry)
        job.changes.updated(entry)
        job.report.faqs.edited += 1

    def _on(self, record: FaqRecord, chain: Chain, wording: Wording) -> date | None:
        """From when the answer holds: its own date, else the document's.

        An answer that changed under its old date was changed later: on the document's date, else today.
        """
        own = record.published or self.job.on
        if self._comes_back(chain):
            return self.job.on or self.job.today
        holder = chain.on(own)
        if holder is None or not holder.is_text or Wording.of(holder) == wording:
            return own
        known = chain.last_text
        if known is not None and Wording.of(known) == wording:
            return known.effective_on  # changed on a later day, as known already
        if holder.effective_on != own:
            return own
        changed = self.job.on or self.job.today
        return changed if own is None or changed > own else self.job.today

    def _comes_back(self, chain: Chain) -> bool:
        """Whether a list or document has again what an earlier one had left out; what an editor ended stays ended."""
        last = chain.last
        return last is not None and last.source_id is not None and chain.has_ended(self.job.on or self.job.today)

    def _update_fields(self, record: FaqRecord, entry: Entry, revision: Revision | None) -> None:
        before = (entry.official_id, entry.url, entry.sort_key)
        entry.official_id = record.official_id or entry.official_id
        entry.url = record.url or entry.url
        entry.sort_key = record.sort_key[:120]
        if revision is not None:
            entry.source, entry.lines = self.job.source, as_lines(record.lines)
            set_current(entry)
        elif before[:2] != (entry.official_id, entry.url):
            self.job.changes.updated(entry)
        if revision is not None or before != (entry.official_id, entry.url, entry.sort_key):
            self.changed[entry.pk] = entry

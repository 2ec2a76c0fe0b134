"""Which entries the sections of a document are: by their texts, else by their numbers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from rulings.importers.records import SectionRecord
from rulings.models import Entry, RuleSection, Status
from rulings.services.comparing import Comparison, comparable
from rulings.services.context import Import
from rulings.services.matching import Candidate, Matcher, Wanted, text_key
from rulings.services.wordings import begin_of
from rulings.text.books import Regrouping


class SectionMatching:
    """The sections of a ruleset beside those of a document."""

    def __init__(self, job: Import, records: Sequence[SectionRecord], in_line: set[int], is_complete: bool) -> None:
        self.job, self.records, self.is_complete = job, records, is_complete
        self.in_line = in_line
        self.known = list(RuleSection.objects.filter(ruleset=job.ruleset).order_by("pk"))
        self.replaced: dict[int, Entry] = {}  # those whose number another section has now
        self.regrouped: list[Regrouping] = []  # splits and merges that the texts show
        job.chains.load(self.known)

    @property
    def compares(self) -> bool:
        """Whether the document is compared text by text: a complete one, whatever its form."""
        return self.is_complete

    def _match(self) -> dict[str, Entry]:
        compared, matched = self._compare()
        wanted = [
            Wanted(record.number, record.number, text_key(record.title, record.body), record.level.value)
            for record in self.records
            if record.number not in matched
        ]
        candidates = [found for entry in self.known if (found := self._candidate(entry)) is not None]
        # Under one number what held on the day comes first, then what holds today.
        candidates.sort(key=lambda c: (self.job.chains[c.entry].on(self.job.on) is None, not c.entry.is_live))
        left = [candidate for candidate in candidates if candidate.entry.pk not in compared]
        return matched | Matcher(wanted, left, self.is_complete).match()

    def _compare(self) -> tuple[set[int], dict[str, Entry]]:
        """Compare a complete document, text by text, with what is known: the entries compared, and those found."""
        if not self.compares:
            return set(), {}
        job = self.job
        own = [entry for entry in self.known if entry.pk in self.in_line]
        comparison = Comparison(comparable(own, job.chains, job.on), job.chains, job.on, job.same)
        # What is known to bear a number on that day keeps it: only the others may have moved there.
        rest = [entry for entry in self.known if entry.pk not in comparison.compared]
        held = {one.number for entry in rest if (one := job.chains[entry].on(job.on)) is not None and one.is_text}
        found = comparison.match([record for record in self.records if record.number not in held], job.report)
        self._keep_numbers(found, comparison.compared)
        self.regrouped = comparison.regrouped
        return comparison.compared, found

    def _keep_numbers(self, found: dict[str, Entry], compared: set[int]) -> None:
        """A number goes to another rule only when the old one ends with this very document, and to one with a text."""
        self._yield_numbers(found)
        holders = {entry.number: entry for entry in self._free(found, compared)}
        for record in self.records:
            holder = holders.get(record.number)
            if holder is None:
                continue
            if record.number not in found and not (self._may_end(holder) and (record.title or record.body)):
                found[record.number] = holder
            elif holder.is_live and self._may_end(holder) and not self.job.is_ahead:
                self.replaced[holder.pk] = holder

    def _free(self, found: Mapping[str, Entry], compared: set[int]) -> Iterator[Entry]:
        """The sections compared that no record was found to be, and that have a number today or will."""
        taken = {entry.pk for entry in found.values()}
        for entry in self.known:
            if entry.pk in compared and entry.pk not in taken and (entry.is_live or entry.status == Status.ANNOUNCED):
                yield entry

    def _yield_numbers(self, found: dict[str, Entry]) -> None:
        """Where a section found by its text would bear a number that another goes on to bear, the number decides."""
        bearers: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.known:
            for number in {text.number for text in self.job.chains[entry].texts}:
                bearers[number].append(entry)
        taken = {entry.pk for entry in found.values()}
        settled: set[str] = set()  # each number is decided once
        yielded = True
        while yielded:  # whoever yields may stand in the way of the next
            yielded = False
            for number, entry in [pair for pair in found.items() if pair[0] not in settled]:
                free = (other for other in bearers[number] if other.pk not in taken)
                holder = next((other for other in free if self._goes_on(other, number, entry)), None)
                if holder is not None:
                    found[number], yielded = holder, True
                    taken = taken - {entry.pk} | {holder.pk}
                    settled.add(number)

    def _goes_on(self, other: Entry, number: str, entry: Entry) -> bool:
        """Whether `other` bears a number while `entry` would, and the document does not end it."""
        chain, on = self.job.chains[other], self.job.on
        if not chain.bears(number, on, self._end_of(entry)):
            return False
        return not (self.is_complete and other.pk in self.in_line and self._may_end(other))

    def _end_of(self, entry: Entry) -> date:
        """Until when what the document says of an entry would hold."""
        return min(self.job.chains[entry].end_from(self.job.on), self.job.until or date.max)

    def _may_end(self, entry: Entry) -> bool:
        """Whether the document can end the entry on its day: nothing is known after it, and it began before."""
        chain, on = self.job.chains[entry], self.job.on or self.job.today
        holder = chain.on(on)
        began_before = holder is not None and begin_of(holder) < on
        return began_before and chain.begins_by(self.job.on) and self.job.until is None

    def _candidate(self, entry: Entry) -> Candidate | None:
        chain = self.job.chains[entry]
        wording = chain.wording(self.job.on)
        if wording is None:
            return None
        last_word = chain.begins_by(self.job.on)
        return Candidate(
            entry=entry,
            number=wording.number,
            text=text_key(wording.title, wording.body),
            level=entry.level,
            in_line=entry.pk in self.in_line,
            last_word=last_word,
            ended=chain.has_ended(self.job.on),
        )

"""Which sections the records of a complete rule book are, by their texts and places; what is doubtful is asked.

The comparison itself is `text.books`; here its answers become entries, and its doubts questions for the editor.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from rulings.importers.records import SectionRecord
from rulings.models import Entry, Revision
from rulings.services.chain_sets import Chains
from rulings.services.chains import Chain
from rulings.services.reports import ImportReport
from rulings.services.wordings import begin_of
from rulings.text.books import BookDiff, Doubt, Regrouping, SectionText, compare_books
from rulings.text.numbers import parse_number

NEW = ""  # the answer of an editor that a section is a new one


def comparable(entries: Iterable[Entry], chains: Chains, on: date | None) -> list[Entry]:
    """The entries that a full text of a day can be compared with: no document tells of them before and after it."""
    return [entry for entry in entries if _is_comparable(chains[entry], on)]


def _is_comparable(chain: Chain, on: date | None) -> bool:
    if chain.wording(on) is None or chain.has_ended(on):
        return False
    return chain.begins_by(on) or chain.on(on) is None


class Comparison:
    """The sections known on a day beside the records of a book. `same`: number in the book → number known, or NEW."""

    def __init__(self, entries: Sequence[Entry], chains: Chains, on: date | None, same: Mapping[str, str]) -> None:
        self.entries = {entry.pk: entry for entry in entries}
        told = [(entry, wording) for entry in entries if (wording := chains[entry].wording(on)) is not None]
        # Of several that bore a number, the one that was known first is nearest to a day before all of them: it is
        # found under the number, the others by their texts only.
        first: dict[str, tuple[Entry, Revision]] = {}
        for entry, wording in sorted(told, key=lambda pair: (begin_of(pair[1]), pair[0].pk)):
            free = wording.number if wording.number not in first else f"{wording.number}#{entry.pk}"
            first[free] = entry, wording
        self.old = {
            number: _text(number, wording, entry.pk)
            for number, (entry, wording) in sorted(first.items(), key=lambda item: _place(item[1][0], item[0]))
        }
        self.same = same
        self.regrouped: list[Regrouping] = []

    @property
    def compared(self) -> set[int]:
        """The entries about which the comparison decides."""
        return {text.identity for text in self.old.values() if text.identity is not None}

    def match(self, records: Sequence[SectionRecord], report: ImportReport) -> dict[str, Entry]:
        """The entry of each record that has one; doubts are told to `report` and decided by number, else as new."""
        diff = compare_books(
            list(self.old.values()), [self._record(at, record) for at, record in enumerate(records, 1)]
        )
        pairs = [*diff.edited, *diff.moved, *diff.renumbered, *diff.unchanged]
        found = {pair.new.key: self.entries[pair.old.identity or 0] for pair in pairs}
        self._decide(diff, found, report)
        self.regrouped = diff.regrouped
        return found

    def _record(self, at: int, record: SectionRecord) -> SectionText:
        examples = tuple(example.text for example in record.examples)
        return SectionText(record.number, record.title, record.body, examples, self._identity(at, record.number))

    def _identity(self, at: int, number: str) -> int | None:
        """What the editor has said that the section is: an entry, or none that is known."""
        if number not in self.same:
            return None
        known = self.old.get(self.same[number])
        return known.identity if known is not None else -at

    def _decide(self, diff: BookDiff, found: dict[str, Entry], report: ImportReport) -> None:
        taken = {entry.pk for entry in found.values()}
        for doubt in diff.doubtful:
            beside = next((one.old for one in doubt.candidates if one.old.key == doubt.new.key), None)
            if beside is not None and beside.identity not in taken:
                found[doubt.new.key] = self.entries[beside.identity or 0]
                taken.add(beside.identity or 0)
            report.doubtful.append(_question(doubt, beside.key if beside else NEW))


def _place(entry: Entry, key: str) -> tuple[str, int]:
    parsed = parse_number(key.partition("#")[0])
    return parsed.sort_key if parsed else entry.sort_key, entry.pk


def _text(number: str, wording: Revision, identity: int) -> SectionText:
    examples = tuple(example["text"] for example in wording.examples)
    return SectionText(number, wording.title, wording.body, examples, identity)


def _question(doubt: Doubt, taken_for: str) -> dict[str, object]:
    return {
        "number": doubt.new.key,
        "title": doubt.new.title or doubt.new.body[:40],
        "taken_for": taken_for,
        "candidates": [
            {"number": one.old.key, "title": one.old.title or one.old.body[:40], "score": one.score}
            for one in doubt.candidates
        ],
    }

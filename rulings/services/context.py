"""One import under way: what it reads into, as of when, and what it has touched so far."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone

from rulings.importers.records import Form
from rulings.models import Amendment, AmendmentGroup, Entry, Revision, Ruleset, Source
from rulings.services.chain_sets import Chains
from rulings.services.changes import ChangeLog
from rulings.services.reports import ImportReport
from rulings.services.safeguards import ImportImpossibleError, ImportRefusedError, Losses
from rulings.services.wordings import begin_of, end_of
from rulings.text.fold import fold_key

# An amendment goes on where the rule book ended: both are one line of documents.
_BOOK = (Form.NUMBERED.value, Form.AMENDMENT.value)


@dataclass(slots=True)
class Import:
    """`on`: from when the document holds, None when unknown. `until`: when the next complete document of the same
    line began to hold, None when this is the newest; what an older document says is history from then on.
    """

    ruleset: Ruleset
    source: Source
    on: date | None
    report: ImportReport
    until: date | None = None
    amendment: Amendment | None = None
    groups: list[AmendmentGroup] = field(default_factory=list)
    editor: AbstractBaseUser | None = None
    same: Mapping[str, str] = field(default_factory=dict)  # number in the document → number known, "" for new
    changes: ChangeLog = field(default_factory=ChangeLog)
    chains: Chains = field(default_factory=Chains)
    written: list[Revision] = field(default_factory=list)
    touched_sections: set[int] = field(default_factory=set)  # edited in substance, moved or ended: citing ones doubt
    losses: Losses = field(default_factory=Losses)
    entries: dict[str, int] = field(default_factory=dict)  # key of a record in the account → id of its entry

    @property
    def today(self) -> date:
        return timezone.localdate()

    @property
    def is_ahead(self) -> bool:
        """Whether the document holds only from a day to come: nothing of it changes today."""
        return self.on is not None and self.on > self.today

    def visible(self, keys: Iterable[str]) -> list[int]:
        """The ids of the entries behind keys of the account; after a dry run new ones do not exist."""
        ids = dict.fromkeys(self.entries[key] for key in keys if key in self.entries)
        return [pk for pk in ids if not self.report.dry_run or pk not in self.changes.new_entries]

    def facts(self, lines: list[list[int]], group: int | None = None) -> dict[str, Any]:
        """The fields of a revision that this import writes, beside its wording and dates."""
        own = self.groups[group] if group is not None and group < len(self.groups) else None
        return {
            "source": self.source,
            "amendment": self.amendment,
            "group": own,
            "is_editorial": own is not None and own.is_editorial,
            "lines": lines,
            "editor": self.editor,
        }


def object_to_losses(job: Import, *, allow_ending: bool = False) -> None:
    """Refuse what cannot be, and unless `allow_ending` what takes away too much; the transaction ends with the error.

    A dry run only tells.
    """
    _refuse(job, ImportImpossibleError(job.losses.impossibility()), "number_shared")
    if not allow_ending:
        _refuse(job, ImportRefusedError(job.losses.objection()), "would_be_refused")


def _refuse(job: Import, objection: ImportRefusedError, code: str) -> None:
    if str(objection) and not job.report.dry_run:
        raise objection
    if str(objection):
        job.report.warn(code, f"このままでは取り込みません。{objection}")


def note_shared_numbers(job: Import, entries: Iterable[Entry]) -> None:
    """Note the numbers that two sections would bear on one day, by what is about to be saved."""
    bearers: dict[str, list[tuple[Revision, bool]]] = defaultdict(list)
    for entry in entries:
        chain = job.chains[entry]
        for text in chain.texts:
            if text.number:
                bearers[text.number].append((text, chain.is_about_to_save(text)))
    for number, texts in bearers.items():
        texts.sort(key=lambda pair: begin_of(pair[0]))
        for (one, is_new), (other, is_other_new) in pairwise(texts):
            if begin_of(other) < end_of(one) and (is_new or is_other_new):
                job.losses.shared.append(number)


def line_of(source: Source) -> tuple[str, ...]:
    """What names the line of documents that a source belongs to, within its ruleset.

    A ruleset has one rule book: complete books and the amendments between them are one line. Pages and outlines are
    a line each with their title, without its digits and marks (a version, a date). Lists stand alone.
    """
    if source.form in _BOOK:
        return ("book",)
    title = "".join(char for char in fold_key(source.title) if not char.isdigit())
    return (source.form, title)


def same_line(one: Source | None, other: Source) -> bool:
    """Whether two sources of a ruleset are versions of one document: only then may one end what the other said.

    Two pages are the same line when both have an address and it is the same, or when one has none and the titles
    are alike.
    """
    if one is None or not one.form or not other.form:
        return False
    if one.form not in _BOOK and one.form == other.form and one.url and other.url:
        return one.url == other.url
    return line_of(one) == line_of(other)


def sources_in_line(source: Source) -> list[Source]:
    """The sources of the same ruleset and line, saved before, oldest first (without their texts)."""
    earlier = Source.objects.filter(ruleset=source.ruleset).exclude(pk=source.pk).defer("text", "account")
    return [other for other in earlier.order_by("pk") if same_line(other, source)]


def entries_by_source(entries: Iterable[Entry], sources: Iterable[Source]) -> set[int]:
    """The ids of those entries whose latest wording came from one of the sources."""
    ids = {source.pk for source in sources}
    return {entry.pk for entry in entries if entry.source_id in ids}

"""What follows when a full text shows that rules were split or merged: lineages, and where the ended ones lead."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulings.models import Entry, LineageKind
from rulings.services.context import Import
from rulings.services.lineages import keep_lineages
from rulings.services.revisions import set_ended
from rulings.text.books import Regrouping


@dataclass(frozen=True, slots=True)
class Regrouped:
    """The entries `before` became the entries `after`, in the order of time."""

    before: tuple[Entry, ...]
    after: tuple[Entry, ...]

    @property
    def kind(self) -> LineageKind:
        return LineageKind.SPLIT if len(self.before) == 1 else LineageKind.MERGE

    def pairs(self) -> Iterator[tuple[Entry, Entry]]:
        for before in self.before:
            for after in self.after:
                if before.pk != after.pk:
                    yield before, after


def entries_regrouped(
    job: Import, found: Sequence[Regrouping], known: Mapping[int, Entry], by_key: Mapping[str, Entry]
) -> list[Regrouped]:
    """The entries of what a comparison found; `by_key`: those of the sections of the document.

    What a document of the past shows goes the other way: what it has became what is known.
    """
    regrouped = []
    for one in found:
        old = tuple(known[section.identity] for section in one.before if section.identity is not None)
        new = tuple(by_key[section.key] for section in one.after)
        regrouped.append(Regrouped(new, old) if job.until is not None else Regrouped(old, new))
    return regrouped


def keep_regrouped(job: Import, regrouped: Sequence[Regrouped]) -> dict[int, tuple[str, Entry]]:
    """Keep the lineages; return for each entry that goes on only in others the reason of its end and the first one."""
    on = job.until or job.on
    if on is None:
        return {}
    ends: dict[int, tuple[str, Entry]] = {}
    for one in regrouped:
        facts = {"on": on, "amendment": job.amendment, "editor": job.editor, "changes": job.changes}
        keep_lineages(one.kind, one.pairs(), **facts)  # type: ignore[arg-type]
        going_on = {entry.pk for entry in one.after}
        for entry in one.before:
            if entry.pk not in going_on:
                ends[entry.pk] = reason_of(job, one), one.after[0]
        job.report.regrouped.append(
            {
                "kind": one.kind.value,
                "before": [_number_before(job, entry) for entry in one.before],
                "after": [_number_after(job, entry) for entry in one.after],
            }
        )
    return ends


def end_past(job: Import, entry: Entry, reason: str, successor: Entry) -> None:
    """An entry of the past, which ended when the next full text began, leads to what it became."""
    if job.until is None or entry.is_live:
        return
    last = job.chains[entry].last
    if last is not None and not last.is_text and last.effective_on == job.until:
        last.reason, last.successor = reason, successor
        set_ended(entry, job.until, reason, successor)
        entry.save(update_fields=["status", "status_on", "status_reason", "superseded_by"])


def reason_of(job: Import, one: Regrouped) -> str:
    numbers = "、".join(_number_after(job, entry) for entry in one.after)
    what = "に分かれました" if one.kind == LineageKind.SPLIT else "にまとめられました"
    title = "" if job.until is not None else f"「{job.source.title}」で "
    return f"{title}{numbers} {what}。"


def _number_before(job: Import, entry: Entry) -> str:
    """The number that an entry bore last before the regrouping."""
    on = job.until or job.on
    chain = job.chains[entry]
    earlier = [one for one in chain.texts if one.effective_on is None or (on is not None and one.effective_on < on)]
    return (earlier[-1].number if earlier else "") or entry.number


def _number_after(job: Import, entry: Entry) -> str:
    holder = job.chains[entry].on(job.until or job.on)
    return (holder.number if holder is not None else "") or entry.number

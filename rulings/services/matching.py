"""Which entries the records of a document are: pure comparison, nothing is saved.

For the questions of documents and lists, and for sections where `comparing` has not decided: an amendment names its
rules by number. A record and an entry belong together, the surest first, when
1. they have the same number and say the same;
2. they say the same at different numbers, and nothing else says it (the section moved);
3. they have the same number (the section was edited) – a rule number is the same rule in the whole ruleset, a
   slug only within one line of documents, where two pages may both have a section called はじめに;
4. they say nearly the same (edited and moved): what is left over of a complete document and of the entries;
5. the entry had ended under that number, and the record says nearly the same again.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from rapidfuzz import fuzz, process

from rulings.models import Entry, Level
from rulings.text.fold import fold_key
from rulings.text.likeness import ComparedText, Passages
from rulings.text.numbers import parse_number

SIMILAR = 85.0  # per cent of the folded text
_SLICE = 200  # texts compared with all others at once
_ALL = 1_000_000  # pairs that are all compared (a second); of more, those that share rare passages
_SHORT = 6  # a folded text of fewer characters (総則) says too little to be known by

_Item = TypeVar("_Item")


@dataclass(slots=True)
class Candidate:
    """An entry that a record may be, with the wording to compare."""

    entry: Entry
    number: str
    text: str
    level: str = ""
    in_line: bool = True  # from the same line of documents as the record
    last_word: bool = True  # nothing is known of the entry after the document's date
    ended: bool = False  # ended by the document's date


@dataclass(slots=True)
class Wanted:
    """A record that looks for its entry: `key` identifies it."""

    key: str
    number: str
    text: str
    level: str = ""


@dataclass(slots=True)
class Matcher:
    """Pairs off records and candidates; `found` maps the key of a record to its entry."""

    records: list[Wanted]
    candidates: list[Candidate]
    is_complete: bool = True
    found: dict[str, Entry] = field(default_factory=dict)
    _taken: set[int] = field(default_factory=set)

    def match(self) -> dict[str, Entry]:
        live = [candidate for candidate in self.candidates if not candidate.ended]
        movable = [candidate for candidate in live if candidate.in_line and candidate.last_word]
        self._pair(live, lambda thing: (thing.number, thing.text))
        if self.is_complete:
            self._pair_unique(movable)
        self._pair([c for c in live if c.in_line or parse_number(c.number)], lambda thing: thing.number)
        if self.is_complete:
            self._pair_similar(movable)
        self._revive([candidate for candidate in self.candidates if candidate.ended])
        return self.found

    def _take(self, record: Wanted, candidate: Candidate) -> None:
        self.found[record.key] = candidate.entry
        self._taken.add(candidate.entry.pk)

    def _open(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        return [candidate for candidate in candidates if candidate.entry.pk not in self._taken]

    def _missing(self) -> list[Wanted]:
        return [record for record in self.records if record.key not in self.found]

    def _pair(self, candidates: Sequence[Candidate], key: Callable[[Wanted | Candidate], object]) -> None:
        by_key: dict[object, list[Candidate]] = defaultdict(list)
        for candidate in self._open(candidates):
            by_key[key(candidate)].append(candidate)
        for record in self._missing():
            for candidate in by_key.get(key(record), []):
                if candidate.entry.pk not in self._taken:
                    self._take(record, candidate)
                    break

    def _pair_unique(self, candidates: Sequence[Candidate]) -> None:
        def key(thing: Wanted | Candidate) -> tuple[str, str]:
            return thing.level, thing.text

        open_candidates = _unique(self._open(candidates), key)
        for text, record in _unique(self._missing(), key).items():
            if text in open_candidates and len(record.text) >= _SHORT:
                self._take(record, open_candidates[text])

    def _pair_similar(self, candidates: Sequence[Candidate]) -> None:
        """Pair what is left level by level, the most alike first."""
        for level in ["", *Level.values]:
            records = [r for r in self._missing() if r.level == level and len(r.text) >= _SHORT]
            left = [c for c in self._open(candidates) if c.level == level and len(c.text) >= _SHORT]
            if not records or not left:
                continue
            found = _alike([record.text for record in records], [c.text for c in left])
            pairs = sorted(found, key=lambda pair: (-pair[0], *pair[1:]))
            for _score, row, column in pairs:
                if records[row].key not in self.found and left[column].entry.pk not in self._taken:
                    self._take(records[row], left[column])

    def _revive(self, ended: Sequence[Candidate]) -> None:
        by_number: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in self._open(ended):
            by_number[candidate.number].append(candidate)
        for record in self._missing():
            for candidate in by_number.get(record.number, []):
                alike = fuzz.ratio(record.text, candidate.text) >= SIMILAR
                if alike and candidate.entry.pk not in self._taken:
                    self._take(record, candidate)
                    break


def _alike(texts: Sequence[str], others: Sequence[str]) -> Iterator[tuple[float, int, int]]:
    """Yield (score, place, place) of texts that are nearly the same.

    Of many, only those that share rare passages are compared: the work grows with their number, not with its square.
    """
    if len(texts) * len(others) <= _ALL:
        yield from _alike_of_all(texts, others)
        return
    nearby = Passages({at: ComparedText(text) for at, text in enumerate(others)})
    for at, text in enumerate(texts):
        for near in nearby.nearest(ComparedText(text)):
            score = fuzz.ratio(text, others[near], score_cutoff=SIMILAR)
            if score:
                yield score, at, near


def _alike_of_all(texts: Sequence[str], others: Sequence[str]) -> Iterator[tuple[float, int, int]]:
    """Yield (score, place, place) of texts that are nearly the same, by comparing all.

    The table of scores is made in slices: of two books of 20,000 rules it would fill the memory. Texts whose lengths
    differ more than nearly the same ones can are not compared.
    """
    order = sorted(range(len(others)), key=lambda at: len(others[at]))
    lengths = [len(others[at]) for at in order]
    least = SIMILAR / (200.0 - SIMILAR)  # of two lengths, the shorter to the longer
    rows = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    for start in range(0, len(rows), _SLICE):
        some = rows[start : start + _SLICE]
        low = bisect_left(lengths, len(texts[some[0]]) * least - 1)
        high = bisect_right(lengths, len(texts[some[-1]]) / least + 1)
        near = order[low:high]
        if not near:
            continue
        scores = process.cdist(
            [texts[at] for at in some], [others[at] for at in near], scorer=fuzz.ratio, score_cutoff=SIMILAR
        )
        for row, column in zip(*scores.nonzero(), strict=True):
            yield float(scores[row, column]), some[row], near[column]


def _unique(items: Sequence[_Item], key: Callable[[_Item], object]) -> dict[object, _Item]:
    groups: dict[object, list[_Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return {text: found[0] for text, found in groups.items() if len(found) == 1}


def text_key(title: str, body: str) -> str:
    """The text by which wordings are compared: folded, without marks and spaces."""
    return fold_key(f"{title}\n{body}")

"""Find which section of an old rule book became which of a new one.

Sure ways first: the same entry, the same text under one number or another, the same text beside a section that is
known. What is left is compared with the few sections that share rare passages with it or stand where it should
stand, so the work grows with the length of the books, not with its square.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulings.text.fold import fold
from rulings.text.likeness import ComparedText, Passages
from rulings.text.numbers import parse_number

# Scores from 0 to 1. In its place a text is the same rule when it is RELATED, elsewhere only when it is ALIKE.
ALIKE = 0.8
RELATED = 0.5
ALIKE_DOUBT = 0.6
RELATED_DOUBT = 0.4
MARGIN = 0.05  # two candidates that are closer than this are not told apart by their text
_LONG = 6  # a folded text of this length, found once in each book, is recognised under any number
_ROUNDS = 2  # what the first round finds gives places to the second


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section in one state of its book. `key` is its number or slug, `identity` its entry's id where known."""

    key: str
    title: str = ""
    body: str = ""
    examples: tuple[str, ...] = ()
    identity: int | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """An old section that a new one may come from; the score goes from 0 to 1 (the same text)."""

    old: SectionText
    score: float


@dataclass(frozen=True, slots=True)
class _Likeness:
    old: int
    new: int
    score: float
    in_place: bool

    @property
    def rank(self) -> tuple[float, int, int]:
        return self.score + 2 * MARGIN * self.in_place, -self.new, -self.old

    def reaches(self, alike: float, related: float) -> bool:
        return self.score >= (related if self.in_place else alike)


def text_of(section: SectionText) -> str:
    """Return all that a section says, a line for each part."""
    return "\n".join((section.title, section.body, *section.examples))


def pair_sections(
    old: Sequence[SectionText], new: Sequence[SectionText]
) -> tuple[dict[int, int], dict[int, list[Candidate]]]:
    """Return the index of the new section for that of the old one, and what may be the origin of the undecided."""
    matcher = _Matcher(_Book(old), _Book(new))
    matcher.match_identities()
    matcher.match_texts()
    doubts: dict[int, list[_Likeness]] = {}
    for _round in range(_ROUNDS):
        known = len(matcher.to_new)
        doubts = matcher.match_likenesses()
        if len(matcher.to_new) == known:
            break
    candidates = {to: [Candidate(old[one.old], round(one.score, 3)) for one in ones] for to, ones in doubts.items()}
    return matcher.to_new, candidates


class _Book:
    """A state of a book, with what is looked up in it."""

    def __init__(self, sections: Sequence[SectionText]) -> None:
        self.sections = sections
        self.at = {section.key: index for index, section in enumerate(sections)}
        self.identities = {section.identity: at for at, section in enumerate(sections) if section.identity is not None}
        known = sum(section.identity is not None for section in sections)
        if len(self.at) != len(sections) or len(self.identities) != known:
            raise ValueError("a key or an identity stands twice in one state of a book")
        self.raw = [text_of(section) for section in sections]

    @cached_property
    def parents(self) -> list[int | None]:
        """The nearest section above each one that is in the book."""
        return [next((self.at[key] for key in _above(s.key) if key in self.at), None) for s in self.sections]


def _above(key: str) -> Iterator[str]:
    """Yield the keys above `key`, nearest first: 301.5, 301 for 301.5a; 基本 for 基本-1."""
    number = parse_number(key)
    if number is None:
        while "-" in key:
            key = key.rpartition("-")[0]
            yield key
    else:
        while (number := number.parent) is not None:
            yield str(number)


class _Matcher:
    """Pairs the sections of two books, surest first."""

    def __init__(self, old: _Book, new: _Book) -> None:
        self.old, self.new = old, new
        self.to_new: dict[int, int] = {}
        self.to_old: dict[int, int] = {}
        self._texts: dict[str, ComparedText] = {}

    def match_identities(self) -> None:
        for identity, at in self.old.identities.items():
            if identity in self.new.identities:
                self._pair(at, self.new.identities[identity])

    def match_texts(self) -> None:
        """Pair sections whose folded texts are equal: found once, beside a pair, where expected, the last one left."""
        self._pair_unique()
        self._spread()
        for at in self._open_old():
            for key in (self._expected(at), self.old.sections[at].key):
                self._pair_equal(at, self.new.at.get(key, -1))
        self._spread()
        self._pair_unique()

    def match_likenesses(self) -> dict[int, list[_Likeness]]:
        """Pair sections by similar texts; return the likenesses of new sections that stay undecided, best first."""
        likenesses = sorted(self._likenesses(), key=lambda one: one.rank, reverse=True)
        by_old, by_new = defaultdict(list), defaultdict(list)
        for one in likenesses:
            by_old[one.old].append(one)
            by_new[one.new].append(one)
        contested: set[int] = set()
        for one in likenesses:
            if not self._is_open(one.old, one.new) or not one.reaches(ALIKE, RELATED) or one.new in contested:
                continue
            rivals = [rival for rival in by_old[one.old] + by_new[one.new] if rival != one and self._rivals(one, rival)]
            if rivals:
                contested |= {one.new, *(rival.new for rival in rivals)}
            else:
                self._pair(one.old, one.new)
        doubts = {to: [one for one in ones if self._in_doubt(one)] for to, ones in by_new.items()}
        return {to: ones for to, ones in doubts.items() if ones}

    def _rivals(self, one: _Likeness, rival: _Likeness) -> bool:
        """Whether the text of `rival` is as near as that of `one`, and its place says no less."""
        is_near = one.score - rival.score < MARGIN and rival.in_place >= one.in_place
        return is_near and self._is_open(rival.old, rival.new)

    def _in_doubt(self, one: _Likeness) -> bool:
        return self._is_open(one.old, one.new) and one.reaches(ALIKE_DOUBT, RELATED_DOUBT)

    def _pair(self, at: int, to: int) -> None:
        self.to_new[at], self.to_old[to] = to, at

    def _pair_equal(self, at: int, to: int) -> None:
        inside = 0 <= at < len(self.old.raw) and 0 <= to < len(self.new.raw)
        if inside and self._is_open(at, to) and self._old_text(at).folded == self._new_text(to).folded:
            self._pair(at, to)

    def _is_open(self, at: int, to: int) -> bool:
        """Whether both are unpaired and not known to be two entries."""
        if at in self.to_new or to in self.to_old:
            return False
        return None in (self.old.sections[at].identity, self.new.sections[to].identity)

    def _open_old(self) -> list[int]:
        return [at for at in range(len(self.old.raw)) if at not in self.to_new]

    def _open_new(self) -> list[int]:
        return [to for to in range(len(self.new.raw)) if to not in self.to_old]

    def _pair_unique(self) -> None:
        """Pair texts that stand once among the open sections of either book; short ones under one number only."""
        groups: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for at in self._open_old():
            groups[self._old_text(at).folded][0].append(at)
        for to in self._open_new():
            groups[self._new_text(to).folded][1].append(to)
        for text, (olds, news) in groups.items():
            if len(olds) == len(news) == 1:
                same_key = self.old.sections[olds[0]].key == self.new.sections[news[0]].key
                if (same_key or len(text) >= _LONG) and self._is_open(olds[0], news[0]):
                    self._pair(olds[0], news[0])

    def _spread(self) -> None:
        """Pair equal texts that stand right after, or right before, a pair."""
        for step, order in ((1, sorted(self.to_new)), (-1, sorted(self.to_new, reverse=True))):
            for start in order:
                at = start
                while at in self.to_new and at + step not in self.to_new:
                    self._pair_equal(at + step, self.to_new[at] + step)
                    at += step

    def _expected(self, at: int) -> str:
        """The key that a section should have now: children follow their parents."""
        if at in self.to_new:
            return self.new.sections[self.to_new[at]].key
        key, parent = self.old.sections[at].key, self.old.parents[at]
        return key if parent is None else self._expected(parent) + key[len(self.old.sections[parent].key) :]

    def _likenesses(self) -> Iterator[_Likeness]:
        """Yield how like each open old section is to the open new ones worth a look."""
        votes = self._votes()
        nearby = Passages({to: self._new_text(to) for to in self._open_new()})
        for at in self._open_old():
            text = self._old_text(at)
            places = self._places(at)
            for to in {*places, *votes[at], *nearby.nearest(text)}:
                if self._is_open(at, to):
                    score = max(text.likeness(self._new_text(to)), votes[at].get(to, 0))
                    yield self._judge(at, to, score, to in places or to in votes[at])

    def _judge(self, at: int, to: int, score: float, in_place: bool) -> _Likeness:
        """Raise the score for a title kept in its place; a short text in another place decides nothing."""
        title = self.old.sections[at].title
        if in_place and title and title == self.new.sections[to].title:
            score = max(score, RELATED)
        elif not in_place and len(self._new_text(to).folded) < _LONG:
            score = min(score, ALIKE_DOUBT)
        return _Likeness(at, to, score, in_place)

    def _places(self, at: int) -> set[int]:
        """Where a section should stand now: under its expected key, or beside what stood beside it."""
        places = {self.new.at.get(self._expected(at), -1)}
        for beside, step in ((at - 1, 1), (at + 1, -1)):
            places.add(self.to_new.get(beside, -2) + step)
        return {to for to in places if 0 <= to < len(self.new.raw)}

    def _votes(self) -> Mapping[int, Mapping[int, float]]:
        """For each parent, the share of its children (of both books) that stand under another parent now."""
        olds, news = Counter(self.old.parents), Counter(self.new.parents)
        common = Counter((self.old.parents[at], self.new.parents[to]) for at, to in self.to_new.items())
        votes: defaultdict[int, dict[int, float]] = defaultdict(dict)
        for (at, to), count in common.items():
            share = count / max(olds[at], news[to])
            if at is not None and to is not None and share >= RELATED:
                votes[at][to] = share
        return votes

    def _old_text(self, at: int) -> ComparedText:
        return self._text(self.old.raw[at])

    def _new_text(self, to: int) -> ComparedText:
        return self._text(self.new.raw[to])

    def _text(self, raw: str) -> ComparedText:
        if raw not in self._texts:
            self._texts[raw] = ComparedText(fold(raw).text)
        return self._texts[raw]

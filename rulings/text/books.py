"""What changed between two states of a rule book: added, deleted, edited, moved, renumbered.

A number may be reused: which section became which is found by `pairing`; here each pair gets its name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulings.text.fold import fold
from rulings.text.numbers import parse_number
from rulings.text.pairing import Candidate, SectionText, pair_sections, text_of
from rulings.text.regrouping import Regrouping, find_regroupings

__all__ = ["BookDiff", "Candidate", "Doubt", "Pair", "Regrouping", "SectionText", "compare_books"]

# A rule or a chapter in a folded text; shorter numbers count things.
_CITED = re.compile(r"(?<![\d.])(\d{1,4}\.\d{1,3}[a-z]{0,2}|\d{3,4})(?![\d]|\.\d)")


@dataclass(frozen=True, slots=True)
class Pair:
    """A section before and after. `is_edited`: the text says something else, beyond citations that follow a move."""

    old: SectionText
    new: SectionText
    is_edited: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """A new section that may be one of some old ones, best first; nothing was decided about any of them."""

    new: SectionText
    candidates: tuple[Candidate, ...]


@dataclass(slots=True)
class BookDiff:
    """The sections of two states of a book; each section stands in one list.

    Only an old section that is a candidate may stand in several doubts. `moved` pairs may be edited as well.
    `unchanged` pairs may be spelled differently where the site's fold does not care (width, spaces).
    """

    added: list[SectionText] = field(default_factory=list)
    deleted: list[SectionText] = field(default_factory=list)
    edited: list[Pair] = field(default_factory=list)
    moved: list[Pair] = field(default_factory=list)
    renumbered: list[Pair] = field(default_factory=list)
    unchanged: list[Pair] = field(default_factory=list)
    doubtful: list[Doubt] = field(default_factory=list)
    regrouped: list[Regrouping] = field(default_factory=list)  # splits and merges of sections that stand above too


def compare_books(old: Sequence[SectionText], new: Sequence[SectionText]) -> BookDiff:
    """Return what became of each section; ValueError when a key or an identity stands twice in one state.

    Sections come in the order of their book: neighbours help to recognise one another. Lists are in the order of
    the new book, `deleted` in that of the old one.
    """
    pairs, doubts = pair_sections(old, new)
    regrouped = find_regroupings(old, new, pairs) if any(one.identity is None for one in new) else []
    _go_on(regrouped, old, new, pairs, doubts)
    moves = {old[at].key: new[to].key for at, to in pairs.items() if old[at].key != new[to].key}
    origins = {to: at for at, to in pairs.items()}
    asked = {candidate.old.key for candidates in doubts.values() for candidate in candidates}
    deleted = [section for at, section in enumerate(old) if at not in pairs and section.key not in asked]
    diff = BookDiff(deleted=deleted, regrouped=regrouped)
    for to, section in enumerate(new):
        if to in origins:
            _name_pair(diff, old[origins[to]], section, moves)
        elif to in doubts:
            diff.doubtful.append(Doubt(section, tuple(doubts[to])))
        else:
            diff.added.append(section)
    return diff


def _go_on(
    regrouped: Sequence[Regrouping],
    old: Sequence[SectionText],
    new: Sequence[SectionText],
    pairs: dict[int, int],
    doubts: dict[int, list[Candidate]],
) -> None:
    """Of sections that were split or merged, the one that keeps its number goes on; no part is in doubt any more."""
    olds, news = ({one.key: at for at, one in enumerate(book)} for book in (old, new))
    paired = set(pairs.values())
    for one in regrouped:
        for key in {before.key for before in one.before} & {after.key for after in one.after}:
            if olds[key] not in pairs and news[key] not in paired:
                pairs[olds[key]] = news[key]
                paired.add(news[key])
        for after in one.after:
            doubts.pop(news[after.key], None)


def _name_pair(diff: BookDiff, old: SectionText, new: SectionText, moves: Mapping[str, str]) -> None:
    """Enter a pair into the list that says what happened to it."""
    before, after = text_of(old), text_of(new)
    if before != after:
        before, after = fold(before).text, fold(after).text
    follows = before != after and _follows(before, after, moves)
    is_edited = before != after and not follows
    if old.key != new.key:
        diff.moved.append(Pair(old, new, is_edited))
    elif is_edited:
        diff.edited.append(Pair(old, new, is_edited=True))
    else:
        (diff.renumbered if follows else diff.unchanged).append(Pair(old, new))


def _follows(before: str, after: str, moves: Mapping[str, str]) -> bool:
    """Tell whether folded texts differ only in cited numbers, each the new number of the one before."""
    old, new = _CITED.split(before), _CITED.split(after)
    if not moves or len(old) != len(new) or old[::2] != new[::2]:
        return False
    cited = zip(old[1::2], new[1::2], strict=True)
    return all(number == now or _moved(number, moves) == now for number, now in cited)


def _moved(number: str, moves: Mapping[str, str]) -> str:
    """Return where `number` went, by itself or with the section above it."""
    for above in _upwards(number):
        if above in moves:
            return moves[above] + number[len(above) :]
    return number


def _upwards(number: str) -> Iterator[str]:
    parsed = parse_number(number)
    while parsed is not None:
        yield str(parsed)
        parsed = parsed.parent

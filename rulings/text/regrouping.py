"""Find sections of a rule book that were split into several, or merged into one.

A section is part of another when most of its text stands in the other one, and does not stand any more in what the
other one became. Only sections that share rare passages are compared.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulings.text.fold import fold
from rulings.text.likeness import ComparedText, Passages
from rulings.text.pairing import SectionText, text_of

PART = 0.6  # share of a part's passages that stand in the whole
WHOLE = 0.6  # share of the whole's passages that stand in its parts together
OWN = 0.4  # share of a part's passages that no other part of the whole has
_TELLING = 12  # a text with fewer passages stands in many others by chance


@dataclass(frozen=True, slots=True)
class Regrouping:
    """The sections `before` became the sections `after`: one became several, or several one."""

    before: tuple[SectionText, ...]
    after: tuple[SectionText, ...]


def find_regroupings(
    old: Sequence[SectionText], new: Sequence[SectionText], pairs: Mapping[int, int]
) -> list[Regrouping]:
    """Return the splits and merges; `pairs`: index of the new section for that of the old one it goes on from."""
    texts = {id(one): ComparedText(fold(text_of(one)).text) for one in (*old, *new)}
    splits = _divided(old, new, pairs, texts)
    merges = _divided(new, old, {to: at for at, to in pairs.items()}, texts)
    return [
        *(Regrouping((old[at],), tuple(new[to] for to in parts)) for at, parts in splits.items()),
        *(Regrouping(tuple(old[at] for at in parts), (new[to],)) for to, parts in merges.items()),
    ]


def _divided(
    wholes: Sequence[SectionText],
    others: Sequence[SectionText],
    pairs: Mapping[int, int],
    texts: Mapping[int, ComparedText],
) -> dict[int, list[int]]:
    """The sections among `wholes` whose text stands in several of `others`, with the places of these."""
    changed = {
        at: texts[id(one)]
        for at, one in enumerate(wholes)
        if at not in pairs or texts[id(one)].folded != texts[id(others[pairs[at]])].folded
    }
    nearby, paired = Passages(changed), set(pairs.values())
    parts: defaultdict[int, list[int]] = defaultdict(list)
    for to, other in enumerate(others):
        part = texts[id(other)]
        if to in paired or len(part.shingles) < _TELLING:
            continue
        shares = {at: _share(part, changed[at], _kept(at, others, pairs, texts)) for at in nearby.nearest(part)}
        best = max(shares, key=lambda at: (shares[at], -at), default=None)
        if best is not None and shares[best] >= PART:
            parts[best].append(to)
    found = {}
    for at, own in sorted(parts.items()):
        together = sorted({*own, pairs[at]}) if at in pairs else own
        if len(together) > 1 and _divide(changed[at], [texts[id(others[to])] for to in together]):
            found[at] = together
    return found


def _kept(
    at: int, others: Sequence[SectionText], pairs: Mapping[int, int], texts: Mapping[int, ComparedText]
) -> frozenset[str]:
    """The passages that stand in what a section itself became."""
    return texts[id(others[pairs[at]])].shingles if at in pairs else frozenset()


def _share(part: ComparedText, whole: ComparedText, kept: frozenset[str]) -> float:
    return len((part.shingles & whole.shingles) - kept) / len(part.shingles)


def _divide(whole: ComparedText, parts: Sequence[ComparedText]) -> bool:
    """Whether the parts together are the whole, and each brings something of its own."""
    counts = Counter(passage for part in parts for passage in part.shingles & whole.shingles)
    own = [sum(counts[passage] == 1 for passage in part.shingles) for part in parts]
    brings = all(count >= OWN * len(part.shingles) for count, part in zip(own, parts, strict=True))
    return brings and len(counts) >= WHOLE * len(whole.shingles)

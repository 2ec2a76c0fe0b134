"""The difference of two wordings, word by word, cleaned up for a reader.

`diff_words` finds the fewest changed words, then moves the borders of a change to where a reader expects them
(an item of a list with its own brackets) and joins changes that only a particle holds apart.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from rulings.text.fold import fold
from rulings.text.tokens import split_words

# The exact comparison takes a bit per pair of words; above this many pairs (50 MB) the texts are cut first.
_MAX_PAIRS = 400_000_000
_CUTS = 3  # how many times a part may be cut again


class Op(StrEnum):
    """What became of a piece; GAP is an equal stretch that is not shown."""

    EQUAL = "equal"
    DELETE = "delete"
    INSERT = "insert"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text and what became of it."""

    op: Op
    text: str


@dataclass(slots=True)
class _Hunk:
    """A change: words `[old, old_end)` became words `[new, new_end)`."""

    old: int
    old_end: int
    new: int
    new_end: int


def same_reading(old: str, new: str) -> bool:
    """Tell whether the texts differ at most in what the site's fold forgets (width, spaces, dashes, kana kind)."""
    return old == new or fold(old).text == fold(new).text


def diff_words(old: str, new: str) -> list[Piece]:
    """Return the pieces that turn `old` into `new`, each deletion before the insertion that replaces it.

    Equal and deleted pieces joined are `old`, equal and inserted ones `new`; no piece is empty.
    """
    if old == new:
        return [Piece(Op.EQUAL, old)] if old else []
    before, after = split_words(old), split_words(new)
    hunks = _find(before, after)
    _settle(hunks, before, after)
    return list(_pieces(before, after, _join(hunks, before)))


def fold_context(pieces: Iterable[Piece], keep: int = 20) -> list[Piece]:
    """Replace the middle of long equal stretches by a gap, which holds the text it hides.

    About `keep` characters, in whole words, stay beside each change; a text without any change keeps its beginning.
    A gap hides at least `keep` characters.
    """
    whole = list(pieces)
    folded: list[Piece] = []
    for at, piece in enumerate(whole):
        if piece.op is not Op.EQUAL:
            folded.append(piece)
            continue
        words = split_words(piece.text)
        head = _reach(words, keep) if at or len(whole) == 1 else 0
        tail = len(words) - (_reach(words[::-1], keep) if at < len(whole) - 1 else 0)
        hidden = "".join(words[head:tail])
        if head < tail and len(hidden) >= keep:
            parts = (Op.EQUAL, words[:head]), (Op.GAP, words[head:tail]), (Op.EQUAL, words[tail:])
            folded += [Piece(op, "".join(part)) for op, part in parts if part]
        else:
            folded.append(piece)
    return folded


def _reach(words: Sequence[str], length: int) -> int:
    """Return how many words it takes to hold `length` characters."""
    count = 0
    while length > 0 and count < len(words):
        length -= len(words[count])
        count += 1
    return count


def _find(before: Sequence[str], after: Sequence[str]) -> list[_Hunk]:
    """Return the fewest changes, in order, with equal words between any two."""
    ids: dict[str, int] = {}
    old, new = ([ids.setdefault(word, len(ids)) for word in words] for words in (before, after))
    hunks: list[_Hunk] = []
    for start, end, new_start, new_end in _parts(old, new, 0, 0, _CUTS):
        if (end - start) * (new_end - new_start) > _MAX_PAIRS:
            _append(hunks, _Hunk(start, end, new_start, new_end))
            continue
        for code in LCSseq.opcodes(old[start:end], new[new_start:new_end]):
            if code.tag != "equal":
                ends = start + code.src_end, new_start + code.dest_end
                _append(hunks, _Hunk(start + code.src_start, ends[0], new_start + code.dest_start, ends[1]))
    return hunks


def _append(hunks: list[_Hunk], hunk: _Hunk) -> None:
    if hunks and hunks[-1].old_end == hunk.old and hunks[-1].new_end == hunk.new:
        hunks[-1].old_end, hunks[-1].new_end = hunk.old_end, hunk.new_end
    else:
        hunks.append(hunk)


def _parts(old: list[int], new: list[int], at: int, new_at: int, cuts: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield ranges of the texts to compare by themselves: all of them, or what lies between words found once only."""
    if len(old) * len(new) <= _MAX_PAIRS or not cuts:
        yield at, at + len(old), new_at, new_at + len(new)
        return
    anchors = [(-1, -1), *_anchors(old, new), (len(old), len(new))]
    for (left, new_left), (right, new_right) in pairwise(anchors):
        start, new_start = left + 1, new_left + 1
        inner, new_inner = old[start:right], new[new_start:new_right]
        yield from _parts(inner, new_inner, at + start, new_at + new_start, cuts - 1 if len(anchors) > 2 else 0)


def _anchors(old: list[int], new: list[int]) -> list[tuple[int, int]]:
    """Return the longest rising chain of words that stand once in either text (patience)."""
    counts, new_counts = Counter(old), Counter(new)
    places = {word: at for at, word in enumerate(new) if new_counts[word] == 1}
    found = [(at, places[word]) for at, word in enumerate(old) if counts[word] == 1 and word in places]
    tops: list[int] = []
    last: list[int] = []
    links: list[int] = []
    for index, (_, place) in enumerate(found):
        pile = bisect_left(tops, place)
        links.append(last[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [place]
        last[pile : pile + 1] = [index]
    chain: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(found[index])
        index = links[index]
    return chain[::-1]


def _settle(hunks: list[_Hunk], before: Sequence[str], after: Sequence[str]) -> None:
    """Slide pure insertions and deletions over the equal words around them to where they read best."""
    for index, hunk in enumerate(hunks):
        if hunk.old == hunk.old_end:
            words, start, end = after, hunk.new, hunk.new_end
        elif hunk.new == hunk.new_end:
            words, start, end = before, hunk.old, hunk.old_end
        else:
            continue
        lower = hunk.old - (hunks[index - 1].old_end if index else 0)
        upper = (hunks[index + 1].old if index + 1 < len(hunks) else len(before)) - hunk.old_end
        left = right = 0
        while left < lower and words[start - left - 1] == words[end - left - 1]:
            left += 1
        while right < upper and words[start + right] == words[end + right]:
            right += 1
        by = max(range(-left, right + 1), key=partial(_fitness, words, start, end))
        hunks[index] = _Hunk(hunk.old + by, hunk.old_end + by, hunk.new + by, hunk.new_end + by)


def _fitness(words: Sequence[str], start: int, end: int, by: int) -> tuple[int, int]:
    """How well the words `[start, end)` read as a change when moved `by` words; staying wins a tie."""
    return _seam(words, start + by) + _seam(words, end + by), -abs(by)


def _seam(words: Sequence[str], at: int) -> int:
    """How natural a cut before `words[at]` is."""
    if at in (0, len(words)):
        return 6
    left, right = words[at - 1], words[at]
    if left == "\n" or right == "\n":
        return 5
    if left in "。！？":
        return 4
    if left in "、，,・" or right in "「『（(《":
        return 3
    if left in "」』）)》":
        return 2
    return 0 if _is_light(right) or left in "「『（(《" or right in "。、，」』）)》" else 1


def _join(hunks: list[_Hunk], before: Sequence[str]) -> list[_Hunk]:
    """Join replacements that nothing of weight holds apart."""
    joined: list[_Hunk] = []
    for hunk in hunks:
        while joined and _is_one(joined[-1], hunk, before[joined[-1].old_end : hunk.old]):
            first = joined.pop()
            hunk = _Hunk(first.old, hunk.old_end, first.new, hunk.new_end)  # noqa: PLW2901
        joined.append(hunk)
    return joined


def _is_one(left: _Hunk, right: _Hunk, island: Sequence[str]) -> bool:
    if not island:
        return True
    if any(char in "。\n" for word in island for char in word):
        return False
    old = left.old_end - left.old + right.old_end - right.old
    new = left.new_end - left.new + right.new_end - right.new
    is_light = len(island) == 1 and _is_light(island[0])
    return bool(old and new) and (is_light or len(island) * 4 <= min(old, new))


def _is_light(word: str) -> bool:
    """Whether a word is a particle, an ending or a mark: nothing that a change could be read by."""
    return len(word) <= 2 and all("ぁ" <= char <= "ゖ" or not char.isalnum() for char in word)


def _pieces(before: Sequence[str], after: Sequence[str], hunks: Sequence[_Hunk]) -> Iterator[Piece]:
    at = 0
    for hunk in [*hunks, _Hunk(len(before), len(before), len(after), len(after))]:
        parts = (
            (Op.EQUAL, before[at : hunk.old]),
            (Op.DELETE, before[hunk.old : hunk.old_end]),
            (Op.INSERT, after[hunk.new : hunk.new_end]),
        )
        yield from (Piece(op, "".join(part)) for op, part in parts if part)
        at = hunk.old_end

"""Words that a text puts in quotation marks beside a citation, and whether they are the cited words.

Pure: which citation cites what, and what that says, is looked up elsewhere.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from rulings.text.diffs import Op, Piece, diff_words, same_reading
from rulings.text.fold import Folded, squeeze
from rulings.text.tokens import split_words

SHORTEST = 8  # letters: what is shorter is a term (「出た時」), not a quotation
LONGEST = 1_000
ALIKE = 55.0  # percent: below this the words are not a changed form of the passage but other words

_PAIRS = {"「": "」", "『": "』", "“": "”", '"': '"', "｢": "｣"}
_CUT = re.compile(r"…+|‥+|\.{3,}|・{3,}|[（(〔\[](?:前略|中略|後略|略)[）)〕\]]")
_QUOTED_LINES = re.compile(r"(?:^[ \t　]*[>＞][^\n]*(?:\n|\Z))+", re.MULTILINE)
_QUOTE_MARK = re.compile(r"^[ \t　]*[>＞][ \t　]?", re.MULTILINE)
# What may stand between a quotation and the citation behind it: 「…」（総合ルール 117.2）, 「…」― 117.2
_TO_CITATION = re.compile(
    r"[ \t　]*(?:[（(\[]|[―—–-]+|(?:と|という|とは)?、?[ \t　]*(?:出典|引用元|参照)[:：]?)[ \t　]*"
)
_PARAGRAPH = re.compile(r"\n[ \t　]*\n")


@dataclass(frozen=True, slots=True)
class Quotation:
    """Quoted words at `start:end` of a text (marks not included); `citation` is the index of what they belong to."""

    text: str
    start: int
    end: int
    citation: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Quoted words beside the passage they come nearest to; `diff` turns the passage into the quotation."""

    same: bool
    passage: str
    likeness: float  # 0 … 100
    diff: tuple[Piece, ...]


def find_quotations(text: str, spans: Sequence[tuple[int, int]]) -> list[Quotation]:
    """Return the quotations of `text`, each with the citation it belongs to; `spans` are those, in order.

    A quotation belongs to the citation right behind it in brackets or after a dash, else to the last one before it
    in its paragraph (a quotation set off by `>` may have a paragraph of its own). One without either is left out.
    """
    breaks = [match.start() for match in _PARAGRAPH.finditer(text)]
    starts, ends = [start for start, _end in spans], [end for _start, end in spans]
    found = []
    for start, end, after, blocks in _quoted(text):
        if (start, end) in spans or any(start - 1 == one and end + 1 == other for one, other in spans):
            continue  # a name in quotes is a citation itself
        owner = _behind(text, after, starts)
        if owner is None:
            last = bisect_right(ends, start) - 1
            crossed = bisect_left(breaks, start) - bisect_left(breaks, ends[last]) if last >= 0 else 0
            owner = last if last >= 0 and crossed <= blocks else None
        if owner is not None and not any(start <= one < end and other > end for one, other in spans):
            found.append(Quotation(text[start:end], start, end, owner))
    return found


def _quoted(text: str) -> Iterable[tuple[int, int, int, int]]:
    """Yield (start, end, place behind the marks, paragraphs it may stand away) of the outermost quotations."""
    at = 0
    closings = _closings(text)
    blocks = [match.span() for match in _QUOTED_LINES.finditer(text)]
    for start, end in blocks:
        if len(squeeze(text[start:end]).text) >= SHORTEST:
            yield start, end, end, 1
    while at < len(text):
        end = closings.get(at, 0)
        if end and not any(start <= at < stop for start, stop in blocks):
            if len(squeeze(text[at + 1 : end]).text) >= SHORTEST:
                yield at + 1, end, end + 1, 0
            at = end + 1
        else:
            at += 1


def _closings(text: str) -> dict[int, int]:
    """Return where the mark stands that closes each opening one, for those that are closed in time; one pass."""
    found: dict[int, int] = {}
    opened: dict[str, list[int]] = {close: [] for close in _PAIRS.values()}
    for at, letter in enumerate(text):
        waiting = opened.get(letter)
        if waiting:
            start = waiting.pop()
            if at - start < LONGEST:
                found[start] = at
        if letter in _PAIRS:
            opened[_PAIRS[letter]].append(at)
    return found


def _behind(text: str, after: int, starts: list[int]) -> int | None:
    joint = _TO_CITATION.match(text, after)
    if joint is None:
        return None
    index = bisect_left(starts, after)
    return index if index < len(starts) and starts[index] == joint.end() else None


def plain(quotation: str) -> str:
    """Return the words of a quotation without the marks that set its lines off."""
    return _QUOTE_MARK.sub("", quotation).strip()


def compare(quotation: str, wordings: Iterable[str]) -> Comparison:
    """Compare quoted words with the texts they may come from; an ellipsis stands for any words left out.

    The site's fold decides what is the same: width, spaces, dashes and kinds of kana are no change of a word.
    """
    words = plain(quotation)
    parts = [part for part in _CUT.split(words) if squeeze(part).text]
    best = Comparison(False, "", 0.0, ())
    for wording in wordings:
        found = _compare(words, parts, wording)
        if found.same:
            return found
        if found.likeness > best.likeness:
            best = found
    return best


def _compare(words: str, parts: list[str], wording: str) -> Comparison:
    folded = squeeze(wording)
    spans = _in_order([squeeze(part).text for part in parts], folded)
    if spans:
        return Comparison(True, wording[spans[0][0] : spans[-1][1]], 100.0, ())
    if not folded.text or not parts:
        return Comparison(False, "", 0.0, ())
    passages, pieces, scores = [], [], []
    for part in parts:
        passage, score = _nearest(part, wording, folded)
        passages.append(passage)
        scores.append(score * len(part))
        pieces += _difference(passage, part)
    likeness = sum(scores) / sum(map(len, parts))
    passage = "…".join(passages)
    return Comparison(False, passage, round(likeness, 1), tuple(pieces) if likeness >= ALIKE else ())


def _in_order(parts: list[str], folded: Folded) -> list[tuple[int, int]]:
    """Return where each part stands behind the one before it, in the original; nothing unless all do."""
    at = 0
    found: list[tuple[int, int]] = []
    for part in parts:
        place = folded.text.find(part, at)
        if place < 0:
            return []
        at = place + len(part)
        found.append(folded.original_span(place, at))
    return found


def _nearest(part: str, wording: str, folded: Folded) -> tuple[str, float]:
    """Return the passage of `wording` that `part` comes nearest to, and how near (0 … 100)."""
    key = squeeze(part).text
    if len(key) >= len(folded.text):
        return wording, fuzz.ratio(key, folded.text)
    found = fuzz.partial_ratio_alignment(key, folded.text)
    if found is None or found.dest_end <= found.dest_start:
        return "", 0.0
    start, end = _widened(key, folded.text, found.dest_start, found.dest_end)
    first, last = _whole_words(wording, *folded.original_span(start, end))
    return wording[first:last], fuzz.ratio(key, folded.text[start:end])


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Move the borders of a passage outwards to the borders of words."""
    at, first, last = 0, start, end
    for word in split_words(text):
        if at < start < at + len(word):
            first = at
        if at < end < at + len(word):
            last = at + len(word)
        at += len(word)
    return first, last


def _widened(key: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Move the borders of a passage to where the fewest edits lead to `key` (its ends may be changed words)."""
    reach = min(60, max(12, len(key) // 3))
    for _round in range(2):
        start = min(
            range(max(0, start - reach), min(end - 1, start + reach) + 1),
            key=lambda at: (Levenshtein.distance(key, text[at:end]), abs(at - start)),
        )
        end = min(
            range(max(start + 1, end - reach), min(len(text), end + reach) + 1),
            key=lambda at: (Levenshtein.distance(key, text[start:at]), abs(at - end)),
        )
    return start, end


def _difference(passage: str, part: str) -> list[Piece]:
    """Return what turns the passage into the quoted words; what the fold forgets is no difference."""
    pieces: list[Piece] = []
    for piece in diff_words(passage.rstrip("。 \n"), part.strip("。 \n")):
        last = pieces[-1] if pieces else None
        if piece.op is Op.INSERT and last and last.op is Op.DELETE and same_reading(last.text, piece.text):
            pieces[-1] = Piece(Op.EQUAL, last.text)
        else:
            pieces.append(piece)
    return pieces

"""Excerpts of a text around what was found, with exact spans of the original."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rulings.text.fold import Folded, squeeze

LENGTH = 120
_BREAKS = "。！？!?\n"
_SOFT_BREAKS = "、，,；;：: 　」』）)"
_CLOSING = "」』）)】］]》〉"  # belong to what stands before them


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of a text; `spans` are the marked ranges within `snippet`, in order, none overlapping."""

    snippet: str
    spans: list[tuple[int, int]]


@lru_cache(maxsize=2_000)
def _squeezed(text: str) -> Folded:
    return squeeze(text)


def find_spans(text: str, needles: Iterable[str], folded: Folded | None = None) -> list[tuple[int, int]]:
    """Return the ranges of `text` whose squeezed form is one of the squeezed `needles`, merged, in order."""
    folded = folded or _squeezed(text)
    found: list[tuple[int, int]] = []
    for needle in {needle for needle in needles if needle}:
        at = folded.text.find(needle)
        while at >= 0:
            found.append(folded.original_span(at, at + len(needle)))
            at = folded.text.find(needle, at + len(needle))
    return _merged(found)


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def excerpt(text: str, needles: Iterable[str], length: int = LENGTH, *, opening: bool = False) -> Excerpt:
    """Return the stretch of about `length` characters that holds most of the needles; the first one if `opening`."""
    spans = find_spans(text, needles)
    start = 0 if opening else _start(text, _densest(spans, length), length)
    end = _end(text, start, length)
    inside = [(max(one, start) - start, min(other, end) - start) for one, other in spans if one < end and other > start]
    return Excerpt(text[start:end], inside)


def _densest(spans: list[tuple[int, int]], length: int) -> int:
    """Return where a window of `length` holds most marked characters."""
    best, where, last, held = 0, 0, 0, 0
    for first, (start, end) in enumerate(spans):
        last = max(last, first)
        while last < len(spans) and spans[last][1] <= start + length:
            held += spans[last][1] - spans[last][0]
            last += 1
        if held > best:
            best, where = held, start
        if last > first:
            held -= end - start
    return where


def _start(text: str, at: int, length: int) -> int:
    """Return a good place to begin, before `at`: a sentence's beginning, else after a comma, else a little before."""
    if at <= length // 4:
        return 0
    earliest = max(0, at - length // 2)
    for breaks in (_BREAKS, _SOFT_BREAKS):
        cut = max(text.rfind(char, earliest, at) for char in breaks)
        if cut >= 0:
            return min(_past_closing(text, cut + 1), at)
    return max(0, at - length // 4)


def _end(text: str, start: int, length: int) -> int:
    """Return a good place to end: after a sentence in the last third, else after a comma, else at `length`."""
    if len(text) - start <= length:
        return len(text)
    for breaks in (_BREAKS, _SOFT_BREAKS):
        cut = max(text.rfind(char, start + 2 * length // 3, start + length) for char in breaks)
        if cut >= 0:
            return _past_closing(text, cut + 1)
    return start + length


def _past_closing(text: str, at: int) -> int:
    while at < len(text) and text[at] in _CLOSING:
        at += 1
    return at

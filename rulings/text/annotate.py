"""A text and spans in it become segments: what stands between the marks and what is marked.

Pure: what a mark means (a link, a highlight) is the caller's business.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Span(Generic[T]):
    """A marked range `[start, end)` of a text, with what it is marked as."""

    start: int
    end: int
    value: T


@dataclass(frozen=True, slots=True)
class Segment(Generic[T]):
    """A piece of a text; `value` is None outside of marks."""

    text: str
    value: T | None = None


def clean_spans(length: int, spans: Iterable[Span[T]]) -> list[Span[T]]:
    """Return the spans that can be shown in a text of `length`: in order, inside it, none over another.

    Of spans that overlap, the one that begins first stays; of those that begin together, the longest. Empty spans
    and spans that reach over the end (the text was edited under them) are left out: a wrong mark is worse than none.
    """
    inside = (span for span in spans if 0 <= span.start < span.end <= length)
    kept: list[Span[T]] = []
    for span in sorted(inside, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def annotate(text: str, spans: Iterable[Span[T]], start: int = 0, end: int | None = None) -> list[Segment[T]]:
    """Cut `text[start:end]` at the spans, whose offsets count from the beginning of `text`.

    A span that crosses the border of the range is shown in part. The segments joined are the range again.
    """
    end = len(text) if end is None else end
    segments: list[Segment[T]] = []
    at = start
    for span in clean_spans(len(text), spans):
        first, last = max(span.start, start), min(span.end, end)
        if first >= last:
            continue
        if at < first:
            segments.append(Segment(text[at:first]))
        segments.append(Segment(text[first:last], span.value))
        at = last
    if at < end:
        segments.append(Segment(text[at:end]))
    return segments

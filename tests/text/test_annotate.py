"""A text and spans in it become segments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.text.annotate import Span, annotate, clean_spans


@pytest.mark.parametrize(
    ("spans", "shown"),
    [
        ([], "カードを引く"),
        ([(0, 3, "a")], "[カード]を引く"),
        ([(3, 4, "b"), (0, 3, "a")], "[カード][を]引く"),
        ([(0, 6, "all")], "[カードを引く]"),
        # of spans that overlap the first stays, of those that begin together the longest
        ([(0, 3, "a"), (2, 5, "b")], "[カード]を引く"),
        ([(0, 2, "short"), (0, 3, "long")], "[カード]を引く"),
        ([(0, 3, "outer"), (1, 2, "inner")], "[カード]を引く"),
        # what cannot stand in the text is left out
        ([(2, 2, "empty")], "カードを引く"),
        ([(4, 9, "over the end")], "カードを引く"),
        ([(-1, 2, "before the start")], "カードを引く"),
        ([(3, 1, "backwards")], "カードを引く"),
    ],
)
def test_spans_become_segments(spans: list[tuple[int, int, str]], shown: str) -> None:
    segments = annotate("カードを引く", [Span(*span) for span in spans])
    assert "".join(f"[{each.text}]" if each.value else each.text for each in segments) == shown


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [(0, 4, ["ab", "cd"]), (2, 6, ["cd", "ef"]), (3, 4, ["d"]), (4, 4, []), (6, 8, ["gh"])],
)
def test_a_range_shows_what_reaches_into_it(start: int, end: int, shown: list[str]) -> None:
    spans = [Span(2, 6, "mark")]
    pieces = [each.text for each in annotate("abcdefgh", spans, start, end)]
    assert "".join(pieces) == "abcdefgh"[start:end]
    assert pieces == (["cdef"] if (start, end) == (2, 6) else shown)


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(-5, 50), st.integers(-5, 50), st.integers(1, 9))))
def test_no_character_is_lost_or_doubled(text: str, raw: list[tuple[int, int, int]]) -> None:
    spans = [Span(*each) for each in raw]
    assert "".join(each.text for each in annotate(text, spans)) == text
    kept = clean_spans(len(text), spans)
    assert all(first.end <= second.start for first, second in zip(kept, kept[1:], strict=False))

"""How a wording is drawn: paragraphs, bullets, tables, and links where it cites something."""

from collections.abc import Iterable
from dataclasses import dataclass

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from rulings.models import CrossReference, Place, Revision
from rulings.text.annotate import Span, annotate
from rulings.text.blocks import Block, BlockKind, Item, Range, parse_blocks
from rulings.text.diffs import Op, Piece, diff_words, fold_context

register = template.Library()

CONTEXT = 40  # characters of unchanged text that stay beside a change


@dataclass(frozen=True, slots=True)
class Mark:
    """What a range of a text is: a link to `href`, a citation of something not registered yet, or a highlight."""

    kind: str
    href: str = ""
    title: str = ""


@register.simple_tag
def prose(revision: Revision | None) -> SafeString:
    """Draw the body of a wording."""
    return draw_blocks(revision.body, marks_of(revision, Place.BODY)) if revision else SafeString("")


@register.simple_tag
def prose_title(revision: Revision | None) -> SafeString:
    """Draw the title of a wording on one line."""
    return draw_line(revision.title, marks_of(revision, Place.TITLE)) if revision else SafeString("")


@register.simple_tag
def prose_example(revision: Revision, index: int) -> SafeString:
    """Draw an example of a wording."""
    return draw_blocks(revision.examples[index]["text"], marks_of(revision, Place.EXAMPLE, index))


@register.simple_tag
def prose_before(before: Revision, after: Revision | None, field: str = "body") -> SafeString:
    """Draw a field of the earlier wording with what the later one takes away."""
    old = getattr(before, field)
    spans = _changed(old, getattr(after, field), Op.DELETE) if after else []
    return draw_blocks(old, spans)


@register.simple_tag
def prose_after(after: Revision, before: Revision | None, field: str = "body") -> SafeString:
    """Draw a field of the later wording with what it adds."""
    new = getattr(after, field)
    spans = _changed(getattr(before, field), new, Op.INSERT) if before else []
    return draw_blocks(new, spans)


def _changed(old: str, new: str, op: Op) -> list[Span[Mark]]:
    """The ranges of `old` that were deleted, or of `new` that were inserted."""
    spans: list[Span[Mark]] = []
    at = 0
    for piece in diff_words(old, new):
        if piece.op not in (op, Op.EQUAL):
            continue
        if piece.op == op:
            spans.append(Span(at, at + len(piece.text), Mark(op.value)))
        at += len(piece.text)
    return spans


@register.simple_tag
def word_diff(before: Revision | None, after: Revision | None, field: str = "body") -> SafeString:
    """Draw what a field of a wording became, word by word; long unchanged stretches are folded."""
    old, new = (getattr(revision, field) if revision else "" for revision in (before, after))
    return draw_diff(old, new)


@register.simple_tag
def word_diff_examples(before: Revision | None, after: Revision | None) -> list[tuple[str, SafeString]]:
    """The examples of two wordings that differ, paired by their labels."""
    old, new = ({e["label"]: e["text"] for e in revision.examples} if revision else {} for revision in (before, after))
    labels = [*new, *(label for label in old if label not in new)]
    return [
        (label, draw_diff(old.get(label, ""), new.get(label, "")))
        for label in labels
        if old.get(label) != new.get(label)
    ]


@register.simple_tag
def draw_diff(old: str, new: str) -> SafeString:
    """Draw one text with what was taken away and added; an added or deleted text stands whole."""
    pieces = diff_words(old, new)
    drawn = [_draw_piece(piece) for piece in (fold_context(pieces, CONTEXT) if old and new else pieces)]
    return mark_safe("".join(drawn))  # noqa: S308 - every piece is escaped


def _draw_piece(piece: Piece) -> SafeString:
    lines = mark_safe("<br>".join(conditional_escape(line) for line in piece.text.split("\n")))  # noqa: S308 - escaped
    if piece.op is Op.GAP:
        return format_html('<span class="gap" title="{}">…</span>', _("変わらない部分を省きました"))
    tag = {Op.DELETE: "del", Op.INSERT: "ins"}.get(piece.op)
    return format_html("<{0}>{1}</{0}>", tag, lines) if tag else lines


@register.filter
def plain(text: str) -> SafeString:
    """Draw a text in its shape, without links."""
    return draw_blocks(text, [])


def marks_of(revision: Revision, place: Place, example: int = 0) -> list[Span[Mark]]:
    """Return the marks of what `revision` cites in one of its fields."""
    return [
        Span(reference.start, reference.end, mark_of(reference))
        for reference in revision.references.all()
        if reference.place == place and reference.example == example
    ]


def mark_of(reference: CrossReference) -> Mark:
    """Return how a citation is drawn."""
    if reference.entry is not None:
        entry = reference.entry
        return Mark(reference.kind, entry.get_absolute_url(), f"{entry.ruleset} {reference.entry.number}".strip())
    if reference.card is not None:
        return Mark("card", reference.card.get_absolute_url())
    if reference.kind == "card":
        return Mark("card-unknown", title=_("このカードはまだ登録されていません"))
    return Mark("unknown", title=_("この規則はまだ登録されていません"))


def draw_line(text: str, spans: Iterable[Span[Mark]], line: Range | None = None) -> SafeString:
    """Draw a range of a text with its marks."""
    line = line or Range(0, len(text))
    pieces = [
        _draw_mark(segment.text, segment.value) if segment.value else conditional_escape(segment.text)
        for segment in annotate(text, spans, line.start, line.end)
    ]
    return mark_safe("".join(pieces))  # noqa: S308 - every piece is escaped


def _draw_mark(text: str, mark: Mark) -> SafeString:
    if mark.href:
        title = format_html(' title="{}"', mark.title) if mark.title else ""
        return format_html('<a class="cite cite-{}" href="{}"{}>{}</a>', mark.kind, mark.href, title, text)
    tag = {"hit": "mark", Op.DELETE.value: "del", Op.INSERT.value: "ins"}.get(mark.kind)
    if tag:
        return format_html("<{0}>{1}</{0}>", tag, text)
    return format_html('<span class="cite-{}" title="{}">{}</span>', mark.kind, mark.title, text)


def draw_blocks(text: str, spans: Iterable[Span[Mark]]) -> SafeString:
    """Draw a whole text in its shape."""
    spans = list(spans)
    return mark_safe("".join(_draw_block(text, spans, block) for block in parse_blocks(text)))  # noqa: S308 - escaped


def _draw_block(text: str, spans: list[Span[Mark]], block: Block) -> SafeString:
    if block.kind == BlockKind.LIST:
        return _draw_items(text, spans, block.items)
    if block.kind == BlockKind.TABLE:
        return _draw_table(text, spans, block.rows)
    lines = mark_safe("\n".join(draw_line(text, spans, line) for line in block.lines))  # noqa: S308 - escaped
    if block.kind == BlockKind.DIAGRAM:
        return format_html('<pre class="diagram">{}</pre>', lines)
    return format_html("<p{}>{}</p>", mark_safe(' class="note"') if block.kind == BlockKind.NOTE else "", lines)


def _draw_items(text: str, spans: list[Span[Mark]], items: list[Item]) -> SafeString:
    drawn = []
    for item in items:
        lines = "<br>".join(draw_line(text, spans, line) for line in item.lines)
        drawn.append(f"<li>{lines}{_draw_items(text, spans, item.items) if item.items else ''}</li>")
    return mark_safe(f'<ul class="bullets">{"".join(drawn)}</ul>')  # noqa: S308 - every line is escaped


def _draw_table(text: str, spans: list[Span[Mark]], rows: list[list[Range]]) -> SafeString:
    """Draw the rows; the first is the head when the table has several rows."""
    width = max(len(row) for row in rows)
    drawn = []
    for number, row in enumerate(rows):
        tag = "th" if number == 0 and len(rows) > 1 else "td"
        scope = ' scope="col"' if tag == "th" else ""
        cells = "".join(f"<{tag}{scope}>{draw_line(text, spans, cell)}</{tag}>" for cell in row)
        drawn.append(f"<tr>{cells}{f'<{tag}></{tag}>' * (width - len(row))}</tr>")
    rows_drawn = mark_safe("".join(drawn))  # noqa: S308 - every cell is escaped
    frame = '<div class="table-scroll" role="region" aria-label="{}" tabindex="0"><table>{}</table></div>'
    return format_html(frame, _("表"), rows_drawn)

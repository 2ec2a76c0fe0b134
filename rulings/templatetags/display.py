"""Small words and marks of the pages: numbers, facts, excerpts, addresses with other parameters."""

from typing import Any

from django import template
from django.template.context import RequestContext
from django.utils.safestring import SafeString

from rulings.models import Amendment, Card, CardFace, Entry, Kind, Revision, Status
from rulings.search import Highlight, Hit
from rulings.templatetags.prose import Mark, draw_line
from rulings.text.annotate import Span
from rulings.text.numbers import parse_number

register = template.Library()

EXCERPT = 120  # characters of a body shown where nothing is highlighted
WHOLE_ANSWER = 240  # characters up to which an answer is shown whole in a list


@register.filter
def printed(entry: Entry) -> str:
    """The number of a section as a reader knows it, "" where its address is only a slug."""
    number = parse_number(entry.number)
    return entry.number.partition("~")[0] if number else ""


@register.filter
def copy_of(entry: Entry) -> str:
    """For a section whose number is printed twice: which of them it is."""
    number = parse_number(entry.number)
    return number.copy if number else ""


@register.filter
def named(entry: Entry) -> str:
    """What an entry is called in a list: its title, else the beginning of its text."""
    wording = entry.wording
    if entry.kind == Kind.INTERACTION and not (wording and wording.title):
        return entry.group_name or " × ".join(f"《{card.name}》" for card in entry.cards.all())
    if wording is None:
        return entry.printed_number or entry.number
    return wording.title or shortened(wording.body) or entry.printed_number


@register.filter
def titled(amendment: Amendment) -> str:
    """What an amendment is called."""
    return amendment.heading


@register.filter
def status_label(status: str) -> str:
    """A status in words."""
    return str(Status(status).label)


@register.filter
def has_own_title(wording: Revision | None) -> bool:
    """Whether the title says something that the text does not open with."""
    return bool(wording and wording.title and not wording.body.startswith(wording.title))


@register.filter
def shortened(text: str, length: int = EXCERPT) -> str:
    """The beginning of a text on one line."""
    line = " ".join(part.strip() for part in text[: length * 2].splitlines() if part.strip())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


@register.filter
def facts(face: CardFace, card: Card) -> list[tuple[str, str]]:
    """The facts of a face: label and value, in the order of the game's profile."""
    return [(label, value) for _key, label, value in face.labelled_facts(card.game.slug)]


@register.simple_tag
def rules_of(hit: Hit, cited: dict[int, list[Entry]]) -> list[Entry]:
    """The rules that a result rests on."""
    return cited.get(hit.entry.pk, []) if hit.entry else []


@register.simple_tag
def heading_of(hit: Hit, headings: dict[int, str]) -> str:
    """The heading that a result stands under."""
    return headings.get(hit.entry.pk, "") if hit.entry else ""


@register.simple_tag
def hit_title(hit: Hit) -> SafeString:
    """The title of a result with its highlights; of a section without one its text, unless its number names it."""
    if hit.entry is None:
        return draw_line(hit.card.name if hit.card else "", _title_marks(hit, hit.card.name if hit.card else ""))
    wording = hit.entry.wording
    if wording and wording.title:
        return draw_line(wording.title, _title_marks(hit, wording.title))
    if hit.entry.kind == Kind.INTERACTION:
        return draw_line(named(hit.entry), [])
    return SafeString("") if printed(hit.entry) else _body_of(hit) or draw_line(named(hit.entry), [])


@register.simple_tag
def hit_text(hit: Hit) -> SafeString:
    """The text of a result below its title: a short one whole, else the highlighted excerpt, else the beginning."""
    wording = hit.entry.wording if hit.entry else None
    if hit.entry is None or wording is None or not (wording.title or printed(hit.entry)):
        return SafeString("")
    return _body_of(hit)


def _body_of(hit: Hit) -> SafeString:
    body = hit.entry.wording.body if hit.entry and hit.entry.wording else ""
    found = next((highlight for highlight in hit.highlights if highlight.field in ("body", "example")), None)
    if found is None:
        return draw_line(shortened(body, WHOLE_ANSWER), [])
    if found.field == "body" and len(body) <= WHOLE_ANSWER:
        core = found.snippet.strip("…")
        at = body.find(core)
        if at >= 0:
            return draw_line(body, _spans(found, at - found.snippet.find(core)))
    return draw_line(found.snippet, _spans(found))


def _title_marks(hit: Hit, title: str) -> list[Span[Mark]]:
    """The highlights of the title, where they cover the whole of it."""
    whole = (found for found in hit.highlights if found.field == "title" and found.snippet == title)
    return next((_spans(found) for found in whole), [])


def _spans(highlight: Highlight, shift: int = 0) -> list[Span[Mark]]:
    return [Span(start + shift, end + shift, Mark("hit")) for start, end in highlight.spans]


@register.filter
def at(values: dict[str, Any], key: str) -> Any:
    """The value under a key, None where there is none."""
    return values.get(key)


@register.simple_tag(takes_context=True)
def address_with_facet(context: RequestContext, name: str, value: str | None) -> str:
    """The address of this page narrowed to a value of a facet, or freed from it."""
    return address_with(context, **{name: value})


@register.simple_tag(takes_context=True)
def address_with(context: RequestContext, **changes: Any) -> str:
    """The address of this page with other parameters; None or "" takes one away. A new filter begins at page 1."""
    parameters = context["request"].GET.copy()
    if "page" not in changes:
        parameters.pop("page", None)
    for name, value in changes.items():
        if value in (None, ""):
            parameters.pop(name, None)
        else:
            parameters[name] = value
    return f"?{parameters.urlencode()}" if parameters else "?"

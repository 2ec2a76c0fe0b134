"""A section of a ruleset, and its history."""

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from rulings.models import Entry, FaqEntry, Level, Lineage, Ruleset
from rulings.models.histories import histories_at
from rulings.text.numbers import parse_number
from rulings.web.dating import as_of, not_known_before, unknown_on
from rulings.web.entries import entry_context, status_of
from rulings.web.errors import not_found_page
from rulings.web.outline import Node, Outline, count_citing, fill
from rulings.web.page import checked_text, page
from rulings.web.rulesets import ruleset_or_missing


def missing_section(request: HttpRequest, book: Ruleset, number: str) -> HttpResponse:
    """No such section: show its neighbours, and the rules of that number elsewhere, told apart."""
    parsed = parse_number(number)
    shown = str(parsed) if parsed else number[:60]
    near = Outline(book).near(shown)
    fill(near)
    elsewhere = Entry.objects.none()
    if parsed:
        game = Entry.objects.of_game(book.game.slug).exclude(ruleset=book).live()
        elsewhere = game.at_number(shown).for_display()[:5]
    message = _("%(ruleset)sに「%(number)s」はありません。まだ登録されていないか、番号が違うようです。") % {
        "ruleset": book.name,
        "number": shown,
    }
    context = {"near": near, "elsewhere": elsewhere, "ruleset": book, "missing": shown}
    return not_found_page(request, message, **context)


@page
def section(request: HttpRequest, slug: str, number: str) -> HttpResponse:
    """A section with everything below it; a part shows only its table of contents."""
    checked_text(number)
    book, on = ruleset_or_missing(slug), as_of(request)
    entry = section_at(slug, number, on)
    if entry is None:
        return missing_section(request, book, number)
    if since := unknown_on(book, on):
        return not_known_before(request, since, f"{book} {entry.number}", ruleset=book)
    if entry.shown_number != number:
        # Another writing of the number is always this rule; a number that it once bore may be another's tomorrow.
        is_same = on is None and str(parse_number(number)) == entry.number
        return redirect(entry, permanent=is_same)
    outline = Outline(book, on)
    node = outline.by_pk.get(entry.pk) or Node(entry.pk, entry.parent_id, entry.number, entry.level, entry.sort_key)
    above = outline.above(node)
    before, after = outline.around(node) if entry.pk in outline.by_pk else (None, None)
    below = list(node.walk())[1:]
    shown = [child for child in below if child.in_contents] if entry.level == Level.PART else below
    siblings = above[-1].children if above else outline.roots
    beside = [other for other in siblings if other.in_contents or not node.in_contents]
    fill(shown, on, with_references=True)
    count_citing(shown, on)
    fill([*above, *beside, *(near for near in (before, after) if near)], on)
    node.entry = entry
    faqs = FaqEntry.objects.filter(parent=entry).with_status(None, on).in_book_order()
    context = entry_context(entry) | {
        "node": node,
        "above": above,
        "before": before,
        "after": after,
        "beside": beside,
        "is_part": entry.level == Level.PART,
        "faqs": faqs.for_display(on).with_references(on),
        "overlays": book.overlays.all(),
        "lineages": [
            one for one in Lineage.objects.of([entry.pk])[entry.pk] if one.effective_on <= (on or timezone.localdate())
        ],
    }
    return render(request, "section.html", context, status=status_of(entry))


def section_at(slug: str, number: str, on: date | None) -> Entry | None:
    """The section that stands (on `on`: stood) under `number`, else the one that does, did last, or moved away."""
    entries = Entry.objects.of_ruleset(slug).for_display(on).with_references(on)
    found = entries.at_number_on(number, on).first() if on else None
    return found or entries.at_number(number).first() or entries.once_at_number(number, on).first()


@page
def history(request: HttpRequest, slug: str, number: str) -> HttpResponse:
    """Every rule that ever stood under a number, each through its wordings, the newest first."""
    checked_text(number)
    book = ruleset_or_missing(slug)
    parsed = parse_number(number)
    if parsed is not None and str(parsed) != number:
        return redirect("section-history", slug, str(parsed), permanent=True)
    histories = histories_at(book, number)
    if not histories:
        return missing_section(request, book, number)
    entry = histories[0].entry
    context = {
        "entry": entry,
        "number": number,
        "ruleset": book,
        "wording": entry.wording,
        "histories": histories,
        "today": timezone.localdate(),
    }
    return render(request, "section_history.html", context)

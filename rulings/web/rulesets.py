"""A ruleset as a book, and what changed in it between two dates."""

from collections import Counter
from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from rulings.models import Entry, Kind, Ruleset
from rulings.models.diffs import counted, ruleset_differences
from rulings.web.dating import as_of, not_known_before, unknown_on
from rulings.web.outline import Outline, count_citing, fill
from rulings.web.page import BadParameterError, MissingError, date_of, page, paginated, text_of

WHOLE = 400  # sections up to which a ruleset is read on one page
DIFF_PAGE = 50


def ruleset_or_missing(slug: str) -> Ruleset:
    """The ruleset at an address."""
    found = Ruleset.objects.select_related("game", "base").filter(slug=slug).first()
    if found is None:
        raise MissingError(_("「%(slug)s」という規則集はありません。") % {"slug": slug})
    return found


@page
def ruleset(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of contents; the text of a short ruleset stands below it, a long one is read chapter by chapter."""
    book = ruleset_or_missing(slug)
    on = as_of(request)
    if since := unknown_on(book, on):
        return not_known_before(request, since, book.name, ruleset=book)
    outline = Outline(book, on)
    whole = len(outline.nodes) <= WHOLE
    fill((node for node in outline.nodes if whole or node.in_contents), on, with_references=whole)
    count_citing(outline.nodes if whole else [], on)
    held = Entry.objects.filter(ruleset=book, kind=Kind.FAQ).with_status(None, on)
    faqs = Counter(held.values_list("parent", flat=True))
    for node in outline.nodes:
        node.faq_count = faqs[node.pk]
    context = {
        "ruleset": book,
        "roots": outline.roots,
        "whole": whole and bool(outline.nodes),
        "section_count": len(outline.nodes),
        "faq_count": faqs.total(),
        "overlays": book.overlays.all(),
        "amendment": book.amendments.exclude(effective_on__gt=on or timezone.localdate()).first(),
        "announced": book.amendments.filter(effective_on__gt=on or timezone.localdate()).order_by("effective_on"),
    }
    return render(request, "ruleset.html", context)


def default_start(book: Ruleset, today: date) -> date:
    """The day before the latest amendment took effect."""
    latest = book.amendments.filter(effective_on__isnull=False, effective_on__lte=today, is_complete=False).first()
    return latest.effective_on - timedelta(days=1) if latest and latest.effective_on else today - timedelta(days=365)


@page
def diff(request: HttpRequest, slug: str) -> HttpResponse:
    """What was added, deleted, edited, moved and renumbered between two days, in a ruleset or below a section."""
    book = ruleset_or_missing(slug)
    today = timezone.localdate()
    first = date_of(request, "from", default_start(book, today))
    last = date_of(request, "to", today)
    if last < first:
        raise BadParameterError(_("終わりの日付が、始まりの日付より前です。"))
    number = text_of(request, "section")
    section = Entry.objects.of_ruleset(slug).at_number(number).for_display().first() if number else None
    if number and section is None:
        raise MissingError(_("「%(number)s」という条項はありません。") % {"number": number[:40]})
    found = ruleset_differences(book, first, last, section)
    context = {
        "ruleset": book,
        "section": section,
        "first": first,
        "last": last,
        "since": unknown_on(book, first),
        "counts": counted(found),
        "page_obj": paginated(request, found, DIFF_PAGE),
    }
    return render(request, "ruleset_diff.html", context)

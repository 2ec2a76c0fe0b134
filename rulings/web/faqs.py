"""Questions and answers."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from rulings.models import Entry, FaqEntry, Kind
from rulings.web.entries import entry_context
from rulings.web.page import MissingError, page, paginated
from rulings.web.rulesets import ruleset_or_missing

FAQ_PAGE = 50


@page
def faq(request: HttpRequest, pk: int) -> HttpResponse:
    """A question and its answer."""
    entry = Entry.objects.filter(pk=pk, kind=Kind.FAQ).for_display().with_references().first()
    if entry is None:
        raise MissingError(_("その番号のよくある質問はありません。"))
    return render(request, "faq.html", entry_context(entry))


@page
def faq_list(request: HttpRequest, slug: str) -> HttpResponse:
    """The questions of a ruleset with their answers."""
    book = ruleset_or_missing(slug)
    entries = FaqEntry.objects.of_ruleset(slug).live().in_book_order().for_display().with_references()
    context = {"ruleset": book, "page_obj": paginated(request, entries, FAQ_PAGE)}
    return render(request, "ruleset_faqs.html", context)

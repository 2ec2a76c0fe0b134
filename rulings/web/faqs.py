"""Questions and answers."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from rulings.models import Entry, FaqEntry, Kind
from rulings.web.dating import as_of, not_known_before
from rulings.web.entries import entry_context, status_of, unknown_entry_on
from rulings.web.page import MissingError, page, paginated
from rulings.web.rulesets import ruleset_or_missing

FAQ_PAGE = 50
ELSEWHERE = 5  # answers of other rulesets to the same question


@page
def faq(request: HttpRequest, pk: int) -> HttpResponse:
    """A question and its answer."""
    on = as_of(request)
    entry = Entry.objects.filter(pk=pk, kind=Kind.FAQ).for_display(on).with_references(on).first()
    if entry is None:
        raise MissingError(_("その番号のよくある質問はありません。"))
    if since := unknown_entry_on(entry):
        return not_known_before(request, since, _("この質問"))
    elsewhere = Entry.objects.asked_elsewhere(entry, on).in_book_order().for_display(on)[:ELSEWHERE]
    context = entry_context(entry) | {"elsewhere": elsewhere}
    return render(request, "faq.html", context, status=status_of(entry))


@page
def faq_list(request: HttpRequest, slug: str) -> HttpResponse:
    """The questions of a ruleset with their answers."""
    book = ruleset_or_missing(slug)
    on = as_of(request)
    entries = FaqEntry.objects.of_ruleset(slug).with_status(None, on).in_book_order()
    entries = entries.for_display(on).with_references(on)
    context = {"ruleset": book, "page_obj": paginated(request, entries, FAQ_PAGE)}
    return render(request, "ruleset_faqs.html", context)

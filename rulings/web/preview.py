"""A rule or a card in a few lines, shown beside a link to it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from rulings.models import Card, Entry, Kind
from rulings.web.page import MissingError, page, text_of

KINDS = {"faq": Kind.FAQ, "interaction": Kind.INTERACTION}


def entry_at(address: str) -> Entry | None:
    """The entry whose page is at `address`."""
    try:
        found = resolve(address)
    except Resolver404:
        return None
    entries = Entry.objects.all()
    if found.url_name == "section":
        entries = entries.of_ruleset(found.kwargs["slug"]).at_number(found.kwargs["number"])
    elif found.url_name in KINDS:
        entries = entries.filter(kind=KINDS[found.url_name], pk=found.kwargs["pk"])
    else:
        return None
    return entries.for_display().first()


def card_at(address: str) -> Card | None:
    """The card whose page is at `address`."""
    try:
        found = resolve(address)
    except Resolver404:
        return None
    if found.url_name != "card":
        return None
    return Card.objects.select_related("game").with_faces().filter(pk=found.kwargs["pk"]).first()


@page
def preview(request: HttpRequest) -> HttpResponse:
    """The fragment for the address in `at`."""
    address = text_of(request, "at")
    entry, card = entry_at(address), card_at(address)
    if entry is None and card is None:
        raise MissingError(_("このアドレスのページはありません。"))
    return render(request, "parts/preview.html", {"entry": entry, "card": card})

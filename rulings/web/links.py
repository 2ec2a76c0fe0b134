"""Short links that never change, and their QR codes."""

import io

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from rulings.models import Card, Entry
from rulings.web.page import MissingError, page


def short_link(request: HttpRequest, subject: Entry | Card) -> str:
    """The short address of an entry or a card, with the host it was asked under."""
    name = "short-card" if isinstance(subject, Card) else "short-entry"
    return request.build_absolute_uri(reverse(name, args=[subject.pk]))


def _subject(kind: str, pk: int) -> Entry | Card:
    found = (
        Card.objects.filter(pk=pk).first()
        if kind == "card"
        else Entry.objects.select_related("ruleset").filter(pk=pk).first()
    )
    if found is None:
        raise MissingError(_("その番号の項目はありません。"))
    return found


@page
def short(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Go to the page of an entry or a card."""
    return redirect(_subject(kind, pk))


@page
def qr(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """The short link as a QR code: black on white in any theme, with the quiet zone that readers need."""
    drawn = io.BytesIO()
    code = segno.make(short_link(request, _subject(kind, pk)), error="m", micro=False)
    code.save(drawn, kind="svg", scale=4, border=4, dark="#000", light="#fff", xmldecl=False, svgns=True)
    return HttpResponse(drawn.getvalue(), content_type="image/svg+xml")

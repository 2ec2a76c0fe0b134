"""Reading as of a day: the date in the address goes with every link of a page, until the reader comes back to today."""

import re
from datetime import date
from html import escape, unescape
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from rulings.models import Ruleset

NAME = "as_of"
_LINK = re.compile(r'(<a\b(?![^>]*\bdata-today\b)[^>]*?\bhref=")([^"]*)(")', re.IGNORECASE)
_FORM = re.compile(r'(<form\b[^>]*\bmethod="get"[^>]*>)(.*?)(?=</form>)', re.IGNORECASE | re.DOTALL)
# Pages whose texts are those of a day, and those of them that have a field for the day anyway.
_DATED = {"ruleset", "section", "ruleset-faqs", "faq", "interactions", "interaction", "card", "search"}
_OUTSIDE = ("/api/", "/admin/", "/static/")


class BadDateError(ValueError):
    """The date in an address cannot be read; the message is shown to the reader."""


def read_date(value: str) -> date:
    """Read a date as a date field sends it."""
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise BadDateError(
            _("日付「%(value)s」を読み取れません。2026-02-13 のように書いてください。") % {"value": value[:40]}
        ) from error


def as_of(request: HttpRequest) -> date | None:
    """The day as of which a page is read; None for today. Raise BadDateError when it cannot be read."""
    value = request.GET.get(NAME, "").strip()
    on = read_date(value) if value else None
    return None if on == timezone.localdate() else on


def dating(request: HttpRequest) -> dict[str, Any]:
    """For every template: the day as of which the page is read, and whether that is to come."""
    try:
        on = as_of(request)
    except BadDateError:
        on = None
    others = [(name, value) for name, value in request.GET.items() if name not in (NAME, "page")]
    name = request.resolver_match.url_name if request.resolver_match else None
    return {
        "as_of": on if name in _DATED else None,
        "as_of_ahead": on is not None and on > timezone.localdate(),
        "as_of_others": others,
        "as_of_switch": name in _DATED and name != "search",
    }


def carry(response: HttpResponse, on: date | None) -> None:
    """Let every link and search form of a page lead to pages as of the same day."""
    if on is None:
        return
    if response.headers.get("Location"):
        response.headers["Location"] = dated(response.headers["Location"], on)
    elif response.headers.get("Content-Type", "").startswith("text/html"):
        text = response.content.decode()
        text = _LINK.sub(lambda found: f"{found[1]}{escape(dated(unescape(found[2]), on))}{found[3]}", text)
        response.content = _FORM.sub(lambda found: f"{found[1]}{_hidden(found[2], on)}{found[2]}", text).encode()


def dated(address: str, on: date) -> str:
    """`address` as of a day, when it is one of the pages and does not say a day itself."""
    parts = urlsplit(address)
    inside = not parts.netloc and (address.startswith(("/", "?"))) and not address.startswith(_OUTSIDE)
    if not inside or f"{NAME}=" in parts.query:
        return address
    query = f"{parts.query}&{NAME}={on}" if parts.query else f"{NAME}={on}"
    return urlunsplit(parts._replace(query=query))


def _hidden(form: str, on: date) -> str:
    return "" if f'name="{NAME}"' in form else f'<input type="hidden" name="{NAME}" value="{on}">'


def not_known_before(request: HttpRequest, since: date, name: str, **context: Any) -> HttpResponse:
    """Nothing is known of the day that the page is asked for: say so, and from when on something is."""
    context |= {"since": since, "name": name}
    return render(request, "not_known.html", context)


def unknown_on(book: Ruleset, on: date | None) -> date | None:
    """The first known day of a ruleset when `on` lies before it."""
    since = book.known_since() if on is not None else None
    return since if since is not None and on is not None and on < since else None

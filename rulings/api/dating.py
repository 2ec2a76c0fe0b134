"""Sections as of a day, and days of which nothing is known: an answer that says so, never an empty one."""

from datetime import date
from typing import Any

from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request

from rulings.api.errors import Problem
from rulings.api.pagination import add_warning
from rulings.api.saying import say
from rulings.models import Entry, Event, Kind, Ruleset


def find_section(rows: Any, slug: str, number: str, as_of: Any = None) -> Entry:
    """The section that stands (on `as_of`: stood) under `number`, else the last one that did, moved or not; or 404."""
    of_ruleset = rows.of_ruleset(slug)
    found = of_ruleset.at_number_on(number, as_of).first() if as_of else None
    found = found or of_ruleset.at_number(number).first() or of_ruleset.once_at_number(number, as_of).first()
    if found is None:
        raise Http404
    return found


def refuse_unknown_day(entry: Entry, as_of: date | None) -> None:
    """Refuse a day before anything is known of the entry: 404 `not_known_before`, naming the first known day."""
    if as_of is None or as_of > timezone.localdate() or entry.ruling.wording_on(as_of) is not None:
        return
    if entry.kind == Kind.SECTION:
        since = entry.ruleset.known_since()
    else:
        first = entry.ruling.revisions.exclude(event=Event.DELETED).order_by("effective_on").first()
        since = first.effective_on if first else None
    if since is not None and as_of < since:
        detail = say("not_known_before", since=since, given=as_of)
        raise Problem("not_known_before", detail, status_code=404, parameter="as_of")


def warn_of_unknown_day(request: Request, as_of: date | None, game: str | None, ruleset: str | None) -> None:
    """Name the rulesets asked of whose text nothing is known on that day."""
    if as_of is None:
        return
    rulesets = Ruleset.objects.all()
    if game:
        rulesets = rulesets.filter(game__slug=game)
    if ruleset:
        rulesets = rulesets.filter(slug=ruleset)
    for book in rulesets.prefetch_related("amendments"):
        since = book.known_since()
        if since is not None and as_of < since:
            message = f"「{book}」は {since} より前のものが登録されていません（not known before {since}）。"
            add_warning(request, "not_known_before", message, "as_of")

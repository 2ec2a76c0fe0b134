"""Amendments: what changed, when, and why."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from rulings.models import Amendment
from rulings.models.amended import amended, by_group, load
from rulings.web.page import MissingError, page, paginated
from rulings.web.rulesets import ruleset_or_missing

AMENDMENTS_PAGE = 30
CHANGES_PAGE = 100


def listed() -> QuerySet[Amendment]:
    """Amendments as their rows show them, the newest first."""
    return Amendment.objects.select_related("ruleset__game")


@page
def amendment_list(request: HttpRequest) -> HttpResponse:
    """All amendments, the newest first."""
    return render(request, "amendments.html", {"page_obj": paginated(request, listed(), AMENDMENTS_PAGE)})


@page
def ruleset_amendments(request: HttpRequest, slug: str) -> HttpResponse:
    """The amendments of a ruleset, the newest first."""
    book = ruleset_or_missing(slug)
    found = paginated(request, listed().filter(ruleset=book), AMENDMENTS_PAGE)
    return render(request, "amendments.html", {"page_obj": found, "ruleset": book, "today": timezone.localdate()})


@page
def amendment(request: HttpRequest, pk: int) -> HttpResponse:
    """What an amendment changed, in the groups of its announcement, word by word."""
    found = Amendment.objects.select_related("ruleset__game", "source").filter(pk=pk).first()
    if found is None:
        raise MissingError(_("その番号の改定はありません。"))
    shown = paginated(request, amended(found), CHANGES_PAGE)
    load(list(shown))
    context = {
        "amendment": found,
        "ruleset": found.ruleset,
        "page_obj": shown,
        "groups": by_group(list(shown)),
        "today": timezone.localdate(),
    }
    return render(request, "amendment.html", context)

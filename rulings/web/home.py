"""The first page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rulings.games import PROFILES
from rulings.models import Amendment, Ruleset
from rulings.web.page import page

LATEST = 5


@page
def home(request: HttpRequest) -> HttpResponse:
    """Search, the rulesets by game, the latest amendments."""
    context = {
        "examples": [query for profile in PROFILES.values() for query in profile.example_queries],
        "rulesets": Ruleset.objects.with_counts().select_related("game", "base"),
        "amendments": Amendment.objects.select_related("ruleset__game")[:LATEST],
    }
    return render(request, "home.html", context)

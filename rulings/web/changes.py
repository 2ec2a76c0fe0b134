"""Atom feeds of what changes: in a ruleset, about a card, among what a search finds."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from rulings.models import Card, Change, Entry, Ruleset
from rulings.search.searching import matching
from rulings.web.atom import Atom
from rulings.web.links import short_link
from rulings.web.page import BadParameterError
from rulings.web.search import read_request

LATEST = 40
LONGEST_TITLE = 120  # characters
NOT_OF_A_FEED = ("page", "as_of")  # parameters of a search that shape a page or fix a day


@dataclass(frozen=True, slots=True)
class Subject:
    """What a feed tells of, as it was asked for."""

    title: str
    link: str
    address: str  # of the feed itself
    changes: list[Change]
    entries: dict[int, Entry]
    request: HttpRequest


@dataclass(frozen=True, slots=True)
class Item:
    """An entry and the last thing that happened to it."""

    entry: Entry
    change: Change
    address: str  # that never changes


class ChangeFeed(Feed):
    """The entries that changed last, each once, as they stand now."""

    feed_type = Atom
    language = "ja"

    def title(self, obj: Subject) -> str:
        return obj.title

    def link(self, obj: Subject) -> str:
        return obj.link

    def feed_url(self, obj: Subject) -> str:
        return obj.address

    def feed_guid(self, obj: Subject) -> str:
        return obj.request.build_absolute_uri(obj.address)

    def items(self, obj: Subject) -> list[Item]:
        return [
            Item(entry, change, short_link(obj.request, entry))
            for change in obj.changes
            if (entry := obj.entries.get(change.entry_id or 0))
        ]

    def item_title(self, item: Any) -> str:
        return _("【%(change)s】%(entry)s（%(ruleset)s）") % {
            "change": item.change.get_kind_display(),
            "entry": _on_one_line(str(item.entry)),
            "ruleset": item.entry.ruleset,
        }

    def item_description(self, item: Any) -> str:
        return render_to_string("parts/feed_entry.html", {"entry": item.entry})

    def item_link(self, item: Any) -> str:
        return item.entry.get_absolute_url()

    def item_guid(self, item: Any) -> str:
        return item.address

    def item_pubdate(self, item: Any) -> datetime:
        return item.entry.created_at

    def item_updateddate(self, item: Any) -> datetime:
        return item.change.at


def _on_one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1] + "…"


def _subject(request: HttpRequest, title: str, link: str, address: str, changes: list[Change]) -> Subject:
    entries = Entry.objects.for_display().in_bulk([change.entry_id for change in changes if change.entry_id])
    return Subject(title, link, address, changes, entries, request)


class RulesetChanges(ChangeFeed):
    """What changes in a ruleset."""

    def get_object(self, request: HttpRequest, slug: str) -> Subject:
        ruleset = get_object_or_404(Ruleset, slug=slug)
        # An interaction that a question rules says what the question says, which is there itself.
        changes = Change.objects.last_of_entries(LATEST, entry__ruleset=ruleset, entry__ruled_by=None)
        title = _("%(name)sの変更") % {"name": ruleset}
        return _subject(request, title, ruleset.get_absolute_url(), reverse("feed-ruleset", args=[slug]), changes)


class CardChanges(ChangeFeed):
    """What changes about a card."""

    def get_object(self, request: HttpRequest, pk: int) -> Subject:
        card = get_object_or_404(Card, pk=pk)
        changes = Change.objects.last_of_entries(LATEST, entry__cards=card)
        title = _("《%(name)s》の裁定の変更") % {"name": card.name}
        return _subject(request, title, card.get_absolute_url(), reverse("feed-card", args=[pk]), changes)


class SearchChanges(ChangeFeed):
    """What changes among what a search finds, what has ended too unless a status was asked for."""

    def get_object(self, request: HttpRequest) -> Subject:
        rulesets = list(Ruleset.objects.select_related("game"))
        asked = read_request(request, rulesets)
        if not asked.q:
            raise BadParameterError(_("検索することばがありません。"))
        found = matching(replace(asked, status=asked.status or "all", as_of=None))
        query = request.GET.copy()
        for name in NOT_OF_A_FEED:
            query.pop(name, None)
        changes = Change.objects.last_of_entries(LATEST, entry__in=found)
        title = _("「%(q)s」の検索結果の変更") % {"q": asked.q}
        link, address = (f"{reverse(name)}?{query.urlencode()}" for name in ("search", "feed-search"))
        return _subject(request, title, link, address, changes)

"""What search engines, browsers and feed readers ask for: robots.txt, sitemap, OpenSearch, Atom."""

from collections.abc import Iterable
from datetime import UTC, datetime, time
from typing import Any

from django.contrib.sitemaps import Sitemap
from django.contrib.syndication.views import Feed
from django.db.models import Exists, Max, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from rulings.models import Amendment, Card, Entry, Kind, Ruleset
from rulings.web.atom import Atom
from rulings.web.page import page

FEED_LENGTH = 40
SITEMAP_LENGTH = 5_000  # addresses of one part of the sitemap


@page
def robots(request: HttpRequest) -> HttpResponse:
    """What crawlers may read."""
    sitemap = request.build_absolute_uri(reverse("sitemap"))
    closed = [
        "/admin/",
        "/search/",
        "/suggest/",
        "/preview/",
        "/feedback/",
        "/api/",
        "/settings/",
        "/offline/",
        "/feeds/search.atom",
    ]
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in closed), "", f"Sitemap: {sitemap}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@page
def opensearch(request: HttpRequest) -> HttpResponse:
    """How a browser adds this site to its search bar."""
    root = request.build_absolute_uri("/").rstrip("/")
    return render(request, "opensearch.xml", {"root": root}, "application/opensearchdescription+xml; charset=utf-8")


class RulesetSitemap(Sitemap):
    def items(self) -> QuerySet[Ruleset]:
        return Ruleset.objects.order_by("pk")


class EntrySitemap(Sitemap):
    """Sections and questions that hold; parts of a long book are found through its contents."""

    limit = SITEMAP_LENGTH

    def items(self) -> QuerySet[Entry]:
        found = Entry.objects.live().filter(kind__in=[Kind.SECTION, Kind.FAQ]).select_related("ruleset")
        return found.only("kind", "number", "updated_at", "ruleset__slug").order_by("pk")

    def lastmod(self, item: Entry) -> datetime:
        return item.updated_at

    def get_latest_lastmod(self) -> datetime | None:
        """By the database: asking each entry, as Django does, takes half a minute for 100,000."""
        return self.items().order_by().aggregate(latest=Max("updated_at"))["latest"]


class CardSitemap(Sitemap):
    """Cards that a ruling names: the others say nothing that a card list does not."""

    limit = SITEMAP_LENGTH

    def items(self) -> QuerySet[Card]:
        named = Entry.cards.through.objects.filter(card=OuterRef("pk"))
        return Card.objects.filter(Exists(named)).order_by("pk")


class AmendmentSitemap(Sitemap):
    def items(self) -> QuerySet[Amendment]:
        return Amendment.objects.order_by("pk")


SITEMAPS = {
    "rulesets": RulesetSitemap,
    "entries": EntrySitemap,
    "cards": CardSitemap,
    "amendments": AmendmentSitemap,
}

SITEMAP_INDEX = {"sitemaps": SITEMAPS, "sitemap_url_name": "sitemap-part"}


class AtomFeed(Feed):
    """A feed of this site."""

    feed_type = Atom
    language = "ja"
    link = "/"


class AmendmentFeed(AtomFeed):
    """Amendments, the newest first."""

    title = "裁定帖：改定"

    def items(self) -> Iterable[Amendment]:
        return Amendment.objects.select_related("ruleset__game").order_by("-created_at")[:FEED_LENGTH]

    def item_title(self, item: Any) -> str:
        return f"{item.ruleset.game} {item.ruleset} {item.title}"

    def item_description(self, item: Any) -> str:
        return _("施行：%(day)s") % {"day": item.effective_on or _("不明")}

    def item_pubdate(self, item: Any) -> datetime:
        return item.created_at

    item_updateddate = item_pubdate


class RulingFeed(AtomFeed):
    """Questions and interactions, the newest first, with their answers."""

    title = "裁定帖：新しい裁定"

    def items(self) -> Iterable[Entry]:
        entries = Entry.objects.live().filter(kind__in=[Kind.FAQ, Kind.INTERACTION], ruled_by__isnull=True)
        return entries.for_display().order_by("-pk")[:FEED_LENGTH]  # the order in which they came, which is an index

    def item_title(self, item: Any) -> str:
        return str(item)

    def item_description(self, item: Any) -> str:
        return render_to_string("parts/feed_entry.html", {"entry": item})  # a summary is HTML

    def item_pubdate(self, item: Any) -> datetime:
        day = item.wording.effective_on if item.wording else None
        return datetime.combine(day, time(), UTC) if day else item.created_at

    def item_updateddate(self, item: Any) -> datetime:
        return item.updated_at

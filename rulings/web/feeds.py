"""Feeds: the amendments of a ruleset, or of all."""

from datetime import datetime, time

from django.contrib.syndication.views import Feed
from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _

from rulings.models import Amendment, Ruleset
from rulings.models.amended import amended, load
from rulings.models.revisions import Event

LATEST = 30
NUMBERS = 40  # numbers named in a summary

_LABELS = {**dict(Event.choices), "unchanged": _("文面の変更なし")}


class AmendmentFeed(Feed):
    """What was announced, the newest first, with the numbers that changed."""

    feed_type = Atom1Feed
    language = "ja"

    def get_object(self, request: HttpRequest, slug: str = "") -> Ruleset | None:
        if not slug:
            return None
        ruleset = Ruleset.objects.filter(slug=slug).first()
        if ruleset is None:
            raise Http404
        return ruleset

    def title(self, obj: Ruleset | None) -> str:
        return _("%(name)sの改定") % {"name": obj} if obj else _("改定")

    def link(self, obj: Ruleset | None) -> str:
        return reverse("ruleset-amendments", args=[obj.slug]) if obj else reverse("amendments")

    def subtitle(self, obj: Ruleset | None) -> str:
        return _("規則集がいつ、どう変わったかの記録です。")

    def items(self, obj: Ruleset | None) -> QuerySet[Amendment]:
        found = Amendment.objects.select_related("ruleset__game").prefetch_related("groups")
        found = found.filter(ruleset=obj) if obj else found
        return found.order_by(F("announced_on").desc(nulls_last=True), "-pk")[:LATEST]

    def item_title(self, item: Amendment) -> str:
        return f"{item.ruleset}｜{item.heading}"

    def item_description(self, item: Amendment) -> str:
        """When it takes effect, and what changes."""
        when = item.effective_on.strftime("%Y-%m-%d") if item.effective_on else _("不明")
        return f"{_('施行')}：{when}。{_summary(item)}"

    def item_pubdate(self, item: Amendment) -> datetime:
        day = item.announced_on or item.effective_on
        return timezone.make_aware(datetime.combine(day, time())) if day else item.created_at

    def item_updateddate(self, item: Amendment) -> datetime:
        return item.created_at


def _summary(item: Amendment) -> str:
    changes = amended(item)
    if item.is_complete or len(changes) > NUMBERS:
        return _("%(count)d項目。") % {"count": len(changes)}
    load(changes)
    by_event: dict[str, list[str]] = {}
    for change in changes:
        by_event.setdefault(change.event, []).append(change.number or change.title[:20])
    return "".join(f"{_LABELS[event]}：{'、'.join(numbers)}。" for event, numbers in by_event.items())

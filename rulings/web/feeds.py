"""The feed of the amendments of a ruleset."""

from datetime import datetime, time

from django.contrib.syndication.views import Feed
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from django.utils.translation import gettext as _

from rulings.models import Amendment, Ruleset
from rulings.models.amended import amended, load
from rulings.models.revisions import Event
from rulings.web.atom import Atom

LATEST = 30
NUMBERS = 40  # numbers named in a summary

_LABELS = {**dict(Event.choices), "unchanged": _("文面の変更なし")}


class RulesetFeed(Feed):
    """What was announced for a ruleset, the newest first, with the numbers that changed."""

    feed_type = Atom
    language = "ja"

    def get_object(self, request: HttpRequest, slug: str) -> Ruleset:
        return get_object_or_404(Ruleset, slug=slug)

    def title(self, obj: Ruleset) -> str:
        return _("%(name)sの改定") % {"name": obj}

    def link(self, obj: Ruleset) -> str:
        return reverse("ruleset-amendments", args=[obj.slug])

    def subtitle(self, obj: Ruleset) -> str:
        return _("規則集がいつ、どう変わったかの記録です。")

    def items(self, obj: Ruleset) -> QuerySet[Amendment]:
        found = obj.amendments.select_related("ruleset__game").prefetch_related("groups")
        return found.order_by(F("announced_on").desc(nulls_last=True), "-pk")[:LATEST]

    def item_title(self, item: Amendment) -> str:
        return f"{item.ruleset}｜{item.heading}"

    def item_description(self, item: Amendment) -> str:
        """When it takes effect, and what changes; as HTML, which summaries are."""
        when = item.effective_on.strftime("%Y-%m-%d") if item.effective_on else _("不明")
        return escape(f"{_('施行')}：{when}。{_summary(item)}")

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

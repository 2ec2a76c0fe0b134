"""Subscriptions of programs: looked at, stopped, continued, replayed here; made with the API."""

from collections.abc import Callable

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rulings.admin.base import ReadOnlyInline
from rulings.models import Attempt, Subscription
from rulings.services import subscriptions
from rulings.services.subscriptions import SubscriptionError

STOPPED = "サイトの管理者が止めました。"


class ReplayForm(ActionForm):
    """From which change an action replays."""

    since = forms.CharField(label=gettext_lazy("この番号の後から（届け直すとき）"), required=False)


class AttemptInline(ReadOnlyInline):
    model = Attempt
    fields = ["at", "kind", "since", "until", "count", "status", "milliseconds", "error"]
    show_change_link = False


@admin.register(Subscription)
class SubscriptionAdmin(admin.ModelAdmin):
    list_display = ["pk", "key", "url", "subject", "state", "position", "failures"]
    fields = [
        *("key", "url", "base", "subject", "state", "reason", "state_at", "verified_at", "position", "until", "epoch"),
        *("failures", "failing_since", "next_attempt_at", "created_at"),
    ]
    list_filter = ["state"]
    list_select_related = ["key", "ruleset", "card"]
    search_fields = ["url", "search", "key__name"]
    inlines = [AttemptInline]
    action_form = ReplayForm
    actions = ["disable", "enable", "replay"]

    @admin.display(description=gettext_lazy("対象"))
    def subject(self, subscription: Subscription) -> str:
        return subscription.subject

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Subscription | None = None) -> bool:
        return obj is None and super().has_change_permission(request)  # the actions, and nothing by hand

    def _each(
        self, request: HttpRequest, queryset: QuerySet[Subscription], work: Callable[[Subscription], None]
    ) -> None:
        done = 0
        for subscription in queryset:
            try:
                work(subscription)
                done += 1
            except SubscriptionError as error:
                messages.error(request, f"#{subscription.pk}：{error}")
        if done:
            messages.success(request, _("%d 件を処理しました。") % done)

    @admin.action(description=gettext_lazy("選んだ登録を止める"), permissions=["change"])
    def disable(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        self._each(request, queryset, lambda one: subscriptions.disable(one, STOPPED))

    @admin.action(description=gettext_lazy("選んだ登録を続きから再開する"), permissions=["change"])
    def enable(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        self._each(request, queryset, subscriptions.enable)

    @admin.action(description=gettext_lazy("選んだ登録へ届け直す"), permissions=["change"])
    def replay(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        since = request.POST.get("since", "")
        if not (since.isascii() and since.isdigit() and len(since) < 19):
            messages.error(request, _("どの番号の後から届け直すかを入れてください。"))
            return
        self._each(request, queryset, lambda one: subscriptions.replay(one, int(since)))

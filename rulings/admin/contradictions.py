"""Answers that disagree."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from rulings.admin.base import ReadOnlyMixin
from rulings.admin.reviews import NotedActionForm
from rulings.models import Contradiction
from rulings.services.decisions import DecisionError, explain, replace_older


class OpenFilter(admin.SimpleListFilter):
    title = _("状態")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("all", _("片付いたものも"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset if self.value() == "all" else queryset.unsettled()


@admin.register(Contradiction)
class ContradictionAdmin(ReadOnlyMixin, admin.ModelAdmin):
    """Explain why both stand, or let the newer answer replace the older one; both want a reason."""

    action_form = NotedActionForm
    list_display = ["kind", "older", "newer", "note", "found_at"]
    list_filter = [OpenFilter, "kind"]
    list_select_related = ["older__ruleset", "newer__ruleset"]
    search_fields = ["note", "older__official_id", "newer__official_id"]
    actions = ["explain_all", "replace_all"]

    @admin.action(description=_("両方が正しい（理由を書く）"))
    def explain_all(self, request: HttpRequest, queryset: QuerySet[Contradiction]) -> None:
        self._settle(request, queryset, explain)

    @admin.action(description=_("新しい回答で古い回答を差し替える（理由を書く）"))
    def replace_all(self, request: HttpRequest, queryset: QuerySet[Contradiction]) -> None:
        self._settle(request, queryset, replace_older)

    def _settle(self, request: HttpRequest, queryset: QuerySet[Contradiction], settle: Any) -> None:
        if not request.user.has_perm("rulings.change_contradiction"):
            self.message_user(request, _("この操作をする権限がありません。"), messages.ERROR)
            return
        for pair in queryset:
            try:
                settle(pair, note=request.POST.get("note", ""), by=request.user)
            except DecisionError as error:
                self.message_user(request, f"{pair}: {error}", messages.ERROR)

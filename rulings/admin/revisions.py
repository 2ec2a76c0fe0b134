"""Revisions: read-only history; what is announced can be taken back."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from rulings.admin.base import ReadOnlyMixin
from rulings.admin.reviews import NotedActionForm
from rulings.models import Revision
from rulings.services.editing import retract_announcement


@admin.register(Revision)
class RevisionAdmin(ReadOnlyMixin, admin.ModelAdmin):
    action_form = NotedActionForm
    list_display = ["entry", "event", "number", "title", "effective_on", "ended_on", "retracted_on", "amendment"]
    list_filter = ["event", "is_editorial", ("due_on", admin.EmptyFieldListFilter), "entry__ruleset"]
    list_select_related = ["entry__ruleset", "amendment"]
    search_fields = ["title", "body", "number"]
    date_hierarchy = "effective_on"
    actions = ["retract_all"]

    @admin.action(description=_("予告を取りやめる（理由を書く）"))
    def retract_all(self, request: HttpRequest, queryset: QuerySet[Revision]) -> None:
        if not request.user.has_perm("rulings.change_revision"):
            self.message_user(request, _("この操作をする権限がありません。"), messages.ERROR)
            return
        reason = request.POST.get("note", "").strip()
        if not reason:
            self.message_user(request, _("取りやめる理由を書いてください。"), messages.ERROR)
            return
        for revision in queryset.order_by("-effective_on", "-pk"):
            self._retract(request, revision, reason)

    def _retract(self, request: HttpRequest, revision: Any, reason: str) -> None:
        try:
            retract_announcement(revision, reason=reason)
        except ValueError:
            self.message_user(
                request,
                _("%(revision)s は予告ではないので、取りやめられません。") % {"revision": revision},
                messages.ERROR,
            )

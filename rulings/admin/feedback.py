"""The queue of readers' reports."""

from django.contrib import admin
from django.http import HttpRequest

from rulings.models import Feedback


@admin.register(Feedback)
class FeedbackAdmin(admin.ModelAdmin):
    """Reports, the open ones first to see; editors change their state only."""

    list_display = ["at", "kind", "entry", "text", "state"]
    list_filter = ["state", "kind", "entry__ruleset"]
    list_editable = ["state"]
    list_select_related = ["entry__ruleset"]
    search_fields = ["text", "source"]
    readonly_fields = ["entry", "revision", "kind", "text", "source", "at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

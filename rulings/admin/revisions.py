"""Revisions: read-only history."""

from django.contrib import admin

from rulings.admin.base import ReadOnlyMixin
from rulings.models import Revision


@admin.register(Revision)
class RevisionAdmin(ReadOnlyMixin, admin.ModelAdmin):
    list_display = ["entry", "event", "number", "title", "effective_on", "ended_on", "amendment"]
    list_filter = ["event", "is_editorial", "entry__ruleset"]
    list_select_related = ["entry__ruleset", "amendment"]
    search_fields = ["title", "body", "number"]
    date_hierarchy = "effective_on"

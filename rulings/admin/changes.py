"""The change log."""

from django.contrib import admin

from rulings.admin.base import ReadOnlyMixin
from rulings.models import Change


@admin.register(Change)
class ChangeAdmin(ReadOnlyMixin, admin.ModelAdmin):
    list_display = ["number", "kind", "entry", "card", "at"]
    list_filter = ["kind"]
    list_select_related = ["entry__ruleset", "card"]
    date_hierarchy = "at"
    ordering = ["-number"]

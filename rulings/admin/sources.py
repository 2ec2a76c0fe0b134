"""Sources."""

from django.contrib import admin

from rulings.admin.base import ReadOnlyMixin
from rulings.models import Source


@admin.register(Source)
class SourceAdmin(ReadOnlyMixin, admin.ModelAdmin):
    list_display = ["title", "ruleset", "form", "published_on", "retrieved_at"]
    list_filter = ["ruleset", "form"]
    list_select_related = ["ruleset"]
    search_fields = ["title", "publisher", "url", "sha256"]
    date_hierarchy = "retrieved_at"

"""Sources: what was read, whole; documents are imported from here."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from rulings.admin.base import ReadOnlyMixin
from rulings.admin.importing import RIGHTS, import_view
from rulings.models import Source


@admin.register(Source)
class SourceAdmin(ReadOnlyMixin, admin.ModelAdmin):
    list_display = ["title", "ruleset", "form", "published_on", "retrieved_at"]
    list_filter = ["ruleset", "form"]
    list_select_related = ["ruleset"]
    search_fields = ["title", "publisher", "url", "sha256"]
    date_hierarchy = "retrieved_at"

    def get_urls(self) -> list[URLPattern]:
        own = path("import/", self.admin_site.admin_view(import_view), name="rulings_source_import")
        return [own, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        extra = {**(extra_context or {}), "may_import": request.user.has_perms(RIGHTS)}
        return super().changelist_view(request, extra)

"""Cross-references."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from rulings.admin.base import ReadOnlyMixin
from rulings.models import CrossReference


class ResolvedFilter(admin.SimpleListFilter):
    title = _("解決")
    parameter_name = "resolved"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [("no", _("未解決")), ("yes", _("解決済み"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[CrossReference]) -> QuerySet[CrossReference]:
        if self.value() == "no":
            return queryset.filter(entry__isnull=True, card__isnull=True)
        if self.value() == "yes":
            return queryset.exclude(entry__isnull=True, card__isnull=True)
        return queryset


@admin.register(CrossReference)
class CrossReferenceAdmin(ReadOnlyMixin, admin.ModelAdmin):
    list_display = ["text", "kind", "revision", "ruleset", "entry", "card"]
    list_filter = [ResolvedFilter, "kind", "ruleset"]
    list_select_related = ["revision__entry", "ruleset", "entry__ruleset", "card"]
    search_fields = ["text", "key"]

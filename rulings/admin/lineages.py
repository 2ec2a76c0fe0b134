"""Splits and merges of rules, found by an import or told here."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from rulings.models import Lineage, LineageKind
from rulings.services.lineages import LineageError, check_lineage, tell_lineage, untell_lineage


class LineageForm(forms.ModelForm):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if all(cleaned.get(name) for name in ("before", "after", "effective_on")):
            try:
                check_lineage(cleaned["before"], cleaned["after"], cleaned["effective_on"])
            except LineageError as error:
                raise forms.ValidationError(str(error)) from error
        return cleaned


@admin.register(Lineage)
class LineageAdmin(admin.ModelAdmin):
    """One row for each part that came from another rule; a mistake is taken back and told anew."""

    form = LineageForm
    list_display = ["kind", "before", "after", "effective_on", "amendment"]
    list_filter = ["kind", "before__ruleset"]
    list_select_related = ["before__ruleset", "after__ruleset", "amendment"]
    search_fields = ["before__number", "after__number", "note"]
    autocomplete_fields = ["before", "after"]
    fields = ["kind", "before", "after", "effective_on", "note"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Lineage, form: Any, change: bool) -> None:
        told = tell_lineage(
            LineageKind(obj.kind),
            obj.before,
            obj.after,
            on=obj.effective_on,
            note=obj.note,
            editor=cast("Any", request.user),
        )
        obj.pk = told.pk

    def delete_model(self, request: HttpRequest, obj: Lineage) -> None:
        untell_lineage(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Lineage]) -> None:
        for lineage in queryset:
            untell_lineage(lineage)

"""Amendments and their groups."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from rulings.admin.base import NoDeleteMixin, ReadOnlyInline
from rulings.models import Amendment, AmendmentGroup
from rulings.services.renaming import save_amendment


class AmendmentGroupInline(ReadOnlyInline):
    model = AmendmentGroup
    fields = ["position", "title", "is_editorial"]


@admin.register(Amendment)
class AmendmentAdmin(NoDeleteMixin, admin.ModelAdmin):
    list_display = ["title", "ruleset", "announced_on", "effective_on", "is_complete"]
    list_filter = ["ruleset", "is_complete"]
    list_select_related = ["ruleset"]
    search_fields = ["title"]
    date_hierarchy = "effective_on"
    autocomplete_fields = ["ruleset", "source"]
    readonly_fields = ["created_at"]
    inlines = [AmendmentGroupInline]

    def get_readonly_fields(self, request: HttpRequest, obj: Amendment | None = None) -> list[str]:
        """The days on which its wordings hold are theirs: they do not follow an edit of the amendment."""
        own = ["ruleset", "source", "effective_on", "is_complete"] if obj and obj.revisions.exists() else []
        return [*self.readonly_fields, *own]

    def save_model(self, request: HttpRequest, obj: Amendment, form: Any, change: bool) -> None:
        save_amendment(obj)


@admin.register(AmendmentGroup)
class AmendmentGroupAdmin(NoDeleteMixin, admin.ModelAdmin):
    list_display = ["title", "amendment", "position", "is_editorial"]
    list_select_related = ["amendment"]
    list_filter = ["is_editorial", "amendment__ruleset"]
    search_fields = ["title", "amendment__title"]
    autocomplete_fields = ["amendment"]

"""Amendments and their groups."""

from django.contrib import admin

from rulings.admin.base import NoDeleteMixin, ReadOnlyInline
from rulings.models import Amendment, AmendmentGroup


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


@admin.register(AmendmentGroup)
class AmendmentGroupAdmin(NoDeleteMixin, admin.ModelAdmin):
    list_display = ["title", "amendment", "position", "is_editorial"]
    list_select_related = ["amendment"]
    list_filter = ["is_editorial", "amendment__ruleset"]
    search_fields = ["title", "amendment__title"]
    autocomplete_fields = ["amendment"]

"""Cards, faces, aliases."""

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest

from rulings.admin.base import NoDeleteMixin
from rulings.models import Card, CardAlias, CardFace
from rulings.services.editing import edit_card
from rulings.text.fold import fold_key


class CardFaceInline(admin.TabularInline):
    model = CardFace
    extra = 0


class CardAliasInline(admin.TabularInline):
    model = CardAlias
    extra = 1


@admin.register(Card)
class CardAdmin(NoDeleteMixin, admin.ModelAdmin):
    list_display = ["name", "game", "reading", "layout"]
    list_filter = ["game", "layout"]
    list_select_related = ["game"]
    search_fields = ["name", "key", "reading", "faces__name", "aliases__text"]
    autocomplete_fields = ["game", "source"]
    inlines = [CardFaceInline, CardAliasInline]

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """Find a name in any writing: the search term is folded as the names are."""
        found, duplicates = super().get_search_results(request, queryset, search_term)
        key = fold_key(search_term)
        if key:
            found = found | queryset.filter(key__contains=key)
        return found, duplicates

    @transaction.atomic
    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """The faces and aliases are saved by now: give all names their keys."""
        super().save_related(request, form, formsets, change)
        former = form.initial.get("name", "") if change else ""
        edit_card(form.instance, is_new=not change, former=former)


@admin.register(CardFace)
class CardFaceAdmin(NoDeleteMixin, admin.ModelAdmin):
    list_display = ["name", "card", "position"]
    list_select_related = ["card"]
    search_fields = ["name", "card__name"]
    autocomplete_fields = ["card"]


@admin.register(CardAlias)
class CardAliasAdmin(admin.ModelAdmin):
    list_display = ["text", "card"]
    list_select_related = ["card"]
    search_fields = ["text", "card__name"]
    autocomplete_fields = ["card"]

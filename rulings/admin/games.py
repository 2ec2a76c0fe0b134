"""Games and rulesets."""

from django.contrib import admin

from rulings.admin.base import NoDeleteMixin
from rulings.models import Game, Ruleset


@admin.register(Game)
class GameAdmin(NoDeleteMixin, admin.ModelAdmin):
    list_display = ["name", "slug"]
    search_fields = ["name", "slug"]


@admin.register(Ruleset)
class RulesetAdmin(NoDeleteMixin, admin.ModelAdmin):
    list_display = ["name", "slug", "game", "authority", "base", "position"]
    list_filter = ["game", "authority"]
    list_select_related = ["game", "base"]
    search_fields = ["name", "slug"]
    autocomplete_fields = ["game", "base"]

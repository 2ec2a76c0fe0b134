"""Games and rulesets."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from rulings.admin.base import NoDeleteMixin
from rulings.models import Game, Ruleset
from rulings.services.renaming import save_game, save_ruleset


@admin.register(Game)
class GameAdmin(NoDeleteMixin, admin.ModelAdmin):
    list_display = ["name", "slug"]
    search_fields = ["name", "slug"]

    def save_model(self, request: HttpRequest, obj: Game, form: Any, change: bool) -> None:
        save_game(obj)


@admin.register(Ruleset)
class RulesetAdmin(NoDeleteMixin, admin.ModelAdmin):
    list_display = ["name", "slug", "game", "authority", "base", "position"]
    list_filter = ["game", "authority"]
    list_select_related = ["game", "base"]
    search_fields = ["name", "slug"]
    autocomplete_fields = ["game", "base"]

    def get_readonly_fields(self, request: HttpRequest, obj: Ruleset | None = None) -> list[str]:
        """What is written already belongs to its game: the cards it names are that game's."""
        return ["game"] if obj is not None and obj.entries.exists() else []

    def save_model(self, request: HttpRequest, obj: Ruleset, form: Any, change: bool) -> None:
        save_ruleset(obj)

"""Players' words and the rules' words."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from rulings.models import Origin, Synonym


@admin.register(Synonym)
class SynonymAdmin(admin.ModelAdmin):
    list_display = ["text", "words", "game", "origin", "updated_at"]
    list_filter = ["game", "origin"]
    list_select_related = ["game"]
    readonly_fields = ["origin", "is_shipped"]
    search_fields = ["text", "key", "words"]

    def save_model(self, request: HttpRequest, obj: Synonym, form: Any, change: bool) -> None:
        """What an editor saves is the editor's: loading what ships leaves it alone."""
        obj.origin = Origin.EDITOR
        super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Synonym) -> None:
        """What ships would come back: it stays, without a meaning."""
        obj.remove()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Synonym]) -> None:
        for synonym in queryset:
            synonym.remove()

"""Players' words and the rules' words."""

from django.contrib import admin

from rulings.models import Synonym


@admin.register(Synonym)
class SynonymAdmin(admin.ModelAdmin):
    list_display = ["text", "words", "game", "updated_at"]
    list_filter = ["game"]
    list_select_related = ["game"]
    search_fields = ["text", "key", "words"]

"""The editors' side: every model, searchable, with read-only history."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from rulings.admin import (
    amendments,
    api_keys,
    cards,
    changes,
    contradictions,
    entries,
    feedback,
    games,
    lineages,
    references,
    reviews,
    revisions,
    sources,
    subscriptions,
    synonyms,
)

admin.site.site_header = _("裁定の編集")
admin.site.site_title = _("裁定の編集")
admin.site.index_title = _("編集できるもの")

__all__ = [
    "amendments",
    "api_keys",
    "cards",
    "changes",
    "contradictions",
    "entries",
    "feedback",
    "games",
    "lineages",
    "references",
    "reviews",
    "revisions",
    "sources",
    "subscriptions",
    "synonyms",
]

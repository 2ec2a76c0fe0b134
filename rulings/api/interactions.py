"""Interactions of cards."""

from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiExample, extend_schema

from rulings.api.base import MAX_ID
from rulings.api.entries import EntryDetailSerializer, EntryDetailView, EntryListView
from rulings.api.filters import EntryFilter
from rulings.api.pagination import add_warning
from rulings.models import Card, Entry, Kind
from rulings.text.fold import fold_key

MAX_CARDS = 10


class InteractionFilter(EntryFilter):
    cards = filters.CharFilter(
        method="naming",
        max_length=500,
        help_text="カードの ID か名前をコンマで区切って（順序は問わない）。すべてを名指すもの。",
    )

    def naming(self, queryset: Any, name: str, value: str) -> Any:
        for part in [part.strip() for part in value.split(",") if part.strip()][:MAX_CARDS]:
            queryset = queryset.naming_any_card(self.card_ids(part))
        return queryset

    def card_ids(self, part: str) -> list[int]:
        """The cards under an id or a name; several cards may share the name of a face."""
        if part.isascii() and part.isdigit() and len(part) <= 18:
            found = list(Card.objects.in_ids([min(int(part), MAX_ID)]).values_list("pk", flat=True))
        else:
            found = list(Card.objects.named(fold_key(part)).values_list("pk", flat=True))
        if not found:
            add_warning(self.request, "unknown_card", f"カード「{part[:100]}」は見つかりません。", "cards")
        return found


@extend_schema(
    summary="カード相互作用の一覧",
    tags=["カード相互作用"],
    examples=[OpenApiExample("二枚のカード", "12,345", parameter_only=("cards", "query"))],
)
class InteractionList(EntryListView):
    """二枚以上のカードが互いに働きかける場面の裁定。body と verdict は裁定する項目のもの。"""

    operation_id = "listInteractions"

    queryset = Entry.objects.filter(kind=Kind.INTERACTION)
    filterset_class = InteractionFilter


@extend_schema(
    summary="カード相互作用ひとつ",
    tags=["カード相互作用"],
    responses=EntryDetailSerializer,
)
class InteractionDetail(EntryDetailView):
    """カードと、それを裁定する項目。"""

    operation_id = "getInteraction"

    kind = Kind.INTERACTION

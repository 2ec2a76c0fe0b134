"""Questions and answers."""

from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema

from rulings.api.entries import EntryDetailSerializer, EntryDetailView, EntryListView
from rulings.api.filters import EntryFilter, IdFilter
from rulings.models import Entry, Kind, Verdict


class FaqFilter(EntryFilter):
    card = IdFilter(method="naming_card", help_text="このカード ID を名指す質問。")
    official_id = filters.CharFilter(max_length=50, help_text="公式の質問 ID。")
    verdict = filters.ChoiceFilter(choices=Verdict.choices, method="ruled", help_text="はい・いいえ・なし。")

    def naming_card(self, queryset: Any, name: str, value: int) -> Any:
        return queryset.naming_cards([value])

    def ruled(self, queryset: Any, name: str, value: str) -> Any:
        return queryset.ruled(value, self.form.cleaned_data["as_of"])


@extend_schema(summary="よくある質問の一覧", tags=["よくある質問"])
class FaqList(EntryListView):
    """規則集の順に。"""

    operation_id = "listFaqs"

    queryset = Entry.objects.filter(kind=Kind.FAQ)
    filterset_class = FaqFilter


@extend_schema(summary="よくある質問ひとつ", tags=["よくある質問"], responses=EntryDetailSerializer)
class FaqDetail(EntryDetailView):
    """質問、回答、引用された条項、出典。"""

    operation_id = "getFaq"

    kind = Kind.FAQ

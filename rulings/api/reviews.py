"""Reviews: what is in doubt, and what was decided. Decisions are made in the admin."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers

from rulings.api.base import ListView, page_url
from rulings.api.entries import EntryLinkSerializer, EntrySerializer
from rulings.api.filters import EntryFilter
from rulings.models import Contradiction, ContradictionKind, Decision, Doubt, Entry, Review
from rulings.services.decisions import offers


class ReviewSerializer(serializers.Serializer):
    """見直しの判断ひとつ。"""

    id = serializers.IntegerField()
    entry = EntryLinkSerializer()
    decision = serializers.ChoiceField(choices=Decision.choices)
    doubt = serializers.CharField(allow_blank=True, help_text="見直しを待っていた理由。")
    note = serializers.CharField(help_text="判断の理由。")
    successor = EntryLinkSerializer(allow_null=True)
    at = serializers.DateTimeField()


@extend_schema(summary="見直しの記録", tags=["項目"])
class ReviewList(ListView):
    """新しい順。"""

    operation_id = "listReviews"
    queryset = Review.objects.all()
    serializer_class = ReviewSerializer

    def for_display(self, queryset: Any) -> Any:
        return queryset.select_related("entry__ruleset", "successor__ruleset")


class OfferSerializer(serializers.Serializer):
    """移った番号。"""

    text = serializers.CharField(help_text="書かれている引用。")
    number = serializers.CharField(help_text="今の番号。")
    url = serializers.SerializerMethodField()

    def get_url(self, offer: Any) -> str:
        return page_url(self.context["request"], offer.section)


class DoubtSerializer(EntrySerializer):
    """見直しを待つ項目。"""

    status_on = serializers.DateField(allow_null=True)
    reasons = serializers.SerializerMethodField(help_text="疑いの理由。")
    offers = serializers.SerializerMethodField(help_text="引用のうち、番号が移ったもの。")

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_reasons(self, entry: Entry) -> list[str]:
        return [line for line in entry.status_reason.split("\n") if line]

    @extend_schema_field(OfferSerializer(many=True))
    def get_offers(self, entry: Entry) -> Any:
        return OfferSerializer(offers(entry), many=True, context=self.context).data


class DoubtFilter(EntryFilter):
    class Meta:
        exclude = ["status", "as_of"]

    def filter_queryset(self, queryset: Any) -> Any:
        return super(EntryFilter, self).filter_queryset(queryset)


@extend_schema(summary="見直しを待つ項目", tags=["項目"])
class DoubtList(ListView):
    """引用する規則が変わったため、見直しを待つ項目。新しい順。"""

    operation_id = "listDoubts"
    queryset = Doubt.objects.all()
    serializer_class = DoubtSerializer
    filterset_class = DoubtFilter

    def for_display(self, queryset: Any) -> Any:
        return queryset.for_display().order_by("-status_on", "pk")


class ContradictionSerializer(serializers.Serializer):
    """食い違う二つの回答。"""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=ContradictionKind.choices)
    older = EntryLinkSerializer()
    newer = EntryLinkSerializer()
    found_at = serializers.DateTimeField()


@extend_schema(summary="食い違う回答", tags=["項目"])
class ContradictionList(ListView):
    """どちらも有効なまま、まだ片付いていない組。新しい順。"""

    operation_id = "listContradictions"
    queryset = Contradiction.objects.all()
    serializer_class = ContradictionSerializer

    def for_display(self, queryset: Any) -> Any:
        return queryset.unsettled().select_related("older__ruleset", "newer__ruleset")

"""Amendments: the dated changes of rulesets."""

from typing import Any

from django.db.models import Count, F
from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import AnswerSerializer, ListView
from rulings.api.details import DetailView
from rulings.api.diffs import PieceSerializer
from rulings.api.entries import AmendmentLinkSerializer, EntryLinkSerializer, LineageSerializer
from rulings.api.filters import warn_unless_known
from rulings.api.sources import SourceSerializer
from rulings.models import Amendment, Event, Game, Ruleset
from rulings.models.amended import UNCHANGED, Amended, amended, by_group, load
from rulings.text.diffs import diff_words


class AmendmentSerializer(AmendmentLinkSerializer):
    """改定。規則集の最初の全文も改定のひとつ。"""

    game = serializers.CharField(source="ruleset.game.slug")
    ruleset = serializers.CharField(source="ruleset.slug")
    is_complete = serializers.BooleanField(help_text="規則集の全文を収めている。")
    change_count = serializers.IntegerField(help_text="改訂の数。")


class AmendedSerializer(serializers.Serializer):
    """改定が挙げる番号ひとつ（文面は項目の history/ にある）。"""

    id = serializers.IntegerField(source="revision_id", allow_null=True, help_text="改訂。unchanged では null。")
    event = serializers.ChoiceField(
        choices=[*Event.choices, (UNCHANGED, "告知に載るが、文面は変わらない")],
    )
    number = serializers.CharField(allow_blank=True)
    title = serializers.CharField(allow_blank=True)
    effective_on = serializers.DateField(source="revision.effective_on", allow_null=True, default=None)
    is_editorial = serializers.SerializerMethodField(help_text="規則の内容は変わらない変更。")
    entry = EntryLinkSerializer()
    lineages = LineageSerializer(many=True, help_text="この日の分割・統合。")
    diff = serializers.SerializerMethodField(help_text="本文の違いを言葉ごとに（edited と moved のとき）。")

    def get_is_editorial(self, change: Amended) -> bool:
        return change.revision.is_editorial if change.revision else bool(change.group and change.group.is_editorial)

    @extend_schema_field(PieceSerializer(many=True))
    def get_diff(self, change: Amended) -> Any:
        if change.before is None or change.revision is None or not change.revision.is_text:
            return []
        return PieceSerializer(diff_words(change.before.body, change.revision.body), many=True).data


class AmendmentGroupSerializer(serializers.Serializer):
    """告知の中のひとまとまり。"""

    title = serializers.CharField(allow_blank=True)
    is_editorial = serializers.BooleanField()
    changes = AmendedSerializer(many=True)


class AmendmentDetailSerializer(AmendmentSerializer, AnswerSerializer):
    """改定と、それが行った改訂。"""

    source = SourceSerializer(allow_null=True)  # type: ignore[assignment]
    groups = serializers.SerializerMethodField(help_text="まとまりごとの改訂。どこにも属さないものは最後。")

    @extend_schema_field(AmendmentGroupSerializer(many=True))
    def get_groups(self, amendment: Amendment) -> Any:
        changes = amended(amendment)
        load(changes)
        groups = [
            {
                "title": found.group.title if found.group else "",
                "is_editorial": bool(found.group and found.group.is_editorial),
                "changes": found.changes,
            }
            for found in by_group(changes)
        ]
        return AmendmentGroupSerializer(groups, many=True, context=self.context).data


class AmendmentFilter(filters.FilterSet):
    game = filters.CharFilter(method="of_game", max_length=50, help_text="ゲームのスラッグ。")
    ruleset = filters.CharFilter(method="of_ruleset", max_length=50, help_text="規則集のスラッグ。")

    def of_game(self, queryset: Any, name: str, value: str) -> Any:
        warn_unless_known(self.request, Game, name, value)
        return queryset.filter(ruleset__game__slug=value)

    def of_ruleset(self, queryset: Any, name: str, value: str) -> Any:
        warn_unless_known(self.request, Ruleset, name, value)
        return queryset.filter(ruleset__slug=value)


def shown_amendments() -> Any:
    rows = Amendment.objects.select_related("ruleset__game", "source").defer("source__text", "source__account")
    # Counting groups the rows, and groups forget the order of the model.
    return rows.annotate(change_count=Count("revisions")).order_by(F("effective_on").desc(nulls_last=True), "-pk")


@extend_schema(summary="改定の一覧", tags=["改定"])
class AmendmentList(ListView):
    """施行日の新しい順。"""

    operation_id = "listAmendments"

    queryset = Amendment.objects.all()
    serializer_class = AmendmentSerializer
    filterset_class = AmendmentFilter

    def get_queryset(self) -> Any:
        return shown_amendments()


@extend_schema(summary="改定ひとつ", tags=["改定"], responses=AmendmentDetailSerializer)
class AmendmentDetail(DetailView):
    """まとまりごとの改訂と出典。"""

    operation_id = "getAmendment"
    detail_class = AmendmentDetailSerializer

    def get(self, request: Request, pk: int) -> Response:
        amendment = get_object_or_404(shown_amendments().prefetch_related("groups"), pk=pk)
        return self.shown(amendment)

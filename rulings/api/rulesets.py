"""Rulesets and their tables of contents."""

from collections import defaultdict
from typing import Any

from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.helpers import lazy_serializer
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import AnswerSerializer, ListView, PagedSerializer
from rulings.api.details import DetailView
from rulings.api.entries import AmendmentLinkSerializer, title_of
from rulings.api.sources import SourceSerializer
from rulings.models import Amendment, Authority, Entry, Kind, Level, Ruleset, Source

CONTENTS_LEVELS = (Level.PART, Level.CHAPTER, Level.HEADING)


class RulesetSerializer(PagedSerializer):
    """規則集。"""

    slug = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField(source="game.slug")
    authority = serializers.ChoiceField(choices=Authority.choices)
    base = serializers.CharField(source="base.slug", allow_null=True, default=None, help_text="上書きする規則集。")
    description = serializers.CharField(allow_blank=True)
    section_count = serializers.IntegerField(help_text="効力のある条項の数。")
    faq_count = serializers.IntegerField(help_text="効力のあるよくある質問の数。")


class ContentsSerializer(serializers.Serializer):
    """目次の一行と、その下。"""

    id = serializers.IntegerField()
    number = serializers.CharField()
    title = serializers.SerializerMethodField()
    level = serializers.ChoiceField(choices=Level.choices)
    url = serializers.SerializerMethodField()
    children = serializers.SerializerMethodField()

    def get_title(self, entry: Entry) -> str:
        return title_of(entry, None)

    def get_url(self, entry: Entry) -> str:
        return self.context["request"].build_absolute_uri(entry.get_absolute_url())

    @extend_schema_field(lazy_serializer("rulings.api.rulesets.ContentsSerializer")(many=True))
    def get_children(self, entry: Entry) -> Any:
        return ContentsSerializer(self.context["contents"][entry.pk], many=True, context=self.context).data


class RulesetDetailSerializer(RulesetSerializer, AnswerSerializer):
    """規則集と目次。"""

    overlays = serializers.SerializerMethodField(help_text="これを上書きする規則集。")
    latest_amendment = serializers.SerializerMethodField()
    sources = serializers.SerializerMethodField()
    contents = serializers.SerializerMethodField(help_text="目次（部・章・見出し）。")

    def get_overlays(self, ruleset: Ruleset) -> list[str]:
        return list(ruleset.overlays.values_list("slug", flat=True))

    @extend_schema_field(AmendmentLinkSerializer(allow_null=True))
    def get_latest_amendment(self, ruleset: Ruleset) -> Any:
        latest = Amendment.objects.filter(ruleset=ruleset).first()
        return AmendmentLinkSerializer(latest, context=self.context).data if latest else None

    @extend_schema_field(SourceSerializer(many=True))
    def get_sources(self, ruleset: Ruleset) -> Any:
        return SourceSerializer(Source.objects.filter(ruleset=ruleset).defer("text", "account"), many=True).data

    @extend_schema_field(ContentsSerializer(many=True))
    def get_contents(self, ruleset: Ruleset) -> Any:
        rows = Entry.objects.live().filter(ruleset=ruleset, kind=Kind.SECTION, level__in=CONTENTS_LEVELS)
        shown = list(rows.select_related("ruleset").with_wording().in_book_order())
        listed = {entry.pk for entry in shown}
        below: dict[int | None, list[Entry]] = defaultdict(list)
        for entry in shown:
            below[entry.parent_id if entry.parent_id in listed else None].append(entry)
        return ContentsSerializer(below[None], many=True, context={**self.context, "contents": below}).data


class RulesetFilter(filters.FilterSet):
    game = filters.CharFilter("game__slug", max_length=50, help_text="ゲームのスラッグ。")
    authority = filters.ChoiceFilter(choices=Authority.choices)


@extend_schema(summary="規則集の一覧", tags=["規則集"])
class RulesetList(ListView):
    """すべてのゲームの規則集。"""

    operation_id = "listRulesets"

    queryset = Ruleset.objects.all()
    serializer_class = RulesetSerializer
    filterset_class = RulesetFilter

    def for_display(self, queryset: Any) -> Any:
        return queryset.select_related("game", "base").with_counts().order_by("game__slug", "position", "slug")


@extend_schema(summary="規則集ひとつと目次", tags=["規則集"], responses=RulesetDetailSerializer)
class RulesetDetail(DetailView):
    """条項の数、最新の改定、出典、目次。"""

    operation_id = "getRuleset"
    detail_class = RulesetDetailSerializer

    def get(self, request: Request, slug: str) -> Response:
        ruleset = get_object_or_404(Ruleset.objects.select_related("game", "base").with_counts(), slug=slug)
        return self.shown(ruleset)

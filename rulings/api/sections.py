"""Sections of a ruleset: by number in any writing, with what stands under them and with their history."""

from collections import defaultdict
from typing import Any

from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.helpers import lazy_serializer
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import AsOfParameters, ListView
from rulings.api.dating import find_section, refuse_unknown_day
from rulings.api.diffs import PieceSerializer
from rulings.api.entries import (
    AmendmentLinkSerializer,
    EntryDetailSerializer,
    EntryDetailView,
    EntryListView,
    EntrySerializer,
    ExampleSerializer,
    LineageSerializer,
)
from rulings.api.filters import EntryFilter
from rulings.api.pagination import add_warning
from rulings.api.sources import SourceSerializer
from rulings.models import Entry, Event, Kind, Level, Lineage, Revision, Ruleset, Verdict
from rulings.models.histories import histories_at
from rulings.text.diffs import diff_words
from rulings.text.numbers import parse_number

MAX_DEPTH = 5


class SectionSerializer(EntrySerializer):
    """条項（一覧の行）。"""

    printed_number = serializers.CharField(allow_blank=True)
    level = serializers.ChoiceField(choices=Level.choices)
    parent = serializers.IntegerField(  # type: ignore[assignment]
        source="parent_id", allow_null=True, help_text="親の条項の ID。"
    )


class SectionNodeSerializer(SectionSerializer):
    """条項と、その下の条項。"""

    children = serializers.SerializerMethodField()

    @extend_schema_field(lazy_serializer("rulings.api.sections.SectionNodeSerializer")(many=True))
    def get_children(self, entry: Entry) -> Any:
        rows = self.context["children"].get(entry.pk, [])
        return SectionNodeSerializer(rows, many=True, context=self.context).data


class SectionDetailSerializer(EntryDetailSerializer):
    """条項のすべて。"""

    children = serializers.SerializerMethodField(help_text="depth 段までの下の条項。")

    @extend_schema_field(SectionNodeSerializer(many=True))
    def get_children(self, entry: Entry) -> Any:
        rows = self.context["children"].get(entry.pk, [])
        return SectionNodeSerializer(rows, many=True, context=self.context).data


class FormerSerializer(serializers.Serializer):
    """前の文面。"""

    id = serializers.IntegerField()
    number = serializers.CharField(allow_blank=True)


class RevisionSerializer(serializers.Serializer):
    """ある期間の文面。削除（deleted）には文面がない。"""

    id = serializers.IntegerField()
    event = serializers.ChoiceField(choices=Event.choices)
    number = serializers.CharField(allow_blank=True, help_text="そのときの番号。")
    title = serializers.CharField(allow_blank=True)
    body = serializers.CharField(allow_blank=True)
    examples = ExampleSerializer(many=True)
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    effective_on = serializers.DateField(allow_null=True, help_text="この日から（null は不明）。")
    ended_on = serializers.DateField(allow_null=True, help_text="この日には効力がない（null は続いている）。")
    is_editorial = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    retracted_on = serializers.DateField(allow_null=True, help_text="予告が取りやめられた日（一度も効力をもたない）。")
    retraction = serializers.CharField(allow_blank=True, help_text="取りやめた理由。")
    amendment = AmendmentLinkSerializer(allow_null=True)
    source = SourceSerializer(allow_null=True)  # type: ignore[assignment]
    lineages = serializers.SerializerMethodField(help_text="この日の分割・統合。")
    before = serializers.SerializerMethodField(help_text="この文面が替わった前の文面（id と番号）。")
    diff = serializers.SerializerMethodField(help_text="前の文面との本文の違いを言葉ごとに（前がなければ空）。")

    @extend_schema_field(LineageSerializer(many=True))
    def get_lineages(self, revision: Revision) -> Any:
        return LineageSerializer(self.context["lineages"].get(revision.pk, []), many=True, context=self.context).data

    @extend_schema_field(FormerSerializer(allow_null=True))
    def get_before(self, revision: Revision) -> Any:
        former = self.context["before"].get(revision.pk)
        return FormerSerializer(former).data if former else None

    @extend_schema_field(PieceSerializer(many=True))
    def get_diff(self, revision: Revision) -> Any:
        former = self.context["before"].get(revision.pk)
        if former is None or not revision.is_text:
            return []
        return PieceSerializer(diff_words(former.body, revision.body), many=True).data


class SectionParameters(AsOfParameters):
    depth = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_DEPTH, default=0, help_text="下の条項を何段返すか（0〜5）。"
    )


class SectionFilter(EntryFilter):
    level = filters.ChoiceFilter(choices=Level.choices)

    class Meta:
        exclude = ["ruleset", "game"]


@extend_schema(summary="規則集の条項の一覧", tags=["規則集"])
class SectionList(EntryListView):
    """規則集の条項を書かれている順に。"""

    operation_id = "listSections"

    serializer_class = SectionSerializer
    filterset_class = SectionFilter

    def get_queryset(self) -> Any:
        ruleset = get_object_or_404(Ruleset, slug=self.kwargs.get("slug"))
        return Entry.objects.filter(kind=Kind.SECTION, ruleset=ruleset)


@extend_schema(
    summary="番号で条項ひとつ",
    tags=["規則集"],
    responses=SectionDetailSerializer,
    examples=[OpenApiExample("全角で書いた番号", "８０５．４ａ", parameter_only=("number", "path"))],
)
class SectionDetail(EntryDetailView):
    """番号はどの書き方でもよい（`805.4a`、`８０５．４ａ`、`805-4a`）。番号のない規則集ではスラッグ。"""

    operation_id = "getSection"

    parameters_class = SectionParameters
    detail_class = SectionDetailSerializer

    def get(self, request: Request, slug: str, number: str) -> Response:  # type: ignore[override]
        section = find_section(Entry.objects.for_display(self.as_of), slug, number, self.as_of)
        refuse_unknown_day(section, self.as_of)
        parsed = parse_number(number)
        if parsed is not None and section.shown_number != str(parsed):
            message = f"{parsed} はいまはなく、その条項は {section.shown_number} です。"
            add_warning(request, "number_moved", message, "number")
        return self.shown(section, children=self.children(section))

    def children(self, section: Entry) -> dict[int | None, list[Entry]]:
        """The sections below, by the id of their parent; one query for all levels."""
        depth = self.parameters["depth"]
        found: dict[int | None, list[Entry]] = defaultdict(list)
        if depth:
            rows = Entry.objects.below(section, depth).with_status(None, self.as_of)
            for row in rows.for_display(self.as_of).in_book_order():
                found[row.parent_id].append(row)
        return found


@extend_schema(summary="条項の改訂の履歴", tags=["規則集"])
class SectionHistory(ListView):
    """新しい順。これから施行される文面も含む。同じ番号が別の条項にも使われたときは warnings で知らせる。"""

    operation_id = "listSectionHistory"

    queryset = Revision.objects.all()
    serializer_class = RevisionSerializer
    before: dict[int, Revision | None]
    lineages: dict[int, list[Lineage]]

    def get_queryset(self) -> Any:
        section = find_section(Entry.objects.all(), self.kwargs["slug"], self.kwargs["number"])
        histories = histories_at(section.ruleset, section.number)
        own = next(history for history in histories if history.entry.pk == section.pk)
        self.before = {step.revision.pk: step.before for step in own.steps}
        self.lineages = {step.revision.pk: step.lineages for step in own.steps}
        for other in histories:
            if other.entry.pk != section.pk:
                message = f"この番号は別の条項（entries/{other.entry.pk}/）にも使われました。"
                add_warning(self.request, "number_reused", message, "number")
        rows = Revision.objects.filter(entry=section).select_related("amendment", "source")
        return rows.defer("source__text", "source__account").newest_first()

    def context(self) -> dict[str, Any]:
        return super().context() | {"before": self.before, "lineages": self.lineages}

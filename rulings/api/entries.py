"""Entries: what every kind of them shows, in lists and alone."""

from datetime import date
from functools import cached_property
from typing import Any

from django.db.models import OuterRef, Prefetch, Subquery
from django.http import Http404
from django.utils import timezone
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import AnswerSerializer, AsOfParameters, ListView, PagedSerializer
from rulings.api.dating import refuse_unknown_day, warn_of_unknown_day
from rulings.api.details import DetailView
from rulings.api.expanding import included
from rulings.api.filters import EntryFilter, IdFilter
from rulings.api.rows import entry_row
from rulings.api.sources import SourceLinesSerializer, lines_of
from rulings.models import (
    Change,
    Contradiction,
    CrossReference,
    Entry,
    Event,
    Kind,
    Level,
    Lineage,
    LineageKind,
    Place,
    Revision,
    Status,
    Verdict,
)
from rulings.text.citations import CitationKind

CITED_BY_SHOWN = 50
LAST_CHANGE = Subquery(Change.objects.filter(entry=OuterRef("pk")).order_by("-number").values("number")[:1])
NO_EXAMPLES: list[dict[str, str]] = []


class CardLinkSerializer(serializers.Serializer):
    """カードへの参照。"""

    id = serializers.IntegerField()
    name = serializers.CharField()


class ExampleSerializer(serializers.Serializer):
    """条項に添えられた例。"""

    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    text = serializers.CharField(allow_blank=True)


class EntryLinkSerializer(PagedSerializer):
    """項目への参照。"""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Kind.choices)
    ruleset = serializers.CharField(source="ruleset.slug")
    number = serializers.CharField(allow_blank=True)


class TitledLinkSerializer(EntryLinkSerializer):
    """項目への参照と、その見出し。"""

    title = serializers.SerializerMethodField()

    def get_title(self, entry: Entry) -> str:
        return title_of(entry, self.context["as_of"])


class EntrySerializer(PagedSerializer):
    """項目。番号を持つのは条項だけで、ほかの種類では空文字。"""

    id = serializers.IntegerField(help_text="変わらない ID。")
    kind = serializers.ChoiceField(choices=Kind.choices)
    game = serializers.CharField(source="ruleset.game.slug")
    ruleset = serializers.CharField(source="ruleset.slug")
    authority = serializers.CharField(source="ruleset.authority", help_text="official / organizer / community / house")
    number = serializers.CharField(
        source="shown_number", allow_blank=True, help_text="条番号、または文書に番号がなければスラッグ。"
    )
    title = serializers.SerializerMethodField(help_text="見出し、質問、または状況。")
    body = serializers.SerializerMethodField(help_text="本文、回答、または裁定。")
    examples = serializers.SerializerMethodField()
    verdict = serializers.SerializerMethodField(help_text="yes / no / none（はい・いいえで答えていない）")
    cards = CardLinkSerializer(many=True)
    status = serializers.ChoiceField(
        source="shown_status", choices=Status.choices, help_text="as_of の日の状態（省略時は今日）。"
    )
    superseded_by = EntryLinkSerializer(source="shown_successor", allow_null=True)
    effective_on = serializers.SerializerMethodField(help_text="この文面の施行日。null は不明。")
    contradicts = serializers.SerializerMethodField(
        help_text="これと食い違ったまま、まだ片付いていない回答（as_of を付けたときは空）。"
    )

    @extend_schema_field(EntryLinkSerializer(many=True))
    def get_contradicts(self, entry: Entry) -> Any:
        if self.context["as_of"] is not None:
            return []
        others = self.unsettled().get(entry.pk)
        return EntryLinkSerializer(others, many=True, context=self.context).data if others else []

    def to_representation(self, entry: Any) -> Any:
        """The row, written at once; a serializer that shows more goes by its fields."""
        return self.row(entry, self.context["as_of"]) if type(self) is EntrySerializer else self.by_fields(entry)

    def by_fields(self, entry: Entry) -> Any:
        return super().to_representation(entry)

    def row(self, entry: Entry, on: date | None, *, is_whole: bool = False) -> dict[str, Any]:
        disagreeing = self.unsettled().get(entry.pk, []) if on is None else []
        return entry_row(entry, self.context["request"], on or self.today, disagreeing, is_whole=is_whole)

    @cached_property
    def today(self) -> date:
        return timezone.localdate()

    def unsettled(self) -> dict[int, list[Entry]]:
        """All answers that disagree, read once for all rows of an answer."""
        request = self.context["request"]
        if not hasattr(request, "unsettled_contradictions"):
            request.unsettled_contradictions = Contradiction.objects.by_entry()
        return request.unsettled_contradictions

    def wording(self, entry: Entry) -> Revision | None:
        """The wording that rules: for an interaction that of the entry it points at."""
        return entry.ruling.wording_on(self.context["as_of"])

    def get_title(self, entry: Entry) -> str:
        return title_of(entry, self.context["as_of"])

    def get_body(self, entry: Entry) -> str:
        wording = self.wording(entry)
        return wording.body if wording else ""

    @extend_schema_field(ExampleSerializer(many=True))
    def get_examples(self, entry: Entry) -> list[dict[str, str]]:
        wording = self.wording(entry)
        return wording.examples if wording else NO_EXAMPLES

    @extend_schema_field(serializers.ChoiceField(choices=Verdict.choices))
    def get_verdict(self, entry: Entry) -> str:
        wording = self.wording(entry)
        return wording.verdict if wording else Verdict.NONE.value

    def get_effective_on(self, entry: Entry) -> date | None:
        wording = self.wording(entry)
        return wording.effective_on if wording else None


class ReferenceSerializer(serializers.Serializer):
    """文面の中の引用。書かれていたことと、それが今どこを指すか（どこも指さなければ両方 null）。"""

    place = serializers.ChoiceField(choices=Place.choices)
    example = serializers.IntegerField(help_text="place が example のとき、何番目の例か（0から）。")
    start = serializers.IntegerField(help_text="引用の始まり（文字数、0から）。")
    end = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=[kind.value for kind in CitationKind])
    text = serializers.CharField(help_text="書かれていた文字。")
    key = serializers.CharField(help_text="探すときのキー。")
    ruleset = serializers.CharField(source="ruleset.slug", allow_null=True, default=None)
    entry = TitledLinkSerializer(allow_null=True)
    card = CardLinkSerializer(allow_null=True)


class AmendmentLinkSerializer(PagedSerializer):
    """改定への参照。"""

    id = serializers.IntegerField()
    title = serializers.CharField()
    announced_on = serializers.DateField(allow_null=True)
    effective_on = serializers.DateField(allow_null=True)


class RevisionSummarySerializer(serializers.Serializer):
    """改訂の要約（文面は history/ にある）。"""

    id = serializers.IntegerField()
    event = serializers.ChoiceField(choices=Event.choices)
    number = serializers.CharField(allow_blank=True, help_text="そのときの番号。")
    effective_on = serializers.DateField(allow_null=True)
    ended_on = serializers.DateField(allow_null=True)
    is_editorial = serializers.BooleanField()
    retracted_on = serializers.DateField(allow_null=True, help_text="予告が取りやめられた日（一度も効力をもたない）。")
    amendment = AmendmentLinkSerializer(allow_null=True)


class LineageSerializer(serializers.Serializer):
    """条項の分割・統合。before の文の一部（統合では全部）が after に移った。"""

    kind = serializers.ChoiceField(choices=LineageKind.choices)
    before = EntryLinkSerializer()
    after = EntryLinkSerializer()
    effective_on = serializers.DateField()
    note = serializers.CharField(allow_blank=True)


class EntryDetailSerializer(EntrySerializer, AnswerSerializer):
    """項目のすべて。"""

    printed_number = serializers.CharField(allow_blank=True, help_text="文書に印刷されていた番号。")
    level = serializers.ChoiceField(choices=Level.choices, allow_blank=True)
    in_force = serializers.SerializerMethodField(help_text="as_of（省略時は今日）に効力があるか。")
    parent = TitledLinkSerializer(allow_null=True)
    ruled_by = TitledLinkSerializer(allow_null=True, help_text="カード相互作用を裁定する項目。")
    group_name = serializers.CharField(allow_blank=True, help_text="カード相互作用が名指すカードのまとまり。")
    official_id = serializers.CharField(allow_blank=True)
    official_url = serializers.CharField(source="url", allow_blank=True)
    status_on = serializers.DateField(allow_null=True)
    status_reason = serializers.CharField(allow_blank=True)
    references = serializers.SerializerMethodField(help_text="この文面が引用するもの。")
    cited_by_count = serializers.SerializerMethodField()
    cited_by = serializers.SerializerMethodField(
        help_text=f"この項目を引用する項目（先頭の {CITED_BY_SHOWN} 件。すべては entries/?cites=ID）。"
    )
    source = serializers.SerializerMethodField(  # type: ignore[assignment]
        help_text="出典と、そこから読んだ行。"
    )
    revisions = serializers.SerializerMethodField(help_text="新しい順。")
    lineages = serializers.SerializerMethodField(help_text="この項目が前か後に立つ分割・統合。古い順。")

    def get_in_force(self, entry: Entry) -> bool:
        return entry.ruling.is_in_force_on(self.context["as_of"])

    @extend_schema_field(ReferenceSerializer(many=True))
    def get_references(self, entry: Entry) -> Any:
        wording = self.wording(entry)
        cited = Prefetch("entry", Entry.objects.select_related("ruleset").with_wording(self.context["as_of"]))
        rows = CrossReference.objects.filter(revision=wording).select_related("card", "ruleset").prefetch_related(cited)
        return ReferenceSerializer(rows, many=True, context=self.context).data

    def get_cited_by_count(self, entry: Entry) -> int:
        return Entry.objects.live().citing(entry, self.context["as_of"]).count()

    @extend_schema_field(TitledLinkSerializer(many=True))
    def get_cited_by(self, entry: Entry) -> Any:
        citing = Entry.objects.live().citing(entry, self.context["as_of"])
        rows = citing.select_related("ruleset").with_wording(self.context["as_of"]).in_book_order()
        return TitledLinkSerializer(rows[:CITED_BY_SHOWN], many=True, context=self.context).data

    @extend_schema_field(SourceLinesSerializer(allow_null=True))
    def get_source(self, entry: Entry) -> Any:
        return lines_of(entry, self.wording(entry))

    @extend_schema_field(RevisionSummarySerializer(many=True))
    def get_revisions(self, entry: Entry) -> Any:
        rows = sorted(entry.revisions.select_related("amendment"), key=Revision.chronology, reverse=True)
        return RevisionSummarySerializer(rows, many=True, context=self.context).data

    @extend_schema_field(LineageSerializer(many=True))
    def get_lineages(self, entry: Entry) -> Any:
        return LineageSerializer(Lineage.objects.of([entry.pk])[entry.pk], many=True, context=self.context).data


def title_of(entry: Entry, as_of: date | None) -> str:
    return entry.title_on(as_of)


class EntryListFilter(EntryFilter):
    kind = filters.ChoiceFilter(choices=Kind.choices)
    card = IdFilter(method="naming_card", help_text="このカード ID を名指す項目。")
    cites = IdFilter(method="citing", help_text="この項目 ID を引用する項目。")

    def naming_card(self, queryset: Any, name: str, value: int) -> Any:
        return queryset.naming_cards([value])

    def citing(self, queryset: Any, name: str, value: int) -> Any:
        return queryset.citing(value)


class EntryListView(ListView):
    """A list of entries in the order of their books."""

    queryset = Entry.objects.all()
    serializer_class: Any = EntrySerializer
    filterset_class = EntryListFilter
    orderings = {
        "id": ("pk",),
        "-id": ("-pk",),
        "number": ("sort_key", "pk"),
        "-number": ("-sort_key", "-pk"),
        "-changed": (LAST_CHANGE.desc(nulls_last=True), "-pk"),
    }
    shapes: tuple[str, ...] = ("cursor", "ordering", "fields", "expand")

    def beside(self, found: list[Any]) -> dict[str, Any]:
        return included(self.request, found, self.context())

    def for_display(self, queryset: Any) -> Any:
        warn_of_unknown_day(self.request, self.as_of, self.filtered.get("game"), self.asked_ruleset())
        return queryset.for_display(self.as_of).in_book_order()

    def asked_ruleset(self) -> str | None:
        return self.kwargs.get("slug") or self.filtered.get("ruleset")


@extend_schema(summary="項目の一覧", tags=["項目"])
class EntryList(EntryListView):
    """条項・よくある質問・カード相互作用をまとめて、規則集の順に。"""

    operation_id = "listEntries"


class EntryDetailView(DetailView):
    """One entry of one kind, or of any."""

    parameters_class = AsOfParameters
    shapes: tuple[str, ...] = ("fields", "expand")
    detail_class: Any = EntryDetailSerializer
    kind: Kind | None = None

    def get_entry(self, pk: int) -> Entry:
        rows = Entry.objects.filter(kind=self.kind) if self.kind else Entry.objects.all()
        entry = rows.for_display(self.as_of).filter(pk=pk).first()
        if entry is None:
            raise Http404
        refuse_unknown_day(entry, self.as_of)
        return entry

    def get(self, request: Request, pk: int) -> Response:
        return self.shown(self.get_entry(pk))

    def beside(self, row: Entry) -> dict[str, Any]:
        return included(self.request, [row], self.context())


@extend_schema(summary="項目ひとつ", tags=["項目"], responses=EntryDetailSerializer)
class EntryDetail(EntryDetailView):
    """文面、カード、引用するもの・されるもの、出典の行、状態、後継、改訂の要約。"""

    operation_id = "getEntry"

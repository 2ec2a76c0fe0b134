"""What changed in a ruleset between two dates."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import ApiView, Parameters, WarningSerializer
from rulings.api.dating import find_section, warn_of_unknown_day
from rulings.api.entries import EntryLinkSerializer, ExampleSerializer
from rulings.api.errors import Problem
from rulings.api.pagination import check_page, envelope, read_page
from rulings.api.saying import say
from rulings.models import Entry, Ruleset
from rulings.models.diffs import Difference, counted, ruleset_differences
from rulings.text.diffs import Op, diff_words


class WordingSerializer(serializers.Serializer):
    """ある日の文面。"""

    number = serializers.CharField(allow_blank=True)
    title = serializers.CharField(allow_blank=True)
    body = serializers.CharField(allow_blank=True)
    examples = ExampleSerializer(many=True)
    effective_on = serializers.DateField(allow_null=True)


class PieceSerializer(serializers.Serializer):
    """文面の違いのひとかたまり。"""

    op = serializers.ChoiceField(choices=[Op.EQUAL.value, Op.DELETE.value, Op.INSERT.value])
    text = serializers.CharField(trim_whitespace=False)


DIFFERENCES = [
    ("added", "追加"),
    ("deleted", "削除"),
    ("edited", "変更"),
    ("moved", "番号が移った（is_edited なら文面も変わった）"),
    ("renumbered", "引用する番号が移転に合わせて変わっただけ"),
]


class CountsSerializer(serializers.Serializer):
    """種類ごとの数。"""

    added = serializers.IntegerField()
    deleted = serializers.IntegerField()
    edited = serializers.IntegerField()
    moved = serializers.IntegerField()
    renumbered = serializers.IntegerField()


class DifferenceSerializer(serializers.Serializer):
    """条項ひとつの違い。追加では old が、削除では new が null。"""

    kind = serializers.ChoiceField(choices=DIFFERENCES)
    is_edited = serializers.BooleanField(help_text="文面が、移転に合わせた番号のほかにも変わったか。")
    is_editorial = serializers.BooleanField(help_text="規則の内容は変わらない変更。")
    entry = EntryLinkSerializer()
    old = WordingSerializer(allow_null=True)
    new = WordingSerializer(allow_null=True)
    diff = serializers.SerializerMethodField(help_text="本文の違いを言葉ごとに（追加と削除では空）。")

    @extend_schema_field(PieceSerializer(many=True))
    def get_diff(self, difference: Difference) -> Any:
        if difference.old is None or difference.new is None:
            return []
        return PieceSerializer(diff_words(difference.old.body, difference.new.body), many=True).data


class DiffSerializer(serializers.Serializer):
    """二つの日の違い。"""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    ruleset = serializers.CharField()
    earlier = serializers.DateField(help_text="比べた前の日（from）。")
    later = serializers.DateField(help_text="比べた後の日（to）。")
    section = serializers.CharField(allow_null=True, help_text="比べた条項の番号（規則集の全体では null）。")
    counts = CountsSerializer(help_text="種類ごとの数（すべてのページを通して）。")
    warnings = WarningSerializer(many=True)
    results = DifferenceSerializer(many=True)


class DiffParameters(Parameters):
    to = serializers.DateField(
        required=False, input_formats=["%Y-%m-%d"], help_text="後の日（YYYY-MM-DD、省略時は今日）。"
    )
    section = serializers.CharField(required=False, max_length=120, help_text="この番号の条項と、その下だけを比べる。")
    page = serializers.IntegerField(required=False, min_value=1, help_text="ページ番号（1から）。")
    page_size = serializers.IntegerField(required=False, min_value=1, help_text="1ページの件数（100まで）。")

    def get_fields(self) -> dict[str, Any]:
        # `from` is a word of Python and cannot be the name of an attribute.
        start = serializers.DateField(input_formats=["%Y-%m-%d"], help_text="前の日（YYYY-MM-DD）。")
        return {"from": start, **super().get_fields()}


@extend_schema(
    summary="規則集の二つの日の違い",
    tags=["規則集"],
    responses=DiffSerializer,
    examples=[OpenApiExample("前の日", "2025-01-01", parameter_only=("from", "query"))],
)
class RulesetDiff(ApiView):
    """from の日と to の日に効力のあった条項を比べ、違うものを規則集の順に返す。

    同じ条項は、番号が変わっても同じ条項として比べる。同じ番号でも、別の条項は削除と追加になる。
    """

    operation_id = "diffRuleset"
    limit_class = "heavy"

    parameters_class = DiffParameters

    def read_parameters(self, request: Request) -> dict[str, Any]:
        self.page = read_page(request)
        return super().read_parameters(request)

    def get(self, request: Request, slug: str) -> Response:
        earlier = self.parameters["from"]
        later = self.parameters.get("to") or timezone.localdate()
        if earlier > later:
            detail = say("from_before_to", start=earlier, end=later)
            raise Problem("invalid_parameter", detail, parameter="from")
        ruleset = get_object_or_404(Ruleset, slug=slug)
        number = self.parameters.get("section")
        section = find_section(Entry.objects.all(), slug, number, later) if number else None
        warn_of_unknown_day(request, earlier, None, slug)
        found = ruleset_differences(ruleset, earlier, later, section)
        check_page(self.page, len(found))
        shown = found[self.page.start : self.page.start + self.page.size]
        rows = DifferenceSerializer(shown, many=True, context=self.context()).data
        answer = envelope(request, self.page, len(found), rows)
        dates = {"ruleset": slug, "earlier": earlier, "later": later}
        return Response(answer | dates | {"section": section.number if section else None, "counts": counted(found)})

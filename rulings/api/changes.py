"""The change log, for those who keep a copy."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.utils.urls import remove_query_param, replace_query_param

from rulings.api.base import ApiView, Parameters, WarningSerializer, page_url
from rulings.api.errors import Problem
from rulings.api.pagination import MAX_PAGE_SIZE, read_count, read_size, warnings_of
from rulings.models import Change, ChangeKind


class ChangeSerializer(serializers.Serializer):
    """公開された変更ひとつ。"""

    number = serializers.IntegerField(help_text="1から、欠番なく増える。")
    change = serializers.ChoiceField(choices=ChangeKind.choices, source="kind")
    kind = serializers.SerializerMethodField()
    id = serializers.SerializerMethodField(help_text="項目またはカードの ID。")
    at = serializers.DateTimeField()
    url = serializers.SerializerMethodField(help_text="サイトのページ。")
    api_url = serializers.SerializerMethodField(help_text="今の内容を取るアドレス。")

    def get_kind(self, change: Change) -> str:
        return change.entry.kind if change.entry else "card"

    def get_id(self, change: Change) -> int:
        return change.entry_id or change.card_id or 0

    def get_url(self, change: Change) -> str:
        return page_url(self.context["request"], change.entry or change.card)

    def get_api_url(self, change: Change) -> str:
        name, pk = ("api-entry", change.entry_id) if change.entry_id else ("api-card", change.card_id)
        return reverse(name, args=[pk], request=self.context["request"])


class ChangesSerializer(serializers.Serializer):
    """since より後の変更。"""

    count = serializers.IntegerField(help_text="since より後の変更の数。")
    latest = serializers.IntegerField(help_text="最後の変更の番号。次はこれを since に。")
    next = serializers.URLField(allow_null=True, help_text="続き。")
    previous = serializers.URLField(allow_null=True, help_text="いつも null（since で進む）。")
    warnings = WarningSerializer(many=True)
    results = ChangeSerializer(many=True)


class ChangesParameters(Parameters):
    since = serializers.IntegerField(
        required=False, min_value=0, default=0, help_text="この番号より後の変更を返す（省略時は最初から）。"
    )
    page_size = serializers.IntegerField(
        required=False, min_value=1, help_text=f"一度に返す件数。{MAX_PAGE_SIZE} まで。"
    )


@extend_schema(
    summary="変更の記録",
    tags=["同期"],
    responses=ChangesSerializer,
    examples=[OpenApiExample("最初から", "0", parameter_only=("since", "query"))],
)
class ChangeList(ApiView):
    """番号順。`next` がなくなるまでたどり、最後に得た番号を次の `since` にする。

    番号がこのサイトの最後の番号より大きいときは、別のデータベースの番号なので 410（`resync_required`）を返す。
    """

    operation_id = "listChanges"

    parameters_class = ChangesParameters

    def read_parameters(self, request: Request) -> dict[str, Any]:
        return {"since": read_count(request, "since", 0, least=0), "page_size": read_size(request)}

    def get(self, request: Request) -> Response:
        since, size = self.parameters["since"], self.parameters["page_size"]
        latest = self.change_number or 0
        if since > latest:
            detail = f"最後の変更は {latest} 番です。{since} 番は別のデータのものなので、はじめから取り直してください。"
            raise Problem("resync_required", detail, status_code=410, parameter="since")
        later = Change.objects.filter(number__gt=since, number__lte=latest).select_related("entry__ruleset", "card")
        rows = list(later.order_by("number")[:size])
        more = rows and rows[-1].number < latest
        here = remove_query_param(request.build_absolute_uri(), "since")
        return Response(
            {
                "count": latest - since,
                "latest": latest,
                "next": replace_query_param(here, "since", rows[-1].number) if more else None,
                "previous": None,
                "warnings": warnings_of(request),
                "results": ChangeSerializer(rows, many=True, context=self.context()).data,
            }
        )

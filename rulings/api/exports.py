"""Whole rulesets as NDJSON, one entry a line, streamed."""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import Count
from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.reverse import reverse
from rest_framework.utils.encoders import JSONEncoder

from rulings.api.base import ApiView, ListView
from rulings.api.entries import EntrySerializer
from rulings.models import Entry, Ruleset

CHUNK = 500


class NdjsonRenderer(JSONRenderer):
    """Offers the form; the lines themselves are written by the stream (errors by JSON)."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class ExportSerializer(serializers.Serializer):
    """書き出しひとつ。"""

    ruleset = serializers.CharField(source="slug")
    name = serializers.CharField()
    entry_count = serializers.IntegerField(help_text="終わった項目も含む。")
    url = serializers.SerializerMethodField(help_text="NDJSON のアドレス。")

    def get_url(self, ruleset: Ruleset) -> str:
        return reverse("api-export", args=[ruleset.slug], request=self.context["request"])


@extend_schema(summary="書き出しの一覧", tags=["同期"])
class ExportList(ListView):
    """規則集ごとの NDJSON。"""

    operation_id = "listExports"
    queryset = Ruleset.objects.all()
    serializer_class = ExportSerializer

    def for_display(self, queryset: Any) -> Any:
        return queryset.annotate(entry_count=Count("entries")).order_by("game__slug", "position", "slug")


@extend_schema(
    summary="規則集ひとつの書き出し", tags=["同期"], responses={(200, "application/x-ndjson"): OpenApiTypes.STR}
)
class ExportDetail(ApiView):
    """一行にひとつの項目（`Entry` の形）。終わった項目も含む。続きは changes/?since=X-Change-Number で追う。"""

    operation_id = "getExport"
    renderer_classes = [NdjsonRenderer]

    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        ruleset = get_object_or_404(Ruleset, slug=slug)
        response = StreamingHttpResponse(self.lines(ruleset), content_type=NdjsonRenderer.media_type)
        response["Content-Disposition"] = f'attachment; filename="{ruleset.slug}.ndjson"'
        return response

    def lines(self, ruleset: Ruleset) -> Iterator[str]:
        rows = Entry.objects.filter(ruleset=ruleset).for_display().in_book_order()
        for entry in rows.iterator(chunk_size=CHUNK):
            row = EntrySerializer(entry, context=self.context()).data
            yield json.dumps(row, ensure_ascii=False, cls=JSONEncoder) + "\n"

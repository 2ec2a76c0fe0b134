"""One short answer for a chat, out of entries that it names; nothing is made up."""

import json
from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import AnswerSerializer, ApiView, AsOfParameters, depends_on_index
from rulings.api.entries import CardLinkSerializer, EntryLinkSerializer, TitledLinkSerializer
from rulings.api.filters import warn_of_unknown_names
from rulings.models import Entry, Status
from rulings.services.answering import LENGTH, answer

CONFIDENCES = [
    ("named", "番号で名指された項目そのもの"),
    ("likely", "検索の差が大きく、まず間違いない"),
    ("unsure", "近いものにすぎない（candidates を見る）"),
    ("none", "見つからない"),
]


class PlainTextRenderer(BaseRenderer):
    """The text of the answer alone; problems stay JSON."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        if isinstance(data, Mapping) and "confidence" in data:
            return f"{data['text']}\n".encode()
        return json.dumps(data, ensure_ascii=False).encode()


class CitationSerializer(TitledLinkSerializer):
    """答えの根拠。"""

    status = serializers.ChoiceField(choices=Status.choices)
    superseded_by = EntryLinkSerializer(allow_null=True)
    ruleset_name = serializers.CharField(source="ruleset.name")
    effective_on = serializers.SerializerMethodField()

    def get_effective_on(self, entry: Entry) -> str | None:
        wording = entry.ruling.wording_on(self.context["as_of"])
        return wording.effective_on.isoformat() if wording and wording.effective_on else None


class ShortAnswerSerializer(AnswerSerializer):
    """短い答え。"""

    text = serializers.CharField(help_text=f"{LENGTH} 文字以内の答え。根拠とアドレスを含む。")
    certain = serializers.BooleanField(help_text="confidence が named か likely か。false なら近いものにすぎない。")
    confidence = serializers.ChoiceField(choices=CONFIDENCES)
    margin = serializers.FloatField(help_text="一位が二位をどれだけ離したか（0〜1）。likely は測って決めた値以上。")
    citation = CitationSerializer(allow_null=True)
    citations = CitationSerializer(many=True, help_text="text のもとになったすべての項目（先頭が citation）。")
    candidates = CitationSerializer(many=True, help_text="確かでないとき、ほかに近い項目（三つまで）。")
    card = CardLinkSerializer(allow_null=True, help_text="問いが名指したカード。")


class AnswerParameters(AsOfParameters):
    q = serializers.CharField(
        max_length=500, trim_whitespace=False, help_text="番号、カード名、質問のどれでも（500 文字まで）。"
    )
    game = serializers.CharField(required=False, max_length=50, help_text="ゲームのスラッグ。")
    ruleset = serializers.CharField(required=False, max_length=50, help_text="規則集のスラッグ。")


@extend_schema(
    summary="短い答え",
    tags=["検索"],
    responses={
        (200, "application/json"): ShortAnswerSerializer,
        (200, "text/plain"): OpenApiTypes.STR,
    },
    examples=[OpenApiExample("番号", "805.4a", parameter_only=("q", "query"))],
)
class AnswerView(ApiView):
    """いちばん合う項目の文面を、根拠とアドレスとともに返す。確かでないときはそう述べ、候補を添える。

    `Accept: text/plain` なら text だけを返す。
    """

    operation_id = "answer"
    limit_class = "search"
    parameters_class = AnswerParameters
    renderer_classes = [JSONRenderer, PlainTextRenderer]

    def depends_on(self) -> list[str] | None:
        return depends_on_index(super().depends_on())

    def get(self, request: Request) -> Response:
        given = self.parameters
        warn_of_unknown_names(request, given)
        found = answer(
            given["q"],
            request.build_absolute_uri,
            game=given.get("game"),
            ruleset=given.get("ruleset"),
            as_of=self.as_of,
        )
        row = {
            "text": found.text,
            "certain": found.certain,
            "confidence": found.confidence,
            "margin": found.margin,
            "citation": found.entries[0] if found.entries else None,
            "citations": found.entries,
            "candidates": found.candidates,
            "card": found.card,
        }
        return Response(ShortAnswerSerializer(row, context=self.context()).data)

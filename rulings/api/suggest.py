"""Suggestions: completions of what is being typed."""

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import AnswerSerializer, ApiView, Parameters
from rulings.api.filters import warn_of_unknown_names
from rulings.api.search import HIT_KINDS
from rulings.search import Suggestion, suggest


class SuggestionSerializer(serializers.Serializer):
    """候補ひとつ。"""

    kind = serializers.ChoiceField(choices=HIT_KINDS)
    text = serializers.CharField()
    id = serializers.IntegerField()
    url = serializers.SerializerMethodField(help_text="サイトのページ。")

    def get_url(self, suggestion: Suggestion) -> str:
        return self.context["request"].build_absolute_uri(suggestion.url)


class SuggestionsSerializer(AnswerSerializer):
    """候補。"""

    results = SuggestionSerializer(many=True)


class SuggestParameters(Parameters):
    q = serializers.CharField(
        required=False, default="", allow_blank=True, trim_whitespace=False, help_text="入力の途中の文字。"
    )
    game = serializers.CharField(required=False, max_length=50, help_text="ゲームのスラッグ。")


@extend_schema(
    summary="入力の候補",
    tags=["検索"],
    responses=SuggestionsSerializer,
    examples=[OpenApiExample("カード名の途中", "ボルシャ", parameter_only=("q", "query"))],
)
class SuggestView(ApiView):
    """カード、条項、質問。"""

    operation_id = "suggest"
    limit_class = "search"

    parameters_class = SuggestParameters

    def get(self, request: Request) -> Response:
        warn_of_unknown_names(request, self.parameters)
        found = suggest(self.parameters["q"], self.parameters.get("game"))
        return Response(SuggestionsSerializer({"results": found}, context=self.context()).data)

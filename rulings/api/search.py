"""Search: a query in, entries and cards out."""

from typing import Any

from django.db.models import prefetch_related_objects
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import MAX_ID, ApiView, AsOfParameters, WarningSerializer, depends_on_index, page_url
from rulings.api.cards import card_summary
from rulings.api.dating import warn_of_unknown_day
from rulings.api.entries import CardLinkSerializer, EntrySerializer
from rulings.api.expanding import included
from rulings.api.filters import STATUS_CHOICES, warn_of_unknown_names
from rulings.api.pagination import MAX_PAGE_SIZE, add_warning, check_page, envelope, read_page
from rulings.api.shaping import only_fields, read_choices
from rulings.models import Card, Status, Verdict
from rulings.search import Hit, Reading, SearchPage, SearchRequest, search
from rulings.search.searching import DEEPEST

HIT_KINDS = [("section", "条項"), ("faq", "よくある質問"), ("interaction", "カード相互作用"), ("card", "カード")]
READING_KINDS = ["number", "card", "cards", "words", "empty"]


class HighlightSerializer(serializers.Serializer):
    """一致したところ。spans は snippet の中の範囲（文字数、0から、終わりは含まない）。"""

    field = serializers.ChoiceField(choices=["title", "body", "example"])
    snippet = serializers.CharField(allow_blank=True)
    spans = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    )


class HitSerializer(EntrySerializer):
    """検索結果ひとつ。kind が card のとき title はカード名、body は特性の一行で、規則集に関する値は null。"""

    kind = serializers.ChoiceField(choices=HIT_KINDS)
    ruleset = serializers.CharField(allow_null=True)
    authority = serializers.CharField(allow_null=True)
    verdict = serializers.ChoiceField(  # type: ignore[assignment]
        choices=Verdict.choices, allow_null=True, help_text="yes / no / none。カードでは null。"
    )
    body = serializers.SerializerMethodField(help_text="本文または回答。条項では例も続けた全文。")
    score = serializers.FloatField(help_text="大きいほどよく合う。検索ひとつの中でだけ比べられる。")
    highlights = HighlightSerializer(many=True)
    explanation = serializers.DictField(
        child=serializers.FloatField(),
        required=False,
        help_text="explain=1 のとき、点数の内訳。near: の語は近い語で、値はその重み（内訳には含めない）。",
    )

    def to_representation(self, hit: Hit) -> dict[str, Any]:
        shown: dict[str, Any] = {}
        if hit.card is not None:
            shown = card_row(hit.card, self.context["request"])
        elif hit.entry is not None:
            on = hit.announced_for or self.context["as_of"]
            shown = self.row(hit.entry, on, is_whole=True)  # what was searched and found
            if hit.announced_for:
                shown["status"] = Status.ANNOUNCED.value
                shown["url"] = f"{shown['url']}?as_of={hit.announced_for.isoformat()}"
        highlights = [
            {"field": one.field, "snippet": one.snippet, "spans": list(map(list, one.spans))} for one in hit.highlights
        ]
        why = {"explanation": hit.explanation} if self.context.get("explain") else {}
        return {**shown, "score": hit.score, "highlights": highlights, **why}


class ReadingSerializer(serializers.Serializer):
    """検索文がどう読まれたか。"""

    kind = serializers.ChoiceField(choices=READING_KINDS, help_text="番号、カード、複数のカード、言葉、空。")
    text = serializers.CharField(allow_blank=True, help_text="日本語の説明。")
    number = serializers.CharField(allow_blank=True)
    ruleset = serializers.CharField(allow_blank=True)
    cards = CardLinkSerializer(many=True)


class SearchAnswerSerializer(serializers.Serializer):
    """検索の答え。"""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    reading = ReadingSerializer()
    warnings = WarningSerializer(many=True)
    did_you_mean = serializers.ListField(
        child=serializers.CharField(), help_text="結果が少ないとき、よく似たカード名。"
    )
    facets = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()),
        required=False,
        help_text="facets=1 のとき、種類・規則集・公式かどうか・状態・カード・年ごとの件数。",
    )
    results = HitSerializer(many=True)


class SearchParameters(AsOfParameters):
    q = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        trim_whitespace=False,
        help_text="番号、カード名、言葉、質問のどれでも。",
    )
    kind = serializers.ChoiceField(required=False, choices=HIT_KINDS)
    game = serializers.CharField(required=False, max_length=50, help_text="ゲームのスラッグ（dm など）。")
    ruleset = serializers.CharField(required=False, max_length=50, help_text="規則集のスラッグ（dm-cr など）。")
    card = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_ID, help_text="このカード ID を名指すもの。"
    )
    status = serializers.ChoiceField(
        required=False,
        choices=STATUS_CHOICES,
        help_text="省略時は効力のあるものだけ。all ですべて。announced は施行前の文面だけを、その言葉で探す。",
    )
    year = serializers.IntegerField(
        required=False, min_value=1, max_value=9999, help_text="文面がこの年に施行されたもの。"
    )
    read = serializers.ChoiceField(
        required=False, choices=["number", "card", "words"], help_text="検索文の読み方。省略時は自動。"
    )
    explain = serializers.BooleanField(required=False, default=False, help_text="1 で点数の内訳を添える。")
    facets = serializers.BooleanField(required=False, default=False, help_text="1 で件数の内訳を添える。")
    page = serializers.IntegerField(required=False, min_value=1, help_text="ページ番号（1から）。")
    page_size = serializers.IntegerField(
        required=False, min_value=1, help_text=f"1ページの件数。{MAX_PAGE_SIZE} を超える値は {MAX_PAGE_SIZE} とする。"
    )


@extend_schema(
    summary="検索",
    tags=["検索"],
    responses=SearchAnswerSerializer,
    examples=[
        OpenApiExample("番号", "805.4a", parameter_only=("q", "query")),
        OpenApiExample("質問", "追加ターンは誰のターン？", parameter_only=("q", "query")),
    ],
)
class SearchView(ApiView):
    """番号やカード名はそのまま引き、それ以外は言葉として探す。よく合う順。"""

    operation_id = "search"
    limit_class = "search"

    parameters_class = SearchParameters
    shapes = ("fields", "expand")

    def read_parameters(self, request: Request) -> dict[str, Any]:
        self.page = read_page(request)  # names the parameter at fault, and caps the size
        return super().read_parameters(request)

    def depends_on(self) -> list[str] | None:
        return depends_on_index(super().depends_on())

    def get(self, request: Request) -> Response:
        names = ("kind", "game", "ruleset", "card", "status", "year", "as_of", "read", "explain", "facets")
        filters: dict[str, Any] = {name: self.parameters.get(name) for name in names}
        asked = SearchRequest(
            q=self.parameters["q"],
            page=self.page.number,
            page_size=self.page.size,
            counted=bool(filters["facets"]),
            **filters,
        )
        found = search(asked)
        reachable = min(found.count, DEEPEST)
        check_page(self.page, reachable)
        if found.count > reachable:
            add_warning(request, "results_cut", f"ページで見られるのは、よく合うものから {DEEPEST} 件までです。")
        warn_of_unknown_names(request, self.parameters)
        warn_of_unknown_day(request, self.as_of, self.parameters.get("game"), self.parameters.get("ruleset"))
        for warning in found.warnings:
            add_warning(request, warning.code, warning.message)
        prepare(found)
        fields = read_choices(request, "fields", HitSerializer._declared_fields)
        hits = HitSerializer(found.hits, many=True, context=self.context() | {"explain": asked.explain}).data
        shown = only_fields(hits, fields) if fields else hits
        answer = envelope(request, self.page, found.count, shown, reachable) | self.beside(found)
        answer |= {"reading": reading_row(found.reading), "did_you_mean": found.did_you_mean}
        return Response(answer | ({"facets": found.facets} if asked.facets else {}))

    def beside(self, found: SearchPage) -> dict[str, Any]:
        entries = [hit.entry for hit in found.hits if hit.entry]
        return included(self.request, entries, self.context(), [hit.card for hit in found.hits if hit.card])


def prepare(found: SearchPage) -> None:
    """Load what card results show, in a fixed number of queries."""
    prefetch_related_objects([hit.card for hit in found.hits if hit.card], "game", "faces")


def reading_row(reading: Reading) -> dict[str, Any]:
    names = Card.objects.names(reading.cards)
    return {
        "kind": reading.kind,
        "text": reading.text,
        "number": reading.number,
        "ruleset": reading.ruleset,
        "cards": [{"id": pk, "name": names[pk]} for pk in reading.cards if pk in names],
    }


def card_row(card: Card, request: Request) -> dict[str, Any]:
    """A card with the members of an entry."""
    return {
        "id": card.pk,
        "kind": "card",
        "game": card.game.slug,
        "ruleset": None,
        "authority": None,
        "number": "",
        "title": card.name,
        "body": card_summary(card),
        "examples": [],
        "verdict": None,
        "cards": [{"id": card.pk, "name": card.name}],
        "status": Status.CURRENT.value,
        "superseded_by": None,
        "effective_on": None,
        "contradicts": [],
        "url": page_url(request, card),
    }

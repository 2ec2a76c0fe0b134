"""Cards and what is ruled about them."""

from typing import Any

from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import AnswerSerializer, ListView, PagedSerializer
from rulings.api.details import DetailView
from rulings.api.entries import EntryListFilter, EntryListView
from rulings.api.filters import warn_unless_known
from rulings.models import Card, CardFace, Entry, Game
from rulings.text.fold import fold_key


class FactSerializer(serializers.Serializer):
    """カードの特性ひとつ。"""

    key = serializers.CharField()
    label = serializers.CharField(help_text="日本語の名前。")  # type: ignore[assignment]
    value = serializers.CharField(help_text="表示用の値。")


class FaceSerializer(serializers.Serializer):
    """カードの一面。"""

    name = serializers.CharField()
    facts = FactSerializer(many=True)


class CardSerializer(PagedSerializer):
    """カード。"""

    id = serializers.IntegerField()
    name = serializers.CharField()
    reading = serializers.CharField(allow_blank=True)
    game = serializers.CharField(source="game.slug")
    official_id = serializers.CharField(allow_blank=True)
    faces = serializers.SerializerMethodField(help_text="面ごとの名前と特性。")

    @extend_schema_field(FaceSerializer(many=True))
    def get_faces(self, card: Card) -> list[dict[str, Any]]:
        return [{"name": face.name, "facts": facts_of(face, card.game.slug)} for face in card.faces.all()]


class CardDetailSerializer(CardSerializer, AnswerSerializer):
    """カードのすべて。"""

    layout = serializers.CharField(allow_blank=True)
    aliases = serializers.SerializerMethodField(help_text="別名。")
    entry_count = serializers.SerializerMethodField(help_text="このカードを名指す、効力のある項目の数。")
    entries_url = serializers.SerializerMethodField(help_text="その一覧。")

    def get_aliases(self, card: Card) -> list[str]:
        return [alias.text for alias in card.aliases.all()]

    def get_entry_count(self, card: Card) -> int:
        return Entry.objects.live().naming_cards([card.pk]).count()

    def get_entries_url(self, card: Card) -> str:
        return self.context["request"].build_absolute_uri("entries/")


class CardFilter(filters.FilterSet):
    q = filters.CharFilter(method="matching", max_length=200, help_text="名前・読み・面の名前・別名の一部。")
    game = filters.CharFilter(method="of_game", max_length=50, help_text="ゲームのスラッグ。")

    def matching(self, queryset: Any, name: str, value: str) -> Any:
        return queryset.matching(fold_key(value))

    def of_game(self, queryset: Any, name: str, value: str) -> Any:
        warn_unless_known(self.request, Game, name, value)
        return queryset.filter(game__slug=value)


@extend_schema(
    summary="カードの一覧",
    tags=["カード"],
    examples=[OpenApiExample("名前の一部", "ボルシャック", parameter_only=("q", "query"))],
)
class CardList(ListView):
    """q があれば、名前がそのままのもの、それで始まるもの、含むものの順。なければ名前の順。"""

    operation_id = "listCards"

    queryset = Card.objects.all()
    serializer_class = CardSerializer
    filterset_class = CardFilter

    def for_display(self, queryset: Any) -> Any:
        return queryset.select_related("game").with_faces()


@extend_schema(summary="カードひとつ", tags=["カード"], responses=CardDetailSerializer)
class CardDetail(DetailView):
    """面、特性、別名。"""

    operation_id = "getCard"
    detail_class = CardDetailSerializer

    def get(self, request: Request, pk: int) -> Response:
        rows = Card.objects.select_related("game").with_faces().prefetch_related("aliases")
        return self.shown(get_object_or_404(rows, pk=pk))


class CardEntryFilter(EntryListFilter):
    class Meta:
        exclude = ["card"]


@extend_schema(summary="カードについての項目", tags=["カード"])
class CardEntries(EntryListView):
    """このカードを名指す条項・よくある質問・カード相互作用。"""

    operation_id = "listCardEntries"

    filterset_class = CardEntryFilter

    def get_queryset(self) -> Any:
        card = get_object_or_404(Card, pk=self.kwargs["pk"])
        return Entry.objects.naming_cards([card.pk])


def facts_of(face: CardFace, game: str) -> list[dict[str, str]]:
    return [{"key": key, "label": label, "value": value} for key, label, value in face.labelled_facts(game)]


def card_summary(card: Card) -> str:
    """The facts of a card on one line; the faces apart."""
    faces = list(card.faces.all())
    lines = []
    for face in faces:
        facts = "、".join(f"{label} {value}" for _key, label, value in face.labelled_facts(card.game.slug))
        lines.append(f"{face.name}：{facts}" if len(faces) > 1 else facts)
    return " ／ ".join(line for line in lines if line)

"""exports/: whole rulesets, games and everything as NDJSON, one entry or card a line."""

from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from rulings.api.base import ApiView, Parameters, WarningSerializer
from rulings.api.cards import CardSerializer
from rulings.api.conditional import coding_of
from rulings.api.entries import EntrySerializer
from rulings.api.export_files import ExportFile, cards_part, joined, ruleset_part
from rulings.api.pagination import warnings_of
from rulings.models import Card, Change, Entry, Game, Ruleset

CHUNK = 500
LICENCE = (
    "規則・質問・カードの文面の権利は、それぞれの出典の権利者にあります。"
    "引用や再配布は出典の条件に従い、出典とこのサイトのアドレスを添えてください。"
)


class NdjsonRenderer(JSONRenderer):
    """Offers the form; the lines themselves are written by the stream (errors by JSON)."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class GzipRenderer(NdjsonRenderer):
    """The same, packed as a file."""

    media_type = "application/gzip"
    format = "gz"


class CardLineSerializer(CardSerializer):
    """カード（書き出しの行）。"""

    kind = serializers.SerializerMethodField()

    def get_kind(self, card: Card) -> str:
        return "card"


class ExportSerializer(serializers.Serializer):
    """書き出しひとつ。"""

    scope = serializers.ChoiceField(choices=["ruleset", "game", "all"])
    ruleset = serializers.CharField(allow_null=True, help_text="scope が ruleset のときのスラッグ。")
    game = serializers.CharField(allow_null=True, help_text="scope が game か ruleset のときのスラッグ。")
    name = serializers.CharField()
    entry_count = serializers.IntegerField(help_text="行の数。終わった項目も含む（game と all はカードも）。")
    url = serializers.CharField(help_text="NDJSON のアドレス。Accept: application/gzip なら gzip ファイル。")
    size = serializers.IntegerField(help_text="NDJSON の大きさ（バイト）。")
    sha256 = serializers.CharField(help_text="NDJSON の SHA-256。")
    gzip_size = serializers.IntegerField(help_text="gzip ファイルの大きさ（バイト）。")
    gzip_sha256 = serializers.CharField(help_text="gzip ファイルの SHA-256。")
    change_number = serializers.IntegerField(help_text="この番号までの変更を含む。続きは changes/?since=。")
    change_mark = serializers.CharField(help_text="changes/ の mark に渡す。")
    licence = serializers.CharField()


class ExportListSerializer(serializers.Serializer):
    """書き出しの一覧。"""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True, help_text="いつも null（すべてを一度に返す）。")
    previous = serializers.URLField(allow_null=True)
    warnings = WarningSerializer(many=True)
    results = ExportSerializer(many=True)


def one_by_one(rows: Any) -> Iterator[Any]:
    """Read rows in constant memory; each is empty when the next one is asked for.

    A row and what was loaded with it (an entry and its wordings) hold each other: without this they would wait for
    the collector of cycles, more of them the larger the process is.
    """
    for row in rows.iterator(chunk_size=CHUNK):
        yield row
        row.__dict__.clear()


class ExportView(ApiView):
    """Makes exports with the serializers of the lists."""

    limit_class = "heavy"

    def base(self) -> str:
        return self.request.build_absolute_uri("/")

    def entries(self, ruleset: Ruleset) -> Iterator[dict[str, Any]]:
        rows = Entry.objects.filter(ruleset=ruleset).for_display().in_book_order()
        for entry in one_by_one(rows):
            yield EntrySerializer(entry, context={"request": self.request, "as_of": None}).data

    def cards(self, game: Game) -> Iterator[dict[str, Any]]:
        rows = Card.objects.filter(game=game).select_related("game").with_faces().order_by("pk")
        for card in one_by_one(rows):
            yield CardLineSerializer(card, context={"request": self.request}).data

    def of_ruleset(self, ruleset: Ruleset) -> ExportFile:
        return ruleset_part(ruleset, self.base(), lambda: self.entries(ruleset))

    def parts_of(self, game: Game) -> list[ExportFile]:
        rulesets = Ruleset.objects.filter(game=game).select_related("game")
        parts = [self.of_ruleset(ruleset) for ruleset in rulesets]
        return [*parts, cards_part(game, self.base(), lambda: self.cards(game))]

    def of_game(self, game: Game) -> ExportFile:
        return joined(f"game-{game.slug}", self.base(), self.parts_of(game))

    def of_all(self) -> ExportFile:
        parts = [part for game in Game.objects.all() for part in self.parts_of(game)]
        return joined("all", self.base(), parts)


@extend_schema(summary="書き出しの一覧", tags=["同期"], responses=ExportListSerializer)
class ExportList(ExportView):
    """規則集ごと、ゲームごと、すべての NDJSON。"""

    operation_id = "listExports"

    def get(self, request: Request) -> Response:
        rows = []
        for ruleset in Ruleset.objects.select_related("game"):
            address = reverse("api-export", args=[ruleset.slug], request=request)
            rows.append(self.row("ruleset", ruleset.name, address, self.of_ruleset(ruleset), ruleset))
        for game in Game.objects.all():
            address = reverse("api-export-game", args=[game.slug], request=request)
            rows.append(self.row("game", game.name, address, self.of_game(game), game=game.slug))
        rows.append(self.row("all", "すべて", reverse("api-export-all", request=request), self.of_all()))
        answer = {"count": len(rows), "next": None, "previous": None, "warnings": warnings_of(request)}
        return Response(answer | {"results": ExportSerializer(rows, many=True).data})

    def row(
        self, scope: str, name: str, url: str, file: ExportFile, ruleset: Ruleset | None = None, game: str | None = None
    ) -> dict[str, Any]:
        return {
            "scope": scope,
            "ruleset": ruleset.slug if ruleset else None,
            "game": ruleset.game.slug if ruleset else game,
            "name": name,
            "entry_count": file.count,
            "url": url,
            "size": file.size,
            "sha256": file.sha256,
            "gzip_size": file.gzip_size,
            "gzip_sha256": file.gzip_sha256,
            "change_number": self.state.last,
            "change_mark": Change.objects.mark_of(self.state.last, self.state.database),
            "licence": LICENCE,
        }


class ExportDownload(ExportView):
    """Streams one export."""

    renderer_classes = [NdjsonRenderer, GzipRenderer]
    parameters_class = Parameters

    def send(self, name: str, file: ExportFile) -> StreamingHttpResponse:
        as_file = self.request.accepted_renderer.media_type == GzipRenderer.media_type
        packed = as_file or coding_of(self.request._request) == "gzip"
        response = StreamingHttpResponse(
            file.packed() if packed else file.lines(),
            content_type=GzipRenderer.media_type if as_file else NdjsonRenderer.media_type,
        )
        if packed and not as_file:
            response["Content-Encoding"] = "gzip"
        response["Content-Length"] = str(file.gzip_size if packed else file.size)
        response["Content-Disposition"] = f'attachment; filename="{name}.ndjson{".gz" if as_file else ""}"'
        response["X-Change-Mark"] = Change.objects.mark_of(self.state.last, self.state.database)
        response["X-Content-SHA256"] = file.gzip_sha256 if as_file else file.sha256
        return response


DOWNLOADED = {
    (200, "application/x-ndjson"): OpenApiTypes.STR,
    (200, "application/gzip"): OpenApiTypes.BINARY,
}


@extend_schema(summary="規則集ひとつの書き出し", tags=["同期"], responses=DOWNLOADED)
class ExportDetail(ExportDownload):
    """一行にひとつの項目（`Entry` の形）。終わった項目も含む。続きは changes/?since=X-Change-Number で追う。"""

    operation_id = "getExport"

    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        ruleset = get_object_or_404(Ruleset.objects.select_related("game"), slug=slug)
        return self.send(ruleset.slug, self.of_ruleset(ruleset))


@extend_schema(summary="ゲームひとつの書き出し", tags=["同期"], responses=DOWNLOADED)
class GameExport(ExportDownload):
    """ゲームのすべての規則集の項目（`Entry` の形）、続いてカード（`CardLine` の形、kind は card）。"""

    operation_id = "getGameExport"

    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        game = get_object_or_404(Game, slug=slug)
        return self.send(game.slug, self.of_game(game))


@extend_schema(summary="すべての書き出し", tags=["同期"], responses=DOWNLOADED)
class WholeExport(ExportDownload):
    """すべてのゲームの項目とカード。"""

    operation_id = "getWholeExport"

    def get(self, request: Request) -> StreamingHttpResponse:
        return self.send("all", self.of_all())

"""citations/verify/: what a text cites, and whether it is still there."""

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import AnswerSerializer, ApiView
from rulings.api.entries import CardLinkSerializer, EntrySerializer
from rulings.api.errors import Problem
from rulings.games import profile_of
from rulings.models import Card, Entry, Kind, Ruleset
from rulings.text.citations import Citation, CitationKind, find_citations

TEXT_LENGTH = 20_000
VERDICTS = [
    ("exists", "効力がある"),
    ("outdated", "いまは効力がない"),
    ("unknown", "見つからない"),
]


class TextSerializer(serializers.Serializer):
    """調べる文章。"""

    text = serializers.CharField(max_length=TEXT_LENGTH, trim_whitespace=False)
    ruleset = serializers.CharField(max_length=50, help_text="規則集を名指さない番号が、どの規則集のものか。")


class VerifiedSerializer(serializers.Serializer):
    """引用ひとつ。"""

    kind = serializers.ChoiceField(choices=["rule", "card"])
    text = serializers.CharField(help_text="書かれていた文字。")
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    result = serializers.ChoiceField(choices=VERDICTS)
    ruleset = serializers.CharField(allow_null=True)
    number = serializers.CharField(allow_null=True)
    entry = EntrySerializer(allow_null=True, help_text="その番号の項目。outdated なら最後の文面と後継。")
    cards = CardLinkSerializer(many=True, help_text="その名前のカード。")


class VerificationSerializer(AnswerSerializer):
    """文章の中の引用。"""

    results = VerifiedSerializer(many=True)


@extend_schema(
    summary="引用を確かめる",
    tags=["検索"],
    request=TextSerializer,
    responses=VerificationSerializer,
    examples=[
        OpenApiExample("例", {"text": "総合ルール 117.2 により…", "ruleset": "dm-cr"}, request_only=True),
    ],
)
class VerifyView(ApiView):
    """文章の中の条番号とカード名を、いまのデータと照らし合わせる。"""

    operation_id = "verifyCitations"

    def post(self, request: Request) -> Response:
        given = TextSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        ruleset = Ruleset.objects.select_related("game").filter(slug=given.validated_data["ruleset"]).first()
        if ruleset is None:
            raise Problem("invalid_parameter", "そのような規則集はありません。", parameter="ruleset")
        found = find_citations(given.validated_data["text"], profile_of(ruleset.game.slug))
        results = [*verify_rules(found, ruleset.slug), *verify_cards(found, ruleset)]
        results.sort(key=lambda row: row["start"])
        return Response(VerificationSerializer({"results": results}, context=self.context()).data)


def verify_rules(found: Iterable[Citation], default: str) -> list[dict[str, Any]]:
    """Look the numbers up in the rulesets that they name, all at once."""
    cited = [citation for citation in found if citation.kind == CitationKind.RULE]
    rows = Entry.objects.filter(kind=Kind.SECTION, number__in={citation.key for citation in cited})
    sections: dict[tuple[str, str], Entry] = {}
    for section in rows.for_display().order_by("pk"):
        place = (section.ruleset.slug, section.number)
        if place not in sections or section.is_live or not sections[place].is_live:
            sections[place] = section
    results = []
    for citation in cited:
        slug = citation.ruleset or default
        entry = sections.get((slug, citation.key))
        result = "unknown" if entry is None else "exists" if entry.is_live else "outdated"
        results.append(_row(citation, result, ruleset=slug, number=citation.key, entry=entry))
    return results


def verify_cards(found: Iterable[Citation], ruleset: Ruleset) -> list[dict[str, Any]]:
    """Look the names up among the cards of the game; a doubtful bracket counts only when the card is known."""
    results = []
    known = Card.objects.filter(game=ruleset.game)
    named: dict[str, list[Card]] = {}
    for citation in found:
        if citation.kind != CitationKind.CARD:
            continue
        if citation.key not in named:
            named[citation.key] = list(known.named(citation.key))
        cards = named[citation.key]
        if cards or citation.certain:
            results.append(_row(citation, "exists" if cards else "unknown", cards=cards))
    return results


def _row(citation: Citation, result: str, **members: Any) -> dict[str, Any]:
    row = {"kind": citation.kind.value, "text": citation.text, "start": citation.start, "end": citation.end}
    return row | {"result": result, "ruleset": None, "number": None, "entry": None, "cards": []} | members

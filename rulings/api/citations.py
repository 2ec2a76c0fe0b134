"""citations/verify/: what a text cites, and whether it is still there and says so."""

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import AnswerSerializer, ApiView
from rulings.api.entries import CardLinkSerializer, EntrySerializer, TitledLinkSerializer
from rulings.api.errors import Problem, valid
from rulings.api.pagination import add_warning
from rulings.api.saying import say, shown
from rulings.models import Ruleset
from rulings.services.verification import MOST_CITATIONS, verify
from rulings.text.citations import CitationKind
from rulings.text.diffs import Op

TEXT_LENGTH = 20_000
VERDICTS = [
    ("exists", "効力があり、引用された言葉もそのとおり"),
    ("outdated", "いまは効力がない、または以前の文面"),
    ("wrong_ruleset", "ほかの規則集のもの"),
    ("quote_differs", "引用された言葉が違う"),
    ("unknown", "見つからない"),
]


class TextSerializer(serializers.Serializer):
    """調べる文章。"""

    text = serializers.CharField(max_length=TEXT_LENGTH, trim_whitespace=False)
    ruleset = serializers.CharField(max_length=50, help_text="規則集を名指さない番号が、どの規則集のものか。")


class DiffPieceSerializer(serializers.Serializer):
    """違いのひとかたまり。delete は文面にあって引用にないもの、insert はその逆。"""

    op = serializers.ChoiceField(choices=[Op.EQUAL.value, Op.DELETE.value, Op.INSERT.value])
    text = serializers.CharField()


class QuotationSerializer(serializers.Serializer):
    """かぎ括弧などで引用された言葉。"""

    text = serializers.CharField(source="quotation.text")
    start = serializers.IntegerField(source="quotation.start")
    end = serializers.IntegerField(source="quotation.end")
    same = serializers.BooleanField(
        source="comparison.same", help_text="いまの文面のとおりか（幅や句読点は問わない）。"
    )
    former = serializers.BooleanField(help_text="以前の文面のとおりか。")
    likeness = serializers.FloatField(source="comparison.likeness", help_text="いちばん近い箇所との近さ（0〜100）。")
    passage = serializers.CharField(
        source="comparison.passage", allow_blank=True, help_text="いまの文面でいちばん近い箇所。"
    )
    diff = DiffPieceSerializer(
        source="comparison.diff", many=True, help_text="passage を引用にする違い。同じか、近い箇所がなければ空。"
    )
    found_in = TitledLinkSerializer(many=True, help_text="その言葉を実際に含む項目。")


class VerifiedSerializer(serializers.Serializer):
    """引用ひとつ。"""

    kind = serializers.ChoiceField(choices=[kind.value for kind in CitationKind], source="citation.kind")
    text = serializers.CharField(source="citation.text", help_text="書かれていた文字。")
    start = serializers.IntegerField(source="citation.start", help_text="始まり（文字数、0から）。")
    end = serializers.IntegerField(source="citation.end")
    result = serializers.ChoiceField(choices=VERDICTS)
    message = serializers.CharField(help_text="日本語の説明。")
    ruleset = serializers.CharField(allow_null=True)
    number = serializers.CharField(allow_null=True)
    entry = EntrySerializer(
        allow_null=True, help_text="その番号の項目。outdated なら最後の文面、wrong_ruleset なら実際の規則集のもの。"
    )
    successor = EntrySerializer(allow_null=True, help_text="outdated のとき、代わりに引用すべき、いま効力のある項目。")
    cards = CardLinkSerializer(many=True, help_text="その名前のカード。")
    near_entries = TitledLinkSerializer(many=True, help_text="unknown のとき、番号の近い、効力のある項目（三つまで）。")
    near_cards = CardLinkSerializer(many=True, help_text="unknown のとき、名前の近いカード（三つまで）。")
    quotations = QuotationSerializer(many=True, help_text="この引用に添えられた言葉。")


class VerificationSerializer(AnswerSerializer):
    """文章の中の引用。"""

    ok = serializers.BooleanField(help_text="すべての引用が exists か（引用がなければ true、調べ残しがあれば false）。")
    results = VerifiedSerializer(many=True)


@extend_schema(
    summary="引用を確かめる",
    tags=["検索"],
    request=TextSerializer,
    responses=VerificationSerializer,
    examples=[
        OpenApiExample(
            "例",
            {"text": "総合ルール 117.2「単一のウエポンは墓地に置かれる」により…", "ruleset": "dm-cr"},
            request_only=True,
        ),
    ],
)
class VerifyView(ApiView):
    """文章の中の条番号・見出し・カード名と、添えられた引用の言葉を、いまのデータと照らし合わせる。"""

    operation_id = "verifyCitations"
    limit_class = "check"

    def post(self, request: Request) -> Response:
        given = valid(lambda: TextSerializer(data=request.data), request.data)
        ruleset = Ruleset.objects.select_related("game").filter(slug=given.validated_data["ruleset"]).first()
        if ruleset is None:
            detail = say("unknown_ruleset", given=shown(given.validated_data["ruleset"]))
            raise Problem("invalid_parameter", detail, parameter="ruleset")
        found = verify(given.validated_data["text"], ruleset)
        if found.left_out:
            message = f"引用が多いため、先頭の {MOST_CITATIONS} 件だけを調べました（残り {found.left_out} 件）。"
            add_warning(request, "citations_cut", message, "text")
        return Response(VerificationSerializer(found, context=self.context()).data)

"""One short answer for a chat, out of one entry that it names; nothing is made up."""

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import AnswerSerializer, ApiView, AsOfParameters, page_url
from rulings.api.entries import EntryLinkSerializer, TitledLinkSerializer, title_of
from rulings.models import Entry, Status, Verdict
from rulings.search import SearchRequest, search

LENGTH = 2000  # what a chat message holds
CANDIDATES = 3
CUT = "…（続きはリンク先）"


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
    certain = serializers.BooleanField(help_text="番号などで名指された項目そのものか。false なら近いものにすぎない。")
    citation = CitationSerializer(allow_null=True)
    candidates = CitationSerializer(many=True, help_text="確かでないとき、ほかに近い項目。")


class AnswerParameters(AsOfParameters):
    q = serializers.CharField(max_length=1000, trim_whitespace=False, help_text="番号、カード名、質問のどれでも。")
    game = serializers.CharField(required=False, max_length=50, help_text="ゲームのスラッグ。")
    ruleset = serializers.CharField(required=False, max_length=50, help_text="規則集のスラッグ。")


@extend_schema(
    summary="短い答え",
    tags=["検索"],
    responses=ShortAnswerSerializer,
    examples=[OpenApiExample("番号", "805.4a", parameter_only=("q", "query"))],
)
class AnswerView(ApiView):
    """いちばん合う項目ひとつの文面を、根拠とアドレスとともに返す。確かでないときはそう述べ、候補を添える。"""

    operation_id = "answer"
    parameters_class = AnswerParameters

    def get(self, request: Request) -> Response:
        given = self.parameters
        asked = SearchRequest(
            given["q"], game=given.get("game"), ruleset=given.get("ruleset"), as_of=self.as_of, page_size=10
        )
        found = search(asked)
        entries = [hit.entry for hit in found.hits if hit.entry is not None]
        certain = found.reading.kind == "number" and len(entries) > 0
        row = {
            "text": self.text(entries[0], certain) if entries else "この問いに答える項目は見つかりませんでした。",
            "certain": certain,
            "citation": entries[0] if entries else None,
            "candidates": [] if certain else entries[1 : CANDIDATES + 1],
        }
        return Response(ShortAnswerSerializer(row, context=self.context()).data)

    def doubt(self, entry: Entry) -> str:
        """What a reader must know before the wording: that it no longer holds, or may not."""
        if not entry.ruling.is_in_force_on(self.as_of) or (self.as_of is None and not entry.is_live):
            successor = f"いまは {entry.superseded_by.number} を見てください。" if entry.superseded_by else ""
            return f"この項目は効力がありません。{successor}次は最後の文面です。\n"
        if entry.status == Status.NEEDS_REVIEW:
            return "引用している規則が変わったため、見直しを待っている項目です。\n"
        return ""

    def text(self, entry: Entry, certain: bool) -> str:
        """The wording of one entry, cut where a chat message ends, never without what it rests on."""
        wording = entry.ruling.wording_on(self.as_of)
        head = ("" if certain else "確かな答えではありません。いちばん近い項目です。\n") + self.doubt(entry)
        title = title_of(entry, self.as_of)
        verdict = wording.verdict if wording else Verdict.NONE
        ruled = "" if verdict == Verdict.NONE else f"【{Verdict(verdict).label}】"
        parts = [title, ruled, wording.body if wording else ""]
        since = f"（{wording.effective_on:%Y-%m-%d} から）" if wording and wording.effective_on else ""
        place = f"{entry.ruleset.name} {entry.number}".strip()
        foot = f"\n― {place}{since}\n{page_url(self.request, entry)}"
        body = "\n".join(part for part in parts if part)
        room = LENGTH - len(head) - len(foot)
        return head + (body if len(body) <= room else body[: max(0, room - len(CUT))] + CUT) + foot

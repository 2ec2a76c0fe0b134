"""batch/: many entries and cards at once, or those of them that have changed."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import MAX_ID, AnswerSerializer, ApiView
from rulings.api.changes import resync
from rulings.api.entries import EntrySerializer
from rulings.api.errors import valid
from rulings.api.exports import CardLineSerializer
from rulings.api.saying import say
from rulings.models import Card, Change, Entry

MOST = 100


def ids_field(help_text: str) -> serializers.ListField:
    child = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    return serializers.ListField(child=child, required=False, default=list, max_length=MOST, help_text=help_text)


class BatchRequestSerializer(serializers.Serializer):
    """取りたいもの。合わせて 100 件まで。"""

    entries = ids_field("項目の ID。")
    cards = ids_field("カードの ID。")
    since = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_ID,
        help_text="指定すると、この変更番号より後に変わったものだけを返す。",
    )
    mark = serializers.CharField(required=False, max_length=12, help_text="since のしるし（changes/ の mark）。")

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if len(given["entries"]) + len(given["cards"]) > MOST:
            asked = len(given["entries"]) + len(given["cards"])
            raise serializers.ValidationError({"entries": say("too_many_ids", most=MOST, given=asked)})
        return given


class IdsSerializer(serializers.Serializer):
    """ID の並び。"""

    entries = serializers.ListField(child=serializers.IntegerField())
    cards = serializers.ListField(child=serializers.IntegerField())


class BatchSerializer(AnswerSerializer):
    """求められた順の項目とカード。"""

    entries = EntrySerializer(many=True)
    cards = CardLineSerializer(many=True)
    missing = IdsSerializer(help_text="ここにないもの。")
    unchanged = IdsSerializer(help_text="since より後に変わっていないもの。")


@extend_schema(
    summary="まとめて取る",
    tags=["同期"],
    request=BatchRequestSerializer,
    responses=BatchSerializer,
    examples=[OpenApiExample("例", {"entries": [1, 2], "cards": [3], "since": 10}, request_only=True)],
)
class BatchView(ApiView):
    """終わった項目も返す（書き出しと同じ行）。since を添えると、変わったものだけを返す。"""

    operation_id = "batch"
    limit_class = "check"

    def post(self, request: Request) -> Response:
        given = valid(lambda: BatchRequestSerializer(data=request.data), request.data)
        wanted = {name: list(dict.fromkeys(given.validated_data[name])) for name in ("entries", "cards")}
        changed = self.changed(wanted, given.validated_data)
        entries = Entry.objects.for_display().in_bulk(changed["entries"])
        cards = Card.objects.select_related("game").with_faces().in_bulk(changed["cards"])
        known = {
            "entries": set(Entry.objects.filter(pk__in=wanted["entries"]).values_list("pk", flat=True)),
            "cards": set(Card.objects.filter(pk__in=wanted["cards"]).values_list("pk", flat=True)),
        }
        names = ("entries", "cards")
        row = {
            "entries": [entries[pk] for pk in changed["entries"] if pk in entries],
            "cards": [cards[pk] for pk in changed["cards"] if pk in cards],
            "missing": {name: [pk for pk in wanted[name] if pk not in known[name]] for name in names},
            "unchanged": {
                name: [pk for pk in wanted[name] if pk in known[name] and pk not in changed[name]] for name in names
            },
        }
        return Response(BatchSerializer(row, context=self.context()).data)

    def changed(self, wanted: dict[str, list[int]], given: dict[str, Any]) -> dict[str, list[int]]:
        """The ids that have changed since the number given; all of them without one."""
        since = given.get("since")
        if since is None:
            return wanted
        mark = given.get("mark")
        if since > self.state.last or (mark and mark != Change.objects.mark_of(since, self.state.database)):
            raise resync("number_of_another", number=since, latest=self.state.last)
        later = Change.objects.filter(number__gt=since)
        moved = {
            "entries": set(later.filter(entry__in=wanted["entries"]).values_list("entry_id", flat=True)),
            "cards": set(later.filter(card__in=wanted["cards"]).values_list("card_id", flat=True)),
        }
        return {name: [pk for pk in ids if pk in moved[name]] for name, ids in wanted.items()}

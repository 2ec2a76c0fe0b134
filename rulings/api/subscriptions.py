"""subscriptions/: webhooks. Each key makes, sees and changes its own."""

from collections.abc import Sized
from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from rulings.api.base import MAX_ID, AnswerSerializer, ApiView, WarningSerializer
from rulings.api.errors import Problem, valid
from rulings.api.limits import api_key
from rulings.api.pagination import warnings_of
from rulings.api.saying import say, shown
from rulings.models import ApiKey, Attempt, Card, MessageKind, Ruleset, Subscription, SubscriptionState
from rulings.search.saved import LONGEST as LONGEST_SEARCH
from rulings.services import messages, subscriptions
from rulings.services.addresses import LONGEST as LONGEST_ADDRESS
from rulings.services.delivering import send
from rulings.services.subscriptions import SubscriptionError

PING_EVERY = 10  # seconds, by hand
STATUSES = {"too_many_subscriptions": 409, "resync_required": 410, "unavailable": 503}
STOPPED = "登録した人が止めました。"


class SubscriptionRowSerializer(serializers.Serializer):
    """通知の登録ひとつ。"""

    id = serializers.IntegerField()
    address = serializers.CharField(source="url", help_text="知らせる宛先。")
    ruleset = serializers.CharField(source="ruleset.slug", default=None, allow_null=True)
    card = serializers.IntegerField(source="card_id", allow_null=True)
    search = serializers.SerializerMethodField(help_text="search/ に渡す検索文。")
    state = serializers.ChoiceField(
        choices=SubscriptionState.choices,
        help_text="宛先が確認（ping）に 2xx で答えると pending から active になる。届かなければ disabled。",
    )
    reason = serializers.CharField(allow_blank=True, help_text="disabled になった理由。")
    state_at = serializers.DateTimeField()
    position = serializers.IntegerField(help_text="ここまでの変更を届けた。")
    failures = serializers.IntegerField(help_text="続けて失敗した回数。")
    failing_since = serializers.DateTimeField(allow_null=True)
    next_attempt_at = serializers.DateTimeField(help_text="届けるものがあれば、この時刻から試す。")
    created_at = serializers.DateTimeField()

    def get_search(self, row: Subscription) -> str | None:
        return row.search or None


class SubscriptionSerializer(SubscriptionRowSerializer, AnswerSerializer):
    """通知の登録ひとつ（答えとして）。"""


class MadeSubscriptionSerializer(SubscriptionSerializer):
    """いま作った登録。secret はこの一度だけ返す。"""

    secret = serializers.CharField(help_text="署名を確かめる鍵（whsec_…、Standard Webhooks の形）。")


class SubscriptionRequestSerializer(serializers.Serializer):
    """ruleset、card、search のどれかひとつと、宛先。"""

    address = serializers.CharField(max_length=LONGEST_ADDRESS, trim_whitespace=False, help_text="https の宛先。")
    ruleset = serializers.CharField(required=False, max_length=50, help_text="規則集のスラッグ。")
    card = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID, help_text="カードの ID。")
    search = serializers.CharField(
        required=False,
        max_length=LONGEST_SEARCH,
        help_text="search/ の検索文（q、kind、game、ruleset、card、status、year、authority、read）。",
    )
    since = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_ID, help_text="この番号より後の変更から知らせる（省略時は今から）。"
    )
    mark = serializers.CharField(required=False, max_length=12, help_text="since のしるし（changes/ の mark）。")

    def validate_ruleset(self, slug: str) -> Ruleset:
        found = Ruleset.objects.filter(slug=slug).first()
        if found is None:
            raise serializers.ValidationError(say("unknown_ruleset", given=shown(slug)))
        return found

    def validate_card(self, pk: int) -> Card:
        found = Card.objects.filter(pk=pk).first()
        if found is None:
            raise serializers.ValidationError(say("unknown_card", given=pk))
        return found


class SubscriptionChangeSerializer(serializers.Serializer):
    """変えるところだけ。"""

    address = serializers.CharField(
        required=False, max_length=LONGEST_ADDRESS, trim_whitespace=False, help_text="新しい宛先。確認からやり直す。"
    )
    state = serializers.ChoiceField(
        required=False, choices=["active", "disabled"], help_text="disabled で止め、active で続きから再開する。"
    )


class ReplaySerializer(serializers.Serializer):
    """どこから届け直すか。"""

    since = serializers.IntegerField(min_value=0, max_value=MAX_ID, help_text="この番号より後の変更を届け直す。")
    mark = serializers.CharField(required=False, max_length=12, help_text="since のしるし（changes/ の mark）。")


class AttemptSerializer(serializers.Serializer):
    """配信の試み。"""

    at = serializers.DateTimeField()
    message_id = serializers.CharField(help_text="webhook-id。同じものは同じ中身の送り直し。")
    kind = serializers.ChoiceField(choices=MessageKind.choices)
    since = serializers.IntegerField(allow_null=True, help_text="この番号の後から。")
    until = serializers.IntegerField(allow_null=True, help_text="この番号まで。")
    count = serializers.IntegerField(help_text="変更の数。")
    status = serializers.IntegerField(allow_null=True, help_text="宛先の HTTP ステータス。答えがなければ null。")
    milliseconds = serializers.IntegerField()
    error = serializers.CharField(allow_blank=True)


class PingSerializer(AnswerSerializer, AttemptSerializer):
    """確認の結果。"""

    state = serializers.ChoiceField(choices=SubscriptionState.choices, source="subscription.state")


class UnpagedSerializer(serializers.Serializer):
    """すべてを一度に返す一覧。"""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True, help_text="いつも null（すべてを一度に返す）。")
    previous = serializers.URLField(allow_null=True)
    warnings = WarningSerializer(many=True)


class SubscriptionsSerializer(UnpagedSerializer):
    """このキーの登録。"""

    results = SubscriptionRowSerializer(many=True)


class AttemptsSerializer(UnpagedSerializer):
    """新しいものから。"""

    results = AttemptSerializer(many=True)


class SubscriptionView(ApiView):
    """What all of them share: a valid key, answers for nobody else."""

    limit_class = "check"
    key: ApiKey

    def depends_on(self) -> list[str] | None:
        return None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method == "OPTIONS":
            return
        key = api_key(request)
        if key is None:
            raise Problem("key_required", say("key_required"), status_code=401)
        self.key = key

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, SubscriptionError):
            status = STATUSES.get(exc.code, 400)
            exc = Problem(exc.code, str(exc), status_code=status, parameter=exc.parameter)
        return super().handle_exception(exc)

    def own(self) -> Any:
        return Subscription.objects.filter(key=self.key).select_related("ruleset")

    def found(self, pk: int) -> Subscription:
        found = self.own().filter(pk=pk).first()
        if found is None:
            raise Http404
        return found

    def read(self, form: type[serializers.Serializer]) -> dict[str, Any]:
        found: dict[str, Any] = valid(lambda: form(data=self.request.data), self.request.data).validated_data
        return found

    def answer(self, row: Subscription) -> Response:
        return Response(SubscriptionSerializer(row, context=self.context()).data)

    def unpaged(self, rows: Sized) -> dict[str, Any]:
        return {"count": len(rows), "next": None, "previous": None, "warnings": warnings_of(self.request)}


class SubscriptionList(SubscriptionView):
    """規則集、カード、または保存した検索の変更を、宛先に POST で知らせる（webhook）。"""

    operation_ids = {"GET": "listSubscriptions", "POST": "createSubscription"}

    @extend_schema(summary="通知の登録の一覧", tags=["通知"], responses=SubscriptionsSerializer)
    def get(self, request: Request) -> Response:
        rows = SubscriptionRowSerializer(self.own(), many=True).data
        return Response(self.unpaged(rows) | {"results": rows})

    @extend_schema(
        summary="通知を登録する",
        tags=["通知"],
        request=SubscriptionRequestSerializer,
        responses={201: MadeSubscriptionSerializer},
        examples=[
            OpenApiExample(
                "規則集", {"address": "https://bot.example.com/hook", "ruleset": "dm-cr"}, request_only=True
            ),
            OpenApiExample(
                "保存した検索",
                {"address": "https://bot.example.com/hook", "search": "q=追加ターン&kind=faq", "since": 1200},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        given = self.read(SubscriptionRequestSerializer)
        base = request.build_absolute_uri("/")
        made, secret = subscriptions.subscribe(self.key, given.pop("address"), base, **given)
        row = SubscriptionSerializer(made, context=self.context()).data | {"secret": secret}
        address = reverse("api-subscription", args=[made.pk], request=request)
        return Response(row, status=201, headers={"Location": address})


class SubscriptionDetail(SubscriptionView):
    """通知の登録ひとつ。"""

    operation_ids = {"GET": "getSubscription", "PATCH": "changeSubscription", "DELETE": "deleteSubscription"}

    @extend_schema(summary="通知の登録ひとつ", tags=["通知"], responses=SubscriptionSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return self.answer(self.found(pk))

    @extend_schema(
        summary="通知の登録を変える",
        tags=["通知"],
        request=SubscriptionChangeSerializer,
        responses=SubscriptionSerializer,
        examples=[OpenApiExample("再開", {"state": "active"}, request_only=True)],
    )
    def patch(self, request: Request, pk: int) -> Response:
        row, given = self.found(pk), self.read(SubscriptionChangeSerializer)
        if "address" in given:
            subscriptions.move_to(row, given["address"])
        if given.get("state") == "active":
            subscriptions.enable(row)
        elif given.get("state") == "disabled":
            subscriptions.disable(row, STOPPED)
        return self.answer(row)

    @extend_schema(summary="通知の登録を消す", tags=["通知"], responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        self.found(pk).delete()
        return Response(status=204)


class SubscriptionAttempts(SubscriptionView):
    """新しいものから、100 件まで残る。"""

    operation_ids = {"GET": "listAttempts"}

    @extend_schema(summary="配信の記録", tags=["通知"], responses=AttemptsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        rows = AttemptSerializer(Attempt.objects.filter(subscription=self.found(pk)), many=True).data
        return Response(self.unpaged(rows) | {"results": rows})


class SubscriptionReplay(SubscriptionView):
    """since より後の変更を、はじめからの順で届け直す。webhook-id は新しく、変更の number は同じ。"""

    operation_ids = {"POST": "replaySubscription"}

    @extend_schema(
        summary="届け直す",
        tags=["通知"],
        request=ReplaySerializer,
        responses=SubscriptionSerializer,
        examples=[OpenApiExample("例", {"since": 1200}, request_only=True)],
    )
    def post(self, request: Request, pk: int) -> Response:
        row = self.found(pk)
        subscriptions.replay(row, **self.read(ReplaySerializer))
        return self.answer(row)


class SubscriptionPing(SubscriptionView):
    """いま確認を送り、宛先の答えを待って返す。確認待ちの登録は、2xx なら配信中になる。"""

    operation_ids = {"POST": "pingSubscription"}

    @extend_schema(summary="確認を送る", tags=["通知"], request=None, responses=PingSerializer)
    def post(self, request: Request, pk: int) -> Response:
        row = self.found(pk)
        last = Attempt.objects.filter(subscription=row, kind=MessageKind.PING).first()
        wait = PING_EVERY - (timezone.now() - last.at).total_seconds() if last else 0
        if wait > 0:
            raise Throttled(wait)
        message = messages.ping(row)
        send(row, message)
        attempt = Attempt.objects.select_related("subscription").get(subscription=row, message_id=message.id)
        return Response(PingSerializer(attempt, context=self.context()).data)

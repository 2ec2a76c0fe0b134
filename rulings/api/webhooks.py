"""How the messages to subscribers are described (OpenAPI webhooks); `services.messages` writes them."""

from drf_spectacular.utils import OpenApiExample, OpenApiWebhook, extend_schema
from rest_framework import serializers

from rulings.api.changes import ChangeSerializer

SIGNED = (
    "webhook-id、webhook-timestamp（Unix 秒）、webhook-signature のヘッダーで署名する（Standard Webhooks）。"
    "2xx と 10 秒以内に答えると届いたものとする。それ以外は間をおいて"
    "（5秒、30秒、2分、10分、30分、1時間、2時間、4時間、以後6時間ごと。Retry-After に従う）同じ webhook-id で送り直し、"
    "410 または 3 日続く失敗で止める。転送には従わない。"
)


class ToldSerializer(ChangeSerializer):
    """知らせる変更ひとつ（changes/ の行と matches）。"""

    matches = serializers.BooleanField(help_text="いま、そのカードか検索に当てはまるか。false なら外れた。")


class ChangesDataSerializer(serializers.Serializer):
    """since より後、until までの変更のうち、登録に関わるもの。"""

    subscription = serializers.IntegerField()
    since = serializers.IntegerField(help_text="前に届けた番号。")
    since_mark = serializers.CharField(help_text="since のしるし。前の mark と違えば、データが別のものになった。")
    until = serializers.IntegerField(help_text="この番号まで届けた。")
    mark = serializers.CharField(help_text="until のしるし。")
    changes = ToldSerializer(many=True)


class ChangesMessageSerializer(serializers.Serializer):
    """変更の知らせ。"""

    type = serializers.ChoiceField(choices=["changes"])
    timestamp = serializers.DateTimeField(help_text="最後の変更の日時。")
    data = ChangesDataSerializer()  # type: ignore[assignment]


class PingDataSerializer(serializers.Serializer):
    """確認の中身。"""

    subscription = serializers.IntegerField()


class PingMessageSerializer(serializers.Serializer):
    """確認。"""

    type = serializers.ChoiceField(choices=["ping"])
    timestamp = serializers.DateTimeField()
    data = PingDataSerializer()  # type: ignore[assignment]


_ROW = {
    "number": 1201,
    "change": "updated",
    "kind": "section",
    "id": 42,
    "at": "2026-02-13T00:00:00+09:00",
    "url": "https://rulings.example.org/dm-cr/101.1/",
    "api_url": "https://rulings.example.org/api/v1/entries/42/",
    "matches": True,
}
CHANGES = OpenApiWebhook(
    "changes",
    extend_schema(
        operation_id="changesWebhook",
        summary="変更の知らせ",
        description=f"番号順に、少なくとも一度届く。同じ number は二度目以降を捨ててよい。{SIGNED}",
        tags=["通知"],
        request=ChangesMessageSerializer,
        responses={"2XX": None},
        examples=[
            OpenApiExample(
                "例",
                {
                    "type": "changes",
                    "timestamp": "2026-02-13T00:00:00+09:00",
                    "data": {
                        "subscription": 7,
                        "since": 1200,
                        "since_mark": "3f2a9c01d4e5",
                        "until": 1201,
                        "mark": "9b1c77aa0e21",
                        "changes": [_ROW],
                    },
                },
                request_only=True,
            )
        ],
    ),
)
PING = OpenApiWebhook(
    "ping",
    extend_schema(
        operation_id="pingWebhook",
        summary="確認",
        description=f"登録のあと、2xx で答えるまで送る。{SIGNED}",
        tags=["通知"],
        request=PingMessageSerializer,
        responses={"2XX": None},
    ),
)

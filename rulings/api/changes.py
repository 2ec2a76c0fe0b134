"""The change log, for those who keep a copy."""

import threading
import time
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.utils.urls import remove_query_param, replace_query_param

from rulings.api.base import ApiView, Parameters, WarningSerializer, page_url
from rulings.api.errors import Problem
from rulings.api.pagination import MAX_PAGE_SIZE, add_warning, read_count, read_size, warnings_of
from rulings.api.saying import say, shown
from rulings.models import Change, ChangeCounter, ChangeKind

MAX_WAIT = 30  # seconds
PAUSE = 0.5  # seconds between two looks
_waiting = threading.BoundedSemaphore(max(1, settings.LONG_POLLS))


class ChangeSerializer(serializers.Serializer):
    """公開された変更ひとつ。"""

    number = serializers.IntegerField(help_text="1から、欠番なく増える。")
    change = serializers.ChoiceField(choices=ChangeKind.choices, source="kind")
    kind = serializers.SerializerMethodField()
    id = serializers.SerializerMethodField(help_text="項目またはカードの ID。")
    at = serializers.DateTimeField()
    url = serializers.SerializerMethodField(help_text="サイトのページ。")
    api_url = serializers.SerializerMethodField(help_text="今の内容を取るアドレス。")

    def get_kind(self, change: Change) -> str:
        return change.entry.kind if change.entry else "card"

    def get_id(self, change: Change) -> int:
        return change.entry_id or change.card_id or 0

    def get_url(self, change: Change) -> str:
        return page_url(self.context["request"], change.entry or change.card)

    def get_api_url(self, change: Change) -> str:
        name, pk = ("api-entry", change.entry_id) if change.entry_id else ("api-card", change.card_id)
        return reverse(name, args=[pk], request=self.context["request"])


class ChangesSerializer(serializers.Serializer):
    """since より後の変更。"""

    count = serializers.IntegerField(help_text="since より後の変更の数。")
    mark = serializers.CharField(help_text="最後に得た番号のしるし。次は since と一緒に mark に渡す。")
    latest = serializers.IntegerField(help_text="最後の変更の番号。次はこれを since に。")
    next = serializers.URLField(allow_null=True, help_text="続き。")
    previous = serializers.URLField(allow_null=True, help_text="いつも null（since で進む）。")
    warnings = WarningSerializer(many=True)
    results = ChangeSerializer(many=True)


class ChangesParameters(Parameters):
    since = serializers.IntegerField(
        required=False, min_value=0, default=0, help_text="この番号より後の変更を返す（省略時は最初から）。"
    )
    mark = serializers.CharField(
        required=False,
        max_length=12,
        help_text="since のしるし（前の答えの mark）。別のデータベースの番号なら 410 で知らせる。",
    )
    wait = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_WAIT,
        help_text=f"変更があるまで待つ秒数（{MAX_WAIT} まで）。混んでいれば待たずに返し、warnings で知らせる。",
    )
    page_size = serializers.IntegerField(
        required=False, min_value=1, help_text=f"一度に返す件数。{MAX_PAGE_SIZE} まで。"
    )


@extend_schema(
    summary="変更の記録",
    tags=["同期"],
    responses=ChangesSerializer,
    examples=[OpenApiExample("最初から", "0", parameter_only=("since", "query"))],
)
class ChangeList(ApiView):
    """番号順。`next` がなくなるまでたどり、最後に得た番号と `mark` を次の `since` と `mark` にする。

    change が ended のものは効力を失った（項目は最後の文面とともに残る）。番号が別のデータベースのもの、または古すぎて
    記録が残っていないときは 410（`resync_required`）を返すので、exports/ からやり直す。
    """

    operation_id = "listChanges"

    parameters_class = ChangesParameters

    def read_parameters(self, request: Request) -> dict[str, Any]:
        since = read_count(request, "since", 0, least=0)
        wait = read_count(request, "wait", 0, least=0, most=MAX_WAIT)
        mark = request.query_params.get("mark", "")
        return {"since": since, "page_size": read_size(request), "wait": wait, "mark": mark}

    def depends_on(self) -> list[str] | None:
        """What was waited for is no answer to keep."""
        return None if self.request.query_params.get("wait") else super().depends_on()

    def get(self, request: Request) -> Response:
        since, size = self.parameters["since"], self.parameters["page_size"]
        self.check_known(since)
        if self.parameters["wait"] and since == self.state.last:
            self.wait(request, since)
        latest = self.state.last
        later = Change.objects.filter(number__gt=since, number__lte=latest).select_related("entry__ruleset", "card")
        rows = list(later.order_by("number")[:size])
        if latest > since and (not rows or rows[0].number != since + 1):
            raise resync("log_begins_later", number=since + 1)
        reached = rows[-1].number if rows else since
        mark = Change.objects.mark_of(reached, self.state.database)
        here = replace_query_param(remove_query_param(request.build_absolute_uri(), "wait"), "mark", mark)
        return Response(
            {
                "count": latest - since,
                "latest": latest,
                "mark": mark,
                "next": replace_query_param(here, "since", reached) if reached < latest else None,
                "previous": None,
                "warnings": warnings_of(request),
                "results": ChangeSerializer(rows, many=True, context=self.context()).data,
            }
        )

    def check_known(self, since: int) -> None:
        """Whether `since` is a number of this database, by its size and by its mark."""
        latest = self.state.last
        if since > latest:
            raise resync("number_not_reached", number=since, latest=latest)
        mark = self.parameters["mark"]
        if mark and mark != Change.objects.mark_of(since, self.state.database):
            raise resync("other_mark", number=since, given=shown(mark))

    def wait(self, request: Request, since: int) -> None:
        """Look again now and then until something has changed: a few at a time, for each holds a thread."""
        if not _waiting.acquire(blocking=False):
            add_warning(request, "wait_refused", "待っている接続が多いため、待たずに答えました。", "wait")
            return
        try:
            until = time.monotonic() + self.parameters["wait"]
            while self.state.last == since and time.monotonic() < until:
                time.sleep(min(PAUSE, max(0.0, until - time.monotonic())))
                self.state = ChangeCounter.objects.state()
        finally:
            _waiting.release()
        self.change_number = self.state.last


def resync(why: str, **values: Any) -> Problem:
    """The problem that a client cannot miss; `why`: a key of rulings.api.saying."""
    return Problem("resync_required", say(why, **values), status_code=410, parameter="since")

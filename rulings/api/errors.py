"""Problem JSON (RFC 9457): every error of the API has the same shape and a stable code."""

import logging
from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import DatabaseError
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"

# Code → title. Codes are part of the contract: they are added to, never changed.
TITLES = {
    "invalid_parameter": "パラメーターが正しくありません",
    "unknown_parameter": "知らないパラメーターです",
    "page_out_of_range": "そのページはありません",
    "malformed_request": "リクエストを読み取れません",
    "invalid_key": "API キーが正しくありません",
    "key_required": "API キーが要ります",
    "address_refused": "その宛先へは送れません",
    "too_many_subscriptions": "登録が多すぎます",
    "not_found": "見つかりません",
    "not_known_before": "その日のことは登録されていません",
    "method_not_allowed": "このメソッドは使えません",
    "not_acceptable": "求められた形式では返せません",
    "unsupported_media_type": "送られた形式は受け取れません",
    "forbidden": "許可されていません",
    "throttled": "リクエストが多すぎます",
    "precondition_failed": "条件に合いません",
    "resync_required": "同期をやり直してください",
    "internal_error": "サーバーで問題が起きました",
    "unavailable": "いまは答えられません",
}

# Code → title and detail for those who do not read Japanese.
_ENGLISH = {
    "invalid_parameter": ("Invalid parameter", "A parameter or a member of the body has a value that is not allowed."),
    "unknown_parameter": ("Unknown parameter", "strict=1 was asked for and a parameter is not known."),
    "page_out_of_range": ("No such page", "The list has fewer pages."),
    "malformed_request": ("Malformed request", "The request or its body cannot be read."),
    "invalid_key": ("Invalid API key", "The key is wrong or was revoked."),
    "key_required": ("API key required", "Send an API key as Authorization: Bearer."),
    "address_refused": ("Address refused", "Webhooks are sent to public https addresses only; see detail."),
    "too_many_subscriptions": ("Too many subscriptions", "This key has as many subscriptions as a key may have."),
    "not_found": ("Not found", "There is nothing at this address."),
    "not_known_before": ("Not known before", "Nothing is known of this day; see detail for the first known one."),
    "method_not_allowed": ("Method not allowed", "See the Allow header for the methods of this address."),
    "not_acceptable": ("Not acceptable", "This address does not answer in the form asked for in Accept."),
    "unsupported_media_type": ("Unsupported media type", "Send the body as application/json."),
    "forbidden": ("Forbidden", "This is not allowed."),
    "throttled": ("Too many requests", "Come back after the seconds in Retry-After."),
    "precondition_failed": ("Precondition failed", "The content is no longer what the condition says."),
    "resync_required": (
        "Resync required",
        "The change number is too old or of another database: begin with exports/.",
    ),
    "internal_error": ("Internal error", "Something unexpected went wrong. Please try again later."),
    "unavailable": ("Unavailable", "The database does not answer at the moment. Please try again later."),
}
TITLES_EN = {code: title for code, (title, _detail) in _ENGLISH.items()}
DETAILS_EN = {code: detail for code, (_title, detail) in _ENGLISH.items()}

_BY_STATUS = {
    400: ("malformed_request", "リクエストの形が正しくありません。"),
    403: ("forbidden", "この操作は許可されていません。"),
    404: ("not_found", "お探しのものは見つかりませんでした。"),
    405: ("method_not_allowed", "ここで使えるメソッドは Allow ヘッダーのとおりです。"),
    406: ("not_acceptable", "この API は JSON で答えます。Accept に application/json を含めてください。"),
    415: ("unsupported_media_type", "本文は application/json で送ってください。"),
    429: ("throttled", "しばらく待ってから、もう一度お試しください。"),
    500: ("internal_error", "サーバーの中で予期しない問題が起きました。時間をおいてお試しください。"),
    503: ("unavailable", "データベースがいま応答できません。時間をおいてお試しください。"),
}


class ProblemSerializer(serializers.Serializer):
    """エラーの形（RFC 9457）。"""

    type = serializers.CharField(help_text="問題の種類を表す URI。code と一対一。")
    title = serializers.CharField(help_text="問題の種類。")
    status = serializers.IntegerField(help_text="HTTP ステータス。")
    detail = serializers.CharField(help_text="今回何が起きたか。")
    title_en = serializers.CharField(help_text="問題の種類（英語）。")
    detail_en = serializers.CharField(help_text="何が起きたか（英語）。")
    code = serializers.ChoiceField(choices=sorted(TITLES), help_text="変わらない識別子。")
    parameter = serializers.CharField(required=False, help_text="原因のパラメーター。")


class Problem(exceptions.APIException):
    """An error with a code of the catalogue and, where it applies, the parameter at fault."""

    def __init__(self, code: str, detail: str, *, status_code: int = 400, parameter: str | None = None) -> None:
        super().__init__(detail, code)
        self.status_code = status_code
        self.code = code
        self.parameter = parameter


def problem_body(code: str, status_code: int, detail: str, parameter: str | None = None) -> dict[str, Any]:
    """Return the members of a problem answer."""
    body = {
        "type": f"urn:rulings:problem:{code}",
        "title": TITLES[code],
        "status": status_code,
        "detail": detail,
        "title_en": TITLES_EN[code],
        "detail_en": f"{DETAILS_EN[code]} (parameter: {parameter})" if parameter else DETAILS_EN[code],
        "code": code,
    }
    return body | ({"parameter": parameter} if parameter else {})


def problem_handler(exc: Exception, context: dict[str, Any]) -> Response:
    """Answer any exception of a view of the API; the unexpected ones are logged and answered as 500."""
    set_rollback()
    body, headers = _describe(exc)
    if body["status"] >= status.HTTP_500_INTERNAL_SERVER_ERROR:
        request = context.get("request")
        logger.exception("%s", getattr(request, "path", ""), exc_info=exc)
        got_request_exception.send(sender=None, request=getattr(request, "_request", None))
    return Response(body, status=body["status"], headers=headers, content_type=MEDIA_TYPE)


def _describe(exc: Exception) -> tuple[dict[str, Any], dict[str, str]]:
    if isinstance(exc, Problem):
        headers = {"WWW-Authenticate": "Bearer"} if exc.status_code == 401 else {}
        return problem_body(exc.code, exc.status_code, str(exc.detail), exc.parameter), headers
    if isinstance(exc, exceptions.ValidationError):
        parameter, detail = _first_error(exc.detail)
        return problem_body("invalid_parameter", 400, detail, parameter), {}
    if isinstance(exc, Http404):
        return _by_status(404), {}
    if isinstance(exc, exceptions.APIException):
        wait = getattr(exc, "wait", None)
        return _by_status(exc.status_code), {"Retry-After": str(max(1, -int(-wait // 1)))} if wait else {}
    if isinstance(exc, PermissionDenied):
        return _by_status(403), {}
    if isinstance(exc, SuspiciousOperation):
        return _by_status(400), {}
    return _by_status(503 if isinstance(exc, DatabaseError) else 500), {}


def _by_status(status_code: int) -> dict[str, Any]:
    code, detail = _BY_STATUS.get(status_code, _BY_STATUS[500])
    return problem_body(code, status_code, detail)


def _first_error(detail: Any) -> tuple[str | None, str]:
    """Return the parameter at fault and what is wrong with it, out of DRF's nested lists."""
    if isinstance(detail, dict):
        name, inner = next(iter(detail.items()))
        parameter = None if name in ("non_field_errors", "__all__") else str(name)
        return parameter, _first_error(inner)[1]
    if isinstance(detail, list):
        return _first_error(detail[0]) if detail else (None, TITLES["invalid_parameter"])
    return None, str(detail)


# -- outside the views: what Django itself answers under /api/ --------------------------------------------------------


def _plain(status_code: int) -> JsonResponse:
    return JsonResponse(
        _by_status(status_code),
        status=status_code,
        content_type=MEDIA_TYPE,
        json_dumps_params={"ensure_ascii": False},
    )


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """handler400 under /api/."""
    return _plain(400)


def not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    """handler404 under /api/."""
    return _plain(404)


def server_error(request: HttpRequest) -> JsonResponse:
    """handler500 under /api/."""
    return _plain(500)

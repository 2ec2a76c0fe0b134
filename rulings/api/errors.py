"""Problem JSON (RFC 9457): every error of the API has the same shape and a stable code."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import DatabaseError
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import override
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from rulings.api.saying import in_both, is_japanese, say, shown

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
NOT_KEPT = {"Cache-Control": "no-store"}

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

# Code → title and, where nothing more is known, detail for those who do not read Japanese.
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

# Status → code; what is said of it stands under the same name in rulings.api.saying.
_BY_STATUS = {
    400: "malformed_request",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    415: "unsupported_media_type",
    429: "throttled",
    500: "internal_error",
    503: "unavailable",
}
_UNREADABLE = "値の形が正しくありません。"  # where a library has no Japanese


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
    """An error with a code of the catalogue and, where it applies, the parameter at fault.

    `detail`: what `say` gives (both languages), or a Japanese text with its `english`.
    """

    def __init__(
        self, code: str, detail: Any, *, status_code: int = 400, parameter: str | None = None, english: str = ""
    ) -> None:
        super().__init__(detail, code)
        self.said = detail
        self.english = english
        self.status_code = status_code
        self.code = code
        self.parameter = parameter


def problem_body(
    code: str, status_code: int, detail: Any, parameter: str | None = None, english: str = ""
) -> dict[str, Any]:
    """Return the members of a problem answer; `english`: the detail where `detail` is Japanese only."""
    japanese, translated = in_both(detail)
    if translated == japanese:
        translated = english or DETAILS_EN[code] + (f" (parameter: {parameter})" if parameter else "")
    body = {
        "type": f"urn:rulings:problem:{code}",
        "title": TITLES[code],
        "status": status_code,
        "detail": japanese,
        "title_en": TITLES_EN[code],
        "detail_en": translated,
        "code": code,
    }
    return body | ({"parameter": parameter} if parameter else {})


def valid(make: Callable[[], Any], given: Any) -> Any:
    """What `make` makes of `given` (a serializer, a set of filters), when it is valid; else raise Problem."""
    made = make()
    if made.is_valid():
        return made
    with override("en"):
        again = make()
        again.is_valid()
        english = serializers.ValidationError(again.errors).detail
    raise _refused(serializers.ValidationError(made.errors).detail, english, given)


def _refused(japanese: Any, english: Any, given: Any) -> Problem:
    """The problem of what a serializer or a filter refuses, in both languages, with the value at fault."""
    parameter, detail = _first_error(japanese)
    _parameter, told = _first_error(english)
    value = given.get(parameter) if isinstance(given, Mapping) else None
    if is_japanese(told):
        told = DETAILS_EN["invalid_parameter"]
    told = f"{parameter}: {told}" if parameter else told
    told += f" Given: {shown(value)}." if value not in (None, "") else ""
    detail = detail if is_japanese(detail) else _UNREADABLE
    return Problem("invalid_parameter", detail, parameter=parameter, english=told)


def problem_handler(exc: Exception, context: dict[str, Any]) -> Response:
    """Answer any exception of a view of the API; the unexpected ones are logged and answered as 500."""
    set_rollback()
    request = context.get("request")
    body, headers = _describe(exc, request)
    if body["status"] >= status.HTTP_500_INTERNAL_SERVER_ERROR:
        logger.exception("%s", getattr(request, "path", ""), exc_info=exc)
        got_request_exception.send(sender=None, request=getattr(request, "_request", None))
    return Response(body, status=body["status"], headers=NOT_KEPT | headers, content_type=MEDIA_TYPE)


def _describe(exc: Exception, request: Any) -> tuple[dict[str, Any], dict[str, str]]:
    if isinstance(exc, exceptions.ValidationError):
        exc = _refused(exc.detail, exc.detail, {})
    if isinstance(exc, Problem):
        headers = {"WWW-Authenticate": "Bearer"} if exc.status_code == 401 else {}
        return problem_body(exc.code, exc.status_code, exc.said, exc.parameter, exc.english), headers
    if isinstance(exc, Http404):
        return _by_status(404, request), {}
    if isinstance(exc, exceptions.APIException):
        wait = max(1, -int(-(getattr(exc, "wait", None) or 0) // 1))
        headers = {"Retry-After": str(wait)} if getattr(exc, "wait", None) else {}
        return _by_status(exc.status_code, request, wait=wait, why=str(exc.detail)), headers
    if isinstance(exc, PermissionDenied):
        return _by_status(403, request), {}
    if isinstance(exc, SuspiciousOperation):
        return _by_status(400, request), {}
    return _by_status(503 if isinstance(exc, DatabaseError) else 500, request), {}


def _by_status(status_code: int, request: Any, wait: int = 0, why: str = "") -> dict[str, Any]:
    """What is said of a status; `request` may be that of the framework or of Django; `wait`: seconds.

    `why`: what a library says of it.
    """
    code = _BY_STATUS.get(status_code, _BY_STATUS[500])
    headers = getattr(request, "headers", {})
    about = {
        "method": getattr(request, "method", ""),
        "path": shown(getattr(request, "path", "")),
        "accept": shown(headers.get("Accept", "")),
        "content_type": shown(headers.get("Content-Type", "")),
    }
    return problem_body(code, status_code, say(code, wait=wait, why="" if is_japanese(why) else why, **about))


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


def _plain(status_code: int, request: HttpRequest) -> JsonResponse:
    return JsonResponse(
        _by_status(status_code, request),
        status=status_code,
        content_type=MEDIA_TYPE,
        headers=NOT_KEPT,
        json_dumps_params={"ensure_ascii": False},
    )


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """handler400 under /api/."""
    return _plain(400, request)


def not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    """handler404 under /api/."""
    return _plain(404, request)


def server_error(request: HttpRequest) -> JsonResponse:
    """handler500 under /api/."""
    return _plain(500, request)

"""Errors are pages too."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from rulings.web.speaking import speak


def error_page(request: HttpRequest, status: int, title: str, message: str, **context: Any) -> HttpResponse:
    """Show an error as a page that helps to go on."""
    context |= {"status": status, "title": title, "message": message}
    response = render(request, "error.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    speak(response)
    return response


def bad_request_page(request: HttpRequest, message: str, **context: Any) -> HttpResponse:
    """400: something in the address cannot be read."""
    return error_page(request, 400, _("読み取れませんでした"), message, **context)


def not_found_page(request: HttpRequest, message: str, **context: Any) -> HttpResponse:
    """404: nothing is here."""
    return error_page(request, 404, _("見つかりませんでした"), message, **context)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's handler of 400."""
    return bad_request_page(request, _("アドレスか入力の中に、読み取れないものがあります。"))


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's handler of 403."""
    return error_page(request, 403, _("ここは開けません"), _("このページを見る権限がありません。"))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's handler of 404."""
    return not_found_page(request, _("このアドレスのページはありません。移動したか、はじめから無かったようです。"))


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler of 500: reads nothing from the database."""
    context = {
        "status": 500,
        "title": _("うまく表示できませんでした"),
        "message": _("こちらの不具合です。少し待ってから、もう一度お試しください。"),
    }
    page = render_to_string("error.html", context, request=request)
    return HttpResponse(page, status=500, headers={"Cache-Control": "no-store"})

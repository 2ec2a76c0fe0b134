"""Addresses of the site."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path, re_path

from rulings.api import errors as problems
from rulings.api.addresses import UnknownAddress
from rulings.web import errors as pages

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("rulings.api.urls")),
    path("api/bots/", include("rulings.bots.urls")),
    re_path(r"^api(/|\Z)", UnknownAddress.as_view()),
    path("", include("rulings.web.urls")),
]


def _for_bots_and_people(problem: Callable[..., HttpResponse], page: Callable[..., HttpResponse]) -> Any:
    """Answer errors as problem JSON under /api/, as pages elsewhere."""

    def handler(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = problem if request.path.startswith("/api/") else page
        return answer(request, *args, **kwargs)

    return handler


handler400 = _for_bots_and_people(problems.bad_request, pages.bad_request)
handler403 = pages.permission_denied
handler404 = _for_bots_and_people(problems.not_found, pages.not_found)
handler500 = _for_bots_and_people(problems.server_error, pages.server_error)

"""Addresses under /api/ at which nothing is."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rulings.api.errors import Problem
from rulings.api.saying import say, shown


@extend_schema(exclude=True)
class UnknownAddress(APIView):
    """404 as problem JSON; an address that only lacks its last slash is sent to the right one."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Nothing to negotiate: the answer is a problem."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if (
            request.method in ("GET", "HEAD")
            and not request.path.endswith("/")
            and self.exists(f"{request.path_info}/")
        ):
            return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))
        return super().dispatch(request, *args, **kwargs)

    def exists(self, path: str) -> bool:
        try:
            return getattr(resolve(path).func, "view_class", None) is not UnknownAddress
        except Resolver404:
            return False

    def handle(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        detail = say("no_address", path=shown(request.path))
        raise Problem("not_found", detail, status_code=404)

    get = post = put = patch = delete = head = options = handle

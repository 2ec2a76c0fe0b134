"""What all answers under /api/ share: their coding, their language, what caches must tell apart."""

import gzip
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from rulings.api.conditional import coding_of

PREFIX = "/api/"
WORTH_IT = 500  # bytes: smaller bodies do not gain


class ApiMiddleware:
    """Compress, and say what the answer depends on. Answers are Japanese (problems English beside it) for everyone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path_info.startswith(PREFIX):
            _say_language(response)
            patch_vary_headers(response, ("Accept-Encoding",))
            _compress(request, response)
        return response


def _say_language(response: HttpResponse) -> None:
    vary = [name.strip() for name in response.get("Vary", "").split(",")]
    kept = [name for name in vary if name and name.lower() != "accept-language"]
    if kept:
        response["Vary"] = ", ".join(kept)
    else:
        response.headers.pop("Vary", None)
    if "Content-Language" in response:
        response["Content-Language"] = "ja"


def _compress(request: HttpRequest, response: HttpResponse) -> None:
    """The same body always gives the same bytes, and the ETag counts the coding in: it stays strong."""
    if response.streaming or response.has_header("Content-Encoding") or len(response.content) < WORTH_IT:
        return
    if coding_of(request) == "gzip":
        response.content = gzip.compress(response.content, 6, mtime=0)
        response["Content-Encoding"] = "gzip"
        response["Content-Length"] = str(len(response.content))

"""What every chat front end asks of a request before it reads it: fresh, and not seen before."""

import time
from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, JsonResponse

from rulings.services.counters import hit

TOLERANCE = 300  # seconds between the clocks, and on the way


def is_fresh(sent_at: float) -> bool:
    """Whether a request signed at `sent_at` (Unix seconds) can be from now."""
    return abs(time.time() - sent_at) <= TOLERANCE


def is_new(service: str, identity: str) -> bool:
    """Whether this signed message is seen for the first time; a copy of it is refused, in every process."""
    return hit(f"seen {service} {identity}", 3 * TOLERANCE).count == 1


def only_post(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse other methods in the form of every other refusal here."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return JsonResponse({"error": "method not allowed"}, status=405, headers={"Allow": "POST"})
        return view(request)

    return guarded


def whole_letters(text: str) -> str:
    """The text with ? for halves of surrogate pairs, which JSON can write and nothing can look for."""
    return text.encode("utf-8", "replace").decode()

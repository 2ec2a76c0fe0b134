"""How often a client may ask: per class of endpoint and minute, over all processes; keys raise it."""

import logging
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from rulings.api.errors import Problem
from rulings.api.saying import say
from rulings.models import ApiKey
from rulings.services.counters import Count, hit

logger = logging.getLogger(__name__)

WINDOW = 60.0  # seconds
LOOPBACK = ("127.0.0.1", "::1")


class ClassLimit(BaseThrottle):
    """The limit of the view's `limit_class`; notes what is left for the headers of the answer."""

    reset = WINDOW

    def allow_request(self, request: Request, view: Any) -> bool:
        limit = settings.LIMITS.get(view.limit_class)
        key = api_key(request)
        client = f"key {key.pk}" if key else address_of(request)
        if not limit or (client in LOOPBACK and not settings.LIMIT_LOOPBACK):
            return True
        limit *= key.factor if key else 1
        try:
            counted = hit(f"limit {view.limit_class} {client}", WINDOW)
        except OSError:  # better no limit than no site
            logger.exception("requests are not counted")
            return True
        self.reset = counted.reset
        view.limit_headers = headers_of(view.limit_class, limit, counted)
        return counted.count <= limit

    def wait(self) -> float:
        return self.reset


def headers_of(name: str, limit: int, counted: Count) -> dict[str, str]:
    """The headers of draft-ietf-httpapi-ratelimit-headers."""
    left = max(0, limit - counted.count)
    reset = max(1, -int(-counted.reset // 1))
    return {
        "RateLimit-Policy": f'"{name}";q={limit};w={int(WINDOW)}',
        "RateLimit": f'"{name}";r={left};t={reset}',
    }


def api_key(request: Request) -> ApiKey | None:
    """The key in `Authorization: Bearer`; a wrong one is told, not ignored."""
    given = request.headers.get("Authorization", "")
    if not given:
        return None
    scheme, _space, secret = given.partition(" ")
    key = ApiKey.objects.valid(secret.strip()) if scheme.lower() == "bearer" else None
    if key is None:
        raise Problem("invalid_key", say("bad_key"), status_code=401)
    return key


def address_of(request: Any) -> str:
    """Who asks; behind a proxy the address that this proxy saw, which nobody can forge."""
    if settings.BEHIND_PROXY:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")[-1].strip()
        if forwarded:
            return forwarded[:64]
    return request.META.get("REMOTE_ADDR", "")

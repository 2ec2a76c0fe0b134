"""Discord interactions over HTTP: /rule, /card, /ask and their completions, as a thin front of answer/."""

import json
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from rulings.bots.guard import is_fresh, is_new, only_post, whole_letters
from rulings.search import suggest
from rulings.services.answering import answer

PING, COMMAND, AUTOCOMPLETE = 1, 2, 4
PONG, MESSAGE, COMPLETIONS = 1, 4, 8
STRING = 3
MOST_CHOICES = 25
CHOICE_LENGTH = 100

# What is registered with Discord once (`manage.py discord_commands` prints it).
COMMANDS: list[dict[str, Any]] = [
    {
        "name": name,
        "description": description,
        "options": [
            {
                "type": STRING,
                "name": "q",
                "description": asked,
                "required": True,
                "autocomplete": True,
                "max_length": 200,
            }
        ],
    }
    for name, description, asked in (
        ("rule", "条番号でルールを引く", "条番号（805.4a など）"),
        ("card", "カードの裁定を引く", "カード名"),
        ("ask", "質問に答える", "質問"),
    )
]


@csrf_exempt
@only_post
def interactions(request: HttpRequest) -> HttpResponse:
    """Answer a signed interaction; what is not signed by Discord, is old or was seen before gets 401."""
    if not settings.DISCORD_PUBLIC_KEY:
        raise Http404
    sent_at = request.headers.get("X-Signature-Timestamp", "")
    if not _is_signed(request.body, sent_at, request.headers.get("X-Signature-Ed25519", "")):
        return JsonResponse({"error": "invalid request signature"}, status=401)
    if not (sent_at.isascii() and sent_at.isdigit() and is_fresh(float(sent_at[:12]))):
        return JsonResponse({"error": "stale request"}, status=401)
    try:
        given = json.loads(request.body)
        kind, identity = given["type"], whole_letters(str(given.get("id", "")))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return JsonResponse({"error": "malformed interaction"}, status=400)
    if kind == PING:
        return JsonResponse({"type": PONG})
    if not is_new("discord", identity or request.headers["X-Signature-Ed25519"]):
        return JsonResponse({"error": "replayed request"}, status=401)
    q = _query(given)
    if kind == AUTOCOMPLETE:
        return JsonResponse({"type": COMPLETIONS, "data": {"choices": _choices(given, q)}})
    if kind != COMMAND:
        return JsonResponse({"error": "unknown interaction"}, status=400)
    found = answer(q, request.build_absolute_uri)
    # Nobody is called by what a ruling happens to say.
    return JsonResponse({"type": MESSAGE, "data": {"content": found.text, "allowed_mentions": {"parse": []}}})


def _is_signed(body: bytes, sent_at: str, signature: str) -> bool:
    try:
        key = VerifyKey(bytes.fromhex(settings.DISCORD_PUBLIC_KEY))
        key.verify(sent_at.encode() + body, bytes.fromhex(signature))
    except (BadSignatureError, ValueError):
        return False
    return True


def _query(given: dict[str, Any]) -> str:
    """The one option of our commands; an interaction of another shape asks nothing."""
    data = given.get("data")
    options = data.get("options") if isinstance(data, dict) else None
    for option in options if isinstance(options, list) else []:
        if isinstance(option, dict) and option.get("name") == "q":
            return whole_letters(str(option.get("value", "")))
    return ""


def _choices(given: dict[str, Any], q: str) -> list[dict[str, str]]:
    kinds = {"rule": ("section",), "card": ("card",)}.get(given["data"].get("name") if q else "", ())
    found = [one for one in suggest(q, limit=MOST_CHOICES) if not kinds or one.kind in kinds]
    names = dict.fromkeys(one.text[:CHOICE_LENGTH] for one in found)
    return [{"name": name, "value": name} for name in names]

"""LINE Messaging API: a webhook whose text messages are answered by answer/."""

import base64
import hmac
import json
import logging
from hashlib import sha256
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from rulings.bots.guard import is_fresh, is_new, only_post, whole_letters
from rulings.services.answering import answer

logger = logging.getLogger(__name__)

MOST_EVENTS = 20  # answered of one call
TIMEOUT = 5  # seconds for the reply


@csrf_exempt
@only_post
def webhook(request: HttpRequest) -> HttpResponse:
    """Answer the text messages of a signed call. What is not signed gets 401; what is old or seen before is left."""
    if not (settings.LINE_SECRET and settings.LINE_TOKEN):
        raise Http404
    if not _is_signed(request.body, request.headers.get("X-Line-Signature", "")):
        return JsonResponse({"error": "invalid signature"}, status=401)
    try:
        events = json.loads(request.body)["events"]
        questions = [question for event in events[:MOST_EVENTS] if (question := _question(event))]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return JsonResponse({"error": "malformed call"}, status=400)
    answered = 0
    for token, text in questions:
        answered += _reply(token, answer(text, request.build_absolute_uri).text)
    return JsonResponse({"answered": answered})


def _is_signed(body: bytes, signature: str) -> bool:
    wanted = base64.b64encode(hmac.new(settings.LINE_SECRET.encode(), body, sha256).digest())
    return hmac.compare_digest(wanted, signature.encode("utf-8", "backslashreplace"))


def _question(event: dict[str, Any]) -> tuple[str, str] | None:
    """The reply token and the text of a new text message."""
    message = event.get("message") or {}
    if event.get("type") != "message" or message.get("type") != "text" or not event.get("replyToken"):
        return None
    if not is_fresh(float(event["timestamp"]) / 1000) or not is_new("line", str(event["webhookEventId"])):
        return None
    return str(event["replyToken"]), whole_letters(str(message["text"]))


def _reply(token: str, text: str) -> bool:
    body = json.dumps({"replyToken": token, "messages": [{"type": "text", "text": text}]}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {settings.LINE_TOKEN}"}
    try:
        with urlopen(Request(f"{settings.LINE_API}/v2/bot/message/reply", body, headers), timeout=TIMEOUT):  # noqa: S310
            return True
    except (URLError, OSError):
        logger.exception("a reply was not taken")
        return False

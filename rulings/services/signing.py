"""Signatures of webhooks, as https://www.standardwebhooks.com/ describes them.

The secret of a subscription is no stored value: it is derived from the site's own key and a salt of the subscription.
Who reads the database cannot sign. When the site's key is replaced, its forerunners (`RULINGS_SECRET_KEY_FALLBACKS`)
sign beside it until receivers have fetched the new secret.
"""

import hmac
from base64 import b64encode
from hashlib import sha256
from secrets import token_hex

from django.conf import settings

PREFIX = "whsec_"


def new_salt() -> str:
    return token_hex(16)


def _derived(key: str, salt: str) -> bytes:
    return hmac.digest(key.encode(), f"rulings webhook {salt}".encode(), sha256)


def secret_of(salt: str) -> str:
    """The secret that the owner is shown once: `whsec_` and 32 bytes in base64."""
    return PREFIX + b64encode(_derived(settings.SECRET_KEY, salt)).decode()


def signature(salt: str, message_id: str, timestamp: int, body: bytes) -> str:
    """The value of `webhook-signature`: one signature for each key of the site, apart by a space."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return " ".join(f"v1,{b64encode(hmac.digest(_derived(key, salt), signed, sha256)).decode()}" for key in keys)

"""Addresses of web pages, as far as a page may link to them."""

import re
from urllib.parse import urlsplit

LONGEST = 500
_WEB = re.compile(r"https?://[^\s<>\"'/?#\x00-\x1f][^\s<>\"'\x00-\x1f]*", re.IGNORECASE)


def is_web_address(text: str) -> bool:
    """Whether `text` is an address of the web – no `javascript:`, no half of one – of at most LONGEST characters."""
    return len(text) <= LONGEST and _WEB.fullmatch(text) is not None and _has_host(text)


def _has_host(text: str) -> bool:
    """Whether the place of the host can be read: of brackets and ports not everything can."""
    try:
        parts = urlsplit(text)
        return bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False

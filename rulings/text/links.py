"""Addresses of web pages, as far as a page may link to them."""

import re

LONGEST = 500
_WEB = re.compile(r"https?://[^\s<>\"'/?#\x00-\x1f][^\s<>\"'\x00-\x1f]*", re.IGNORECASE)


def is_web_address(text: str) -> bool:
    """Whether `text` is an address of the web – no `javascript:`, no half of one – of at most LONGEST characters."""
    return len(text) <= LONGEST and _WEB.fullmatch(text) is not None

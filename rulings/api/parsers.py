"""How bodies are read."""

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class BoundedJsonParser(JSONParser):
    """JSON; what is nested too deep to be read, or no text at all, is the sender's fault like any other garbage."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            found = super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError from error
        if _holds_half_letters(found):
            raise ParseError("lone surrogates")
        return found


def _holds_half_letters(found: Any) -> bool:
    """Whether a name or a text anywhere holds half of a surrogate pair: JSON can write it, no text can hold it."""
    waiting = [found]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if not one.isascii() and any("\ud800" <= letter <= "\udfff" for letter in one):
                return True
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one
    return False

"""The verdict that an answer opens with."""

import re
from enum import StrEnum


class Verdict(StrEnum):
    YES = "yes"
    NO = "no"
    NONE = "none"


_OPENING = re.compile(r"^[\s「『（(]*(はい|いいえ)(?=[\s、。，．,.!！」』）)]|$)")


def verdict_of(answer: str) -> Verdict:
    """Return the verdict with which `answer` opens (はい/いいえ), NONE when it opens otherwise."""
    match = _OPENING.match(answer)
    if match is None:
        return Verdict.NONE
    return Verdict.YES if match.group(1) == "はい" else Verdict.NO

"""How the server reads requests; found by gunicorn where it is started."""

import contextlib
import ctypes
import json
from typing import Any

from gunicorn import util

# Percent-encoding makes nine bytes of a Japanese letter: the default (4,094) ends a question at 450 letters.
limit_request_line = 8190

# One pool of memory for the threads of a process instead of one each: these only keep more of what is free.
# (M_ARENA_MAX of glibc; elsewhere there is no such function, or it takes no notice.)
with contextlib.suppress(AttributeError, OSError):
    ctypes.CDLL(None).mallopt(-8, 1)


def write_problem(sock: Any, status: int, reason: str, message: str) -> None:
    """Answer what cannot be read as HTTP at all as the API answers errors; gunicorn's own words are HTML."""
    from rulings.api.errors import problem_body  # only when the site is there

    code = "malformed_request" if int(status) < 500 else "internal_error"
    body = json.dumps(problem_body(code, int(status), f"HTTP として読み取れません（{reason}）。"), ensure_ascii=False)
    packed = body.encode()
    head = (
        f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n"
        f"Cache-Control: no-store\r\nContent-Length: {len(packed)}\r\n\r\n"
    )
    util.write_nonblock(sock, head.encode("latin1") + packed)


util.write_error = write_problem  # there is no hook for it

"""Validators: what tells whether an answer is still the one that a client holds, drawn from one row of the database.

Everything that an answer shows is a function of the change log and what else the counter counts, of the day (wordings
begin and end on days), of the address, the form and coding asked for, and of this code.
"""

import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.http import HttpRequest
from django.utils import timezone
from django.utils.http import http_date, parse_etags, parse_http_date_safe

from rulings.api.errors import Problem
from rulings.api.saying import say, shown
from rulings.models import ChangeCounter

PACKAGE = Path(__file__).resolve().parents[1]
# A cache may keep an answer and asks before it gives it again; a shared one may give it for a few seconds unasked.
CACHE_CONTROL = "public, max-age=0, s-maxage=5, must-revalidate"
NEVER = "no-store"
MOST_KNOWN = 20_000  # answers known to exist, per process: some 2 MB
_existing: dict[str, None] = {}
_existing_lock = threading.Lock()


class NotModified(Exception):  # noqa: N818 - no error
    """The client holds the answer already."""


@dataclass(frozen=True, slots=True)
class Validator:
    """The validators of an answer to a request; `etag` with its quotes."""

    etag: str
    last_modified: datetime
    settled: bool = True  # no other change can fall into the second of the last one any more

    @property
    def http_date(self) -> str:
        return http_date(self.last_modified.timestamp())


@cache
def build() -> str:
    """A name for this code: another rendering is another answer."""
    digest = sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def coding_of(request: HttpRequest) -> str:
    """The coding that the client takes: `gzip` or none. What is said of gzip itself wins over what `*` says."""
    weights: dict[str, str] = {}
    for part in request.headers.get("Accept-Encoding", "").split(","):
        name, _semicolon, quality = part.strip().partition(";")
        weights[name.strip().lower()] = quality.strip().lower().removeprefix("q=")
    weight = weights.get("gzip", weights.get("*", "0"))
    refused = weight != "" and weight.replace("0", "").replace(".", "") == ""
    return "" if refused else "gzip"


def validator(request: HttpRequest, state: ChangeCounter, *more: str) -> Validator:
    """The validators of the answer to `request` in `state`; `more`: what else this answer depends on."""
    today = timezone.localdate()
    facts = (
        build(), state.database, str(state.last), str(state.touched), today.isoformat(),
        request.build_absolute_uri(), coding_of(request), *more,
    )  # fmt: skip
    etag = sha256("\n".join(facts).encode("utf-8", "backslashreplace")).hexdigest()[:32]
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    changed = max(state.changed_at, midnight).replace(microsecond=0)
    over = timezone.now().replace(microsecond=0) - timedelta(seconds=1)
    return Validator(f'"{etag}"', min(changed, over), changed <= over)


def check_before(request: HttpRequest, known: Validator) -> None:
    """Raise NotModified or the problem 412 where the headers of `request` ask for it, before anything is read."""
    wanted = request.headers.get("If-Match")
    if wanted is not None and wanted.strip() != "*" and known.etag not in parse_etags(wanted):
        detail = say("other_etag", given=shown(wanted), etag=known.etag)
        raise Problem("precondition_failed", detail, status_code=412)
    since = parse_http_date_safe(request.headers.get("If-Unmodified-Since", "")) if wanted is None else None
    if since is not None and known.last_modified.timestamp() > since:
        detail = say("changed_since", changed=known.http_date, given=http_date(since))
        raise Problem("precondition_failed", detail, status_code=412)
    held = request.headers.get("If-None-Match")
    if held is not None and held.strip() != "*" and _strong(held, known.etag):
        raise NotModified
    if known.etag in _existing and holds_after(request, known):
        raise NotModified


def note_existing(known: Validator) -> None:
    """Remember that there is an answer under this ETag: another time its conditions need no answer to be made."""
    with _existing_lock:
        _existing[known.etag] = None
        if len(_existing) > MOST_KNOWN:
            del _existing[next(iter(_existing))]


def holds_after(request: HttpRequest, known: Validator) -> bool:
    """Whether the client holds the answer, by the conditions that ask whether there is one at all."""
    held = request.headers.get("If-None-Match")
    if held is not None:
        return held.strip() == "*"
    since = parse_http_date_safe(request.headers.get("If-Modified-Since", ""))
    return since is not None and known.settled and known.last_modified.timestamp() <= since


def _strong(header: str, etag: str) -> bool:
    return etag in {one.removeprefix("W/") for one in parse_etags(header)}

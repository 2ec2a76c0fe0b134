"""What the feeds share: validators before anything is rendered, errors that are pages, times that mean something."""

from collections.abc import Callable
from datetime import datetime
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_safe

from rulings.models import ChangeCounter
from rulings.search.engine import IndexUnusable
from rulings.search.indexing import current
from rulings.text.xml import xml_text
from rulings.web.dating import BadDateError
from rulings.web.errors import bad_request_page
from rulings.web.page import BadParameterError

PACKAGE = Path(__file__).resolve().parents[1]
RETRY_AFTER = "30"  # seconds, while the index is built


class Atom(Atom1Feed):
    """Without entries a feed is as old as the site's last change, not as new as the question.

    Texts and questions can hold characters that XML cannot: they are left out.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*map(_for_xml, args), **{name: _for_xml(value) for name, value in kwargs.items()})

    def add_item(self, *args: Any, **kwargs: Any) -> None:
        super().add_item(*map(_for_xml, args), **{name: _for_xml(value) for name, value in kwargs.items()})

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else ChangeCounter.objects.state().changed_at


def _for_xml(value: Any) -> Any:
    return xml_text(str(value)) if isinstance(value, (str, Promise)) else value


@cache
def _rendering() -> str:
    """What tells this rendering of feeds from another one."""
    drawn = [settings.BASE_DIR / "templates/parts/feed_entry.html", *sorted(PACKAGE.rglob("*.py"))]
    return sha256(b"".join(path.read_bytes() for path in drawn)).hexdigest()[:16]


def _etag(request: HttpRequest, *_args: object, **_kwargs: object) -> str:
    """Drawn from the one row that tells the state of the site, and from the index, which a search asks."""
    state = ChangeCounter.objects.state()
    facts: list[object] = [_rendering(), state.database, state.last, state.touched, timezone.localdate(),
                           request.build_absolute_uri(), get_language()]  # fmt: skip
    try:
        facts.append(current()[1])
    except IndexUnusable:
        facts.append("no index")
    return f'"{sha256(repr(facts).encode("utf-8", "backslashreplace")).hexdigest()[:32]}"'


def feed(made: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a feed a view: GET and HEAD, 304 before anything is rendered, errors that are pages."""

    @wraps(made)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return made(request, *args, **kwargs)
        except (BadParameterError, BadDateError) as error:
            return bad_request_page(request, str(error))
        except IndexUnusable:
            text = _("検索索引を作り直しています。")
            response = HttpResponse(text, status=503, content_type="text/plain; charset=utf-8")
            response["Retry-After"] = RETRY_AFTER
            return response

    validated = condition(etag_func=_etag)(shown)

    @wraps(made)
    def view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = validated(request, *args, **kwargs)
        if response.status_code not in (200, 304):
            response.headers.pop("ETag", None)
        patch_cache_control(response, public=True, no_cache=True)
        return response

    return require_safe(view)

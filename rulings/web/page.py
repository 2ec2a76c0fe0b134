"""What every page shares: its headers, its parameters, its pages of a list."""

from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import Any

from django.core.paginator import EmptyPage, Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from rulings.web import dating
from rulings.web.errors import bad_request_page, not_found_page
from rulings.web.speaking import speak

View = Callable[..., HttpResponse]
LONGEST = 400  # characters of a parameter that is read


class BadParameterError(ValueError):
    """A parameter of the address cannot be read; the message is shown to the reader."""


class MissingError(LookupError):
    """The address leads nowhere; the message is shown to the reader."""


def page(view: View) -> View:
    """Make a view a page: GET and HEAD only, validated by its content, with errors that are pages too."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            on = dating.as_of(request)
            response = view(request, *args, **kwargs)
        except (BadParameterError, dating.BadDateError) as error:
            return bad_request_page(request, str(error))
        except MissingError as error:
            return not_found_page(request, str(error))
        dating.carry(response, on)
        speak(response)
        # A ruling may end today: a browser keeps the page but asks each time whether it still holds.
        patch_cache_control(response, public=True, no_cache=True)
        return response

    return require_safe(conditional_page(shown))


def text_of(request: HttpRequest, name: str) -> str:
    """The parameter `name`, "" when absent."""
    value = request.GET.get(name, "").strip()
    return checked_text(value)


def texts_of(request: HttpRequest, name: str) -> list[str]:
    """Every non-empty value of the parameter `name`."""
    values = [checked_text(value.strip()) for value in request.GET.getlist(name)[:20]]
    return [value for value in values if value]


def checked_text(value: str) -> str:
    """Refuse a text that no reader types."""
    if "\x00" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise BadParameterError(_("読み取れない文字が含まれています。"))
    if len(value) > LONGEST:
        raise BadParameterError(_("入力が長すぎます。%(limit)d文字までにしてください。") % {"limit": LONGEST})
    return value


def choice_of(request: HttpRequest, name: str, choices: dict[str, str], label: str) -> str:
    """The parameter `name` when it is one of `choices`, "" when absent."""
    value = text_of(request, name)
    if value and value not in choices:
        raise BadParameterError(_("%(label)sの指定「%(value)s」はありません。") % {"label": label, "value": value[:40]})
    return value


def id_of(value: str, label: str) -> int:
    """Read an id."""
    if not (value.isascii() and value.isdigit() and len(value) <= 18):
        raise BadParameterError(
            _("%(label)sの番号「%(value)s」を読み取れません。") % {"label": label, "value": value[:40]}
        )
    return int(value)


def date_of(request: HttpRequest, name: str, default: date) -> date:
    """The date in the parameter `name`, as a date field sends it."""
    value = text_of(request, name)
    return dating.read_date(value) if value else default


def page_number(request: HttpRequest) -> int:
    """The page of a list that is asked for."""
    value = text_of(request, "page") or "1"
    if not (value.isascii() and value.isdigit()) or int(value[:10]) < 1:
        raise BadParameterError(_("ページ「%(value)s」を読み取れません。") % {"value": value[:40]})
    if len(value) > 9:
        raise MissingError(_("そのページはありません。"))
    return int(value)


def paginated(request: HttpRequest, items: Any, size: int) -> Page:
    """The page of `items` that is asked for."""
    try:
        return Paginator(items, size).page(page_number(request))
    except EmptyPage as error:
        raise MissingError(_("そのページはありません。")) from error

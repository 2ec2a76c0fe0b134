"""The one envelope of lists: count, next, previous, warnings, results."""

from dataclasses import dataclass
from typing import Any

from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from rulings.api.errors import Problem
from rulings.api.saying import say, shown

PAGE_SIZE = 20
MAX_PAGE_SIZE = 100


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The page asked for, counted from 1."""

    number: int = 1
    size: int = PAGE_SIZE

    @property
    def start(self) -> int:
        return (self.number - 1) * self.size


def add_warning(request: Request, code: str, message: str, parameter: str | None = None) -> None:
    """Note something for the `warnings` of the answer."""
    warnings_of(request).append({"code": code, "message": message, "parameter": parameter})


def warnings_of(request: Request) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] | None = getattr(request, "api_warnings", None)
    if found is None:
        found = []
        request.api_warnings = found  # type: ignore[attr-defined]
    return found


def is_strict(request: Request) -> bool:
    return request.query_params.get("strict") in ("1", "true")


def read_count(request: Request, name: str, default: int, *, least: int = 1, most: int | None = None) -> int:
    """Read a counting number out of the query; garbage is a problem that names the parameter."""
    raw = request.query_params.get(name, "").strip()
    if not raw:
        return default
    if not (raw.isascii() and raw.isdigit() and len(raw) <= 18 and int(raw) >= least):
        detail = say("at_least", name=name, least=least, given=shown(raw))
        raise Problem("invalid_parameter", detail, parameter=name)
    value = int(raw)
    if most is not None and value > most:
        detail = say("at_most", name=name, most=most, given=value)
        raise Problem("invalid_parameter", detail, parameter=name)
    return value


def read_size(request: Request) -> int:
    """Read `page_size`; more than the most allowed is capped, with a warning."""
    size = read_count(request, "page_size", PAGE_SIZE)
    if size > MAX_PAGE_SIZE:
        add_warning(
            request,
            "page_size_capped",
            f"page_size は {MAX_PAGE_SIZE} までです。{MAX_PAGE_SIZE} 件で返します。",
            "page_size",
        )
    return min(size, MAX_PAGE_SIZE)


def read_page(request: Request) -> PageRequest:
    return PageRequest(read_count(request, "page", 1), read_size(request))


def check_page(page: PageRequest, count: int) -> None:
    """Beyond the last page there is nothing; the first page always exists."""
    last = max(1, -(-count // page.size))
    if page.number > last:
        detail = say("no_such_page", page=page.number, last=last, count=count)
        raise Problem("page_out_of_range", detail, status_code=404, parameter="page")


def envelope(
    request: Request, page: PageRequest, count: int, results: Any, reachable: int | None = None
) -> dict[str, Any]:
    """Return the members of a list answer; `reachable`: how many of `count` pages can show, all unless given."""
    here = request.build_absolute_uri()
    more = page.number * page.size < (count if reachable is None else reachable)
    return {
        "count": count,
        "next": replace_query_param(here, "page", page.number + 1) if more else None,
        "previous": replace_query_param(here, "page", page.number - 1) if page.number > 1 else None,
        "warnings": warnings_of(request),
        "results": results,
    }


class Pages(BasePagination):
    """Pages by number over a queryset or a list."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self.request = request
        self.page = read_page(request)
        self.count = queryset.count()
        check_page(self.page, self.count)
        return list(queryset[self.page.start : self.page.start + self.page.size])

    def get_paginated_response(self, data: Any) -> Response:
        return Response(envelope(self.request, self.page, self.count, data))

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return envelope_schema(schema)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return view.list_parameters()


PAGE_PARAMETERS: list[dict[str, Any]] = [
    {
        "name": "page",
        "in": "query",
        "required": False,
        "description": "ページ番号（1から）。",
        "schema": {"type": "integer", "minimum": 1, "default": 1},
    },
    {
        "name": "page_size",
        "in": "query",
        "required": False,
        "description": f"1ページの件数。{MAX_PAGE_SIZE} を超える値は {MAX_PAGE_SIZE} として扱い、warnings で知らせる。",
        "schema": {"type": "integer", "minimum": 1, "default": PAGE_SIZE},
    },
]


def envelope_schema(rows: dict[str, Any]) -> dict[str, Any]:
    """The envelope around `rows`, for the description of the API."""
    link = {"type": ["string", "null"], "format": "uri"}
    return {
        "type": "object",
        "required": ["count", "next", "previous", "warnings", "results"],
        "properties": {
            "count": {"type": "integer", "minimum": 0, "description": "全件数。"},
            "next": {**link, "description": "次のページ。"},
            "previous": {**link, "description": "前のページ。"},
            "warnings": {"type": "array", "items": {"$ref": "#/components/schemas/Warning"}},
            "results": rows,
        },
    }


INCLUDED = {
    "type": "object",
    "description": "expand で求めた、引用する項目と名指すカード（それぞれ一度だけ）。",
    "required": ["entries", "cards"],
    "properties": {
        "entries": {"type": "array", "items": {"$ref": "#/components/schemas/Entry"}},
        "cards": {"type": "array", "items": {"$ref": "#/components/schemas/Card"}},
    },
}

"""What every view and serializer of the API shares."""

import threading
from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Any

from django.db.models import Model
from django.utils import translation
from drf_spectacular.utils import extend_schema_field
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from rulings.api.conditional import (
    CACHE_CONTROL,
    NEVER,
    NotModified,
    Validator,
    check_before,
    holds_after,
    note_existing,
    validator,
)
from rulings.api.errors import Problem, valid
from rulings.api.limits import ClassLimit
from rulings.api.pagination import PAGE_PARAMETERS, Pages, add_warning, is_strict, read_size, warnings_of
from rulings.api.saying import say, shown
from rulings.api.schema import ApiSchema
from rulings.api.shaping import described, only_fields, ordered, read_choices, read_cursor, write_cursor
from rulings.models import ChangeCounter
from rulings.search.engine import IndexUnusable
from rulings.search.indexing import current

MAX_ID = 2**63 - 1
CHANGE_HEADER = "X-Change-Number"


class Parameters(serializers.Serializer):
    """The query parameters of a view: read, checked and documented in one place."""

    _kept = threading.local()

    @cached_property
    def fields(self) -> Any:
        """The fields, copied once for each thread and not for each request: checking changes nothing of them."""
        kept: Any = self._kept.__dict__
        if type(self) not in kept:
            kept[type(self)] = super().fields
        return kept[type(self)]


class AsOfParameters(Parameters):
    as_of = serializers.DateField(
        required=False,
        input_formats=["%Y-%m-%d"],
        help_text="この日に効力のあった文面を返す（YYYY-MM-DD、省略時は今日）。",
    )


class ApiView(APIView):
    """Reads the parameters, warns of unknown ones, answers in Japanese whatever the language of the asker."""

    schema = ApiSchema()
    operation_id = ""
    parameters_class: type[Parameters] = Parameters
    shapes: tuple[str, ...] = ()  # parameters of rulings.api.shaping
    change_number: int | None = None
    cache_control = CACHE_CONTROL
    throttle_classes = [ClassLimit]
    limit_class = "read"
    limit_headers: dict[str, str]
    state: ChangeCounter
    validator: Validator | None = None

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        with translation.override("ja"):
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.format_kwarg = self.get_format_suffix(**kwargs)
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        # Before the answer is read, so that an answer is never older than the number it carries.
        self.state = ChangeCounter.objects.state()
        self.change_number = self.state.last
        if not hasattr(self, (request.method or "").lower()):
            self.http_method_not_allowed(request)  # before anything that this method never had to say
        self.check_conditions(request)
        super().initial(request, *args, **kwargs)
        if request.method == "OPTIONS":  # asks about the address, not for anything
            return
        refuse_nul(request, kwargs)
        self.check_names(request)
        self.parameters = self.read_parameters(request)

    def check_conditions(self, request: Request) -> None:
        """Answer 304 before anything but the state is read."""
        more = self.depends_on()
        if request.method in ("GET", "HEAD") and more is not None:
            self.validator = validator(request._request, self.state, *more)
            check_before(request._request, self.validator)

    def depends_on(self) -> list[str] | None:
        """What the answer depends on beside the state of the site; None where it has no validators."""
        return [self.request.accepted_renderer.media_type]

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, NotModified):
            return Response(status=304)
        return super().handle_exception(exc)

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """The methods, in the header `Allow`."""
        return Response(status=204, headers={"Allow": ", ".join(self.allowed_methods)})

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        if self.change_number is not None:
            response[CHANGE_HEADER] = str(self.change_number)
        for name, value in getattr(self, "limit_headers", {}).items():
            response[name] = value
        if response.status_code == 200 and self.validator is not None:
            note_existing(self.validator)
            if holds_after(request._request, self.validator):
                response = Response(status=304, headers={CHANGE_HEADER: str(self.change_number)})
        if self.validator is not None and response.status_code in (200, 304):
            response["ETag"] = self.validator.etag
            response["Last-Modified"] = self.validator.http_date
            response["Cache-Control"] = self.cache_control
        elif "Cache-Control" not in response:
            response["Cache-Control"] = NEVER
        return super().finalize_response(request, response, *args, **kwargs)

    def known_names(self) -> set[str]:
        return {"strict", *self.parameters_class._declared_fields, *self.shapes}

    def check_names(self, request: Request) -> None:
        """Unknown parameters are a warning, under `strict=1` an error."""
        known = self.known_names()
        for name in request.query_params:
            if name in known:
                continue
            cut = name[:100]
            if is_strict(request):
                raise Problem("unknown_parameter", say("unknown_parameter", name=cut), parameter=cut)
            add_warning(request, "unknown_parameter", f"知らないパラメーターを無視しました：{cut}", cut)

    def read_parameters(self, request: Request) -> dict[str, Any]:
        given = {name: value for name, value in request.query_params.items() if value != ""}
        found: dict[str, Any] = valid(lambda: self.parameters_class(data=given), given).validated_data
        return found

    @property
    def as_of(self) -> date | None:
        return self.parameters.get("as_of")

    def context(self) -> dict[str, Any]:
        """What serializers need to know."""
        return {"request": self.request, "as_of": self.as_of}


def depends_on_index(facts: list[str] | None) -> list[str] | None:
    """What a search depends on too: the last change that the index holds."""
    try:
        held = f"index {current()[1]}"
    except IndexUnusable:
        held = "no index"
    return None if facts is None else [*facts, held]


class ListView(ApiView, generics.GenericAPIView):
    """A list in the one envelope. Filters come from `filterset_class`, rows from `serializer_class`."""

    pagination_class = Pages
    filterset_class: Any = None
    filtered: dict[str, Any]
    orderings: Mapping[str, tuple[Any, ...]] = {"id": ("pk",), "-id": ("-pk",)}
    shapes: tuple[str, ...] = ("cursor", "ordering", "fields")

    def known_names(self) -> set[str]:
        filters = set(self.filterset_class.base_filters) if self.filterset_class else set()
        return super().known_names() | filters | {"page", "page_size"}

    @property
    def as_of(self) -> date | None:
        return self.parameters.get("as_of") or self.filtered.get("as_of")

    def filter_queryset(self, queryset: Any) -> Any:
        self.filtered = {}
        if self.filterset_class is None:
            return queryset
        given = self.request.query_params
        filterset = valid(lambda: self.filterset_class(given, queryset=queryset, request=self.request), given)
        self.filtered = filterset.form.cleaned_data
        return filterset.qs

    def get_serializer_context(self) -> dict[str, Any]:
        return self.context()

    def for_display(self, queryset: Any) -> Any:
        """Load what a row shows; in the nouns' views."""
        return queryset

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        serializer: Any = self.get_serializer_class()()
        fields = read_choices(request, "fields", serializer.fields)
        queryset = self.for_display(self.filter_queryset(self.get_queryset()))
        by_cursor = "cursor" in request.query_params
        paged = self.page_by_cursor(queryset) if by_cursor else self.paginate_queryset(self.in_order(queryset))
        found: list[Any] = list(paged or [])
        rows = self.get_serializer(found, many=True).data
        shown = only_fields(rows, fields) if fields else rows
        answer = self.cursor_envelope(shown) if by_cursor else self.get_paginated_response(shown).data
        return Response(answer | self.beside(found))

    def in_order(self, queryset: Any) -> Any:
        return ordered(queryset, self.request, self.orderings)

    def beside(self, found: list[Any]) -> dict[str, Any]:
        """What the answer holds beside the rows."""
        return {}

    def page_by_cursor(self, queryset: Any) -> list[Any]:
        """The rows behind the cursor by id, which no write changes: none comes twice, none is lost."""
        for name in ("page", "ordering"):
            if self.request.query_params.get(name):
                detail = say("cursor_alone", name=name, given=shown(self.request.query_params[name]))
                raise Problem("invalid_parameter", detail, parameter=name)
        after, size = read_cursor(self.request), read_size(self.request)
        self.cursor_count = queryset.order_by().count()
        found = list(queryset.order_by("pk").filter(pk__gt=after)[: size + 1])
        self.cursor_next = write_cursor(found[size - 1].pk) if len(found) > size else ""
        return found[:size]

    def cursor_envelope(self, rows: Any) -> dict[str, Any]:
        here = self.request.build_absolute_uri()
        return {
            "count": self.cursor_count,
            "next": replace_query_param(here, "cursor", self.cursor_next) if self.cursor_next else None,
            "previous": None,
            "warnings": warnings_of(self.request),
            "results": rows,
        }

    @classmethod
    def list_parameters(cls) -> list[dict[str, Any]]:
        """The parameters of every list, for the description of the API."""
        return [*PAGE_PARAMETERS, *described(cls.shapes, cls.orderings)]


def refuse_nul(request: Request, kwargs: dict[str, Any]) -> None:
    """No name or text holds a NUL byte, and PostgreSQL cannot even be asked for one."""
    for name, values in request.query_params.lists():
        if "\x00" in name or any("\x00" in value for value in values):
            cut = name.replace("\x00", "")[:100]
            raise Problem("invalid_parameter", say("no_nul", name=cut), parameter=cut)
    if any("\x00" in value for value in kwargs.values() if isinstance(value, str)):
        raise Problem("not_found", say("not_found", path=shown(request.path)), status_code=404)


class WarningSerializer(serializers.Serializer):
    """答えについての注意。"""

    code = serializers.CharField(help_text="変わらない識別子。")
    message = serializers.CharField(help_text="日本語の説明。")
    parameter = serializers.CharField(allow_null=True, help_text="関係するパラメーター。")


class AnswerSerializer(serializers.Serializer):
    """One thing as the whole answer; the nouns add their members."""

    warnings = serializers.SerializerMethodField(help_text="答えについての注意。")

    @extend_schema_field(WarningSerializer(many=True))
    def get_warnings(self, row: Any) -> list[dict[str, Any]]:
        return warnings_of(self.context["request"])


class PagedSerializer(serializers.Serializer):
    """A row that knows the address of its page."""

    url = serializers.SerializerMethodField(help_text="サイトのページ。")

    def get_url(self, row: Model) -> str:
        return page_url(self.context["request"], row)


def page_url(request: Request, row: Any) -> str:
    """The absolute address of the page of an entry, a card, a ruleset, an amendment."""
    if not hasattr(request, "site_address"):  # asked once for all rows of an answer
        request.site_address = request.build_absolute_uri("/").removesuffix("/")  # type: ignore[attr-defined]
    day, address = getattr(row, "as_of", None), row.get_absolute_url()
    return f"{request.site_address}{address}?as_of={day}" if day else f"{request.site_address}{address}"  # type: ignore[attr-defined]

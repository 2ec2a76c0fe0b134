"""The shape of an answer that the asker chooses: `ordering`, `fields`, `expand`, and pages by `cursor`."""

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework.request import Request

from rulings.api.errors import Problem
from rulings.api.pagination import add_warning, is_strict
from rulings.api.saying import say, shown

ALWAYS = ("id", "warnings")  # members that `fields` never leaves out


def read_choices(request: Request, name: str, known: Iterable[str]) -> list[str]:
    """The comma-separated words of a parameter; an unknown one is a warning, under `strict=1` an error."""
    chosen = [word.strip() for word in request.query_params.get(name, "").split(",") if word.strip()]
    allowed = set(known)
    for word in [word for word in chosen if word not in allowed]:
        detail = say("unknown_name", name=name, given=word[:100], known=", ".join(sorted(allowed)))
        if is_strict(request):
            raise Problem("invalid_parameter", detail, parameter=name)
        add_warning(request, "unknown_name", str(detail), name)
    return [word for word in chosen if word in allowed]


def ordered(queryset: Any, request: Request, orderings: Mapping[str, tuple[Any, ...]]) -> Any:
    """Order the rows as asked; a queryset keeps its own order without."""
    wanted = request.query_params.get("ordering", "")
    if not wanted:
        return queryset
    if wanted not in orderings:
        listed, known = "、".join(orderings), ", ".join(orderings)
        detail = say("unknown_ordering", listed=listed, known=known, given=shown(wanted))
        raise Problem("invalid_parameter", detail, parameter="ordering")
    return queryset.order_by(*orderings[wanted])


def only_fields(rows: Iterable[Mapping[str, Any]], fields: list[str]) -> list[dict[str, Any]]:
    """The rows with the members asked for, and those there always are."""
    wanted = {*ALWAYS, *fields}
    return [{name: value for name, value in row.items() if name in wanted} for row in rows]


def write_cursor(pk: int) -> str:
    return base64.urlsafe_b64encode(f"id {pk}".encode()).decode().rstrip("=")


def read_cursor(request: Request) -> int:
    """The id behind which the page begins; 0 for the first."""
    given = request.query_params.get("cursor", "")
    if not given:
        return 0
    try:
        word, _space, pk = base64.urlsafe_b64decode(given + "=" * (-len(given) % 4)).decode().partition(" ")
        if word == "id" and pk.isascii() and pk.isdigit() and len(pk) < 19:
            return int(pk)
    except (binascii.Error, ValueError):
        pass
    raise Problem("invalid_parameter", say("bad_cursor", given=shown(given)), parameter="cursor")


PARAMETERS: dict[str, str] = {
    "cursor": "空で始めると id 順に返し、next で続く。書き換えがあっても抜けも重なりもない。page とは併用できない。",
    "ordering": "並び順。",
    "fields": "返すメンバーをコンマで区切って（id と warnings はいつも返す）。",
    "expand": "references（引用する項目）と cards（名指すカード）を included に添える。コンマで区切る。",
}


def described(names: Iterable[str], orderings: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The parameters for the description of the API."""
    found = []
    for name in names:
        schema: dict[str, Any] = {"type": "string"}
        if name == "ordering":
            schema["enum"] = list(orderings)
        found.append(
            {"name": name, "in": "query", "required": False, "description": PARAMETERS[name], "schema": schema}
        )
    return found

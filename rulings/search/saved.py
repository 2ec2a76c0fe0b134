"""Saved searches: the query string of a search, kept as text and read again whenever something has changed."""

from collections.abc import Iterable
from urllib.parse import parse_qsl, urlencode

from rulings.models import Authority, Game, Kind, Ruleset, Status
from rulings.search.results import SearchRequest

LONGEST = 1_000  # characters of a query string
MAX_ID = 2**63 - 1
READ_AS = ("number", "card", "words")
NAMES = ("q", "kind", "game", "ruleset", "card", "status", "year", "authority", "read")


class SavedSearchError(ValueError):
    """The query string is none that can be kept; the message (Japanese) says why."""


def read_saved(text: str) -> SearchRequest:
    """Return the search that a query string (`q=…&ruleset=…`) asks for; raise SavedSearchError.

    What only shapes a page of results (page, facets …) and what fixes a day have no meaning in a saved search.
    """
    given = _pairs(text)
    if not given.get("q", "").strip():
        raise SavedSearchError("検索文 q がありません。")
    return SearchRequest(
        q=given["q"],
        kind=_one_of(given, "kind", Kind.values),
        game=_one_of(given, "game", Game.objects.values_list("slug", flat=True)),
        ruleset=_one_of(given, "ruleset", Ruleset.objects.values_list("slug", flat=True)),
        card=_number(given, "card", MAX_ID),
        status=_one_of(given, "status", ["all", *Status.values]),
        year=_number(given, "year", 9999),
        authority=_one_of(given, "authority", Authority.values),
        read=_one_of(given, "read", READ_AS),
    )


def tidy(text: str) -> str:
    """The query string as it is kept: one writing for one search."""
    given = _pairs(text)
    return urlencode([(name, given[name]) for name in NAMES if given.get(name)])


def _pairs(text: str) -> dict[str, str]:
    if len(text) > LONGEST:
        raise SavedSearchError(f"検索が長すぎます（{LONGEST}文字まで）。")
    try:
        pairs = parse_qsl(text.removeprefix("?"), keep_blank_values=True, errors="strict", max_num_fields=20)
    except ValueError as error:  # too many fields, or bytes that are no UTF-8
        raise SavedSearchError("検索を読み取れません（UTF-8 の %XX で書いてください）。") from error
    given: dict[str, str] = {}
    for name, value in pairs:
        if name not in NAMES:
            raise SavedSearchError(f"保存した検索では「{name[:40]}」は使えません。")
        if name in given:
            raise SavedSearchError(f"「{name}」が二度あります。")
        if "\x00" in value:
            raise SavedSearchError("NUL 文字は使えません。")
        given[name] = value
    return given


def _one_of(given: dict[str, str], name: str, known: Iterable[str]) -> str | None:
    value = given.get(name, "")
    if value and value not in list(known):
        what = "カードそのものは検索として保存できません。card で指定してください。" if value == "card" else ""
        raise SavedSearchError(f"「{name}」に「{value[:40]}」は指定できません。{what}")
    return value or None


def _number(given: dict[str, str], name: str, largest: int) -> int | None:
    value = given.get(name, "")
    if not value:
        return None
    if not (value.isascii() and value.isdigit() and 0 < int(value[:30]) <= largest):
        raise SavedSearchError(f"「{name}」の「{value[:40]}」を読み取れません。")
    return int(value)

"""The fields of the query language: words for kinds, rulesets, states, days → filters of the request."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

from rulings.models import Kind, Ruleset, Status
from rulings.search.language import Asked, read_range
from rulings.search.matching import match
from rulings.search.name_table import NameTable
from rulings.search.results import SearchRequest, SearchWarning
from rulings.search.vocabulary import words_of
from rulings.text.fold import fold_key, squeeze
from rulings.text.numbers import parse_number

Days = tuple[date | None, date | None]

_KINDS = {"ルール": "section", "qa": "faq", "質問": "faq", "faq": "faq", "相互作用": "interaction", "カード": "card"}
_STATES = {"すべて": "all", "全て": "all", "all": "all"}


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A request with the fields of its query as filters, the days between which a wording began, what was ignored."""

    request: SearchRequest
    days: Days | None
    warnings: list[SearchWarning]


def _key(text: str) -> str:
    return squeeze(text).text


def _one_of(choices: dict[str, str], value: str) -> str | None:
    return {_key(name): said for name, said in choices.items()}.get(_key(value))


def _kind(value: str) -> str | None:
    own = {str(label): kind for kind, label in Kind.choices} | {kind: kind for kind in Kind.values}
    return _one_of(own | _KINDS, value)


def _status(value: str) -> str | None:
    own = {str(label): status for status, label in Status.choices} | {status: status for status in Status.values}
    return _one_of(own | _STATES, value)


def _ruleset(value: str) -> str | None:
    named = {name: slug for slug, name in Ruleset.objects.values_list("slug", "name")}
    known = {slug: slug for slug in named.values()} | named | words_of(None).ruleset_words
    return _one_of(known, value)


def _game(value: str) -> str | None:
    games = words_of(None).games
    return _one_of(games | {slug: slug for slug in games.values()}, value)


def narrow(asked: Asked, request: SearchRequest, names: NameTable) -> Narrowed:
    """Return the request that the fields of a query make; a filter that the request has already wins."""
    warnings: list[SearchWarning] = []
    readers: dict[str, Callable[[str], str | int | None]] = {
        "kind": _kind,
        "status": _status,
        "ruleset": _ruleset,
        "game": _game,
        "card": lambda value: next((one.card for one in match(fold_key(value), names)), None),
    }
    text, days = asked.text, None
    for name, value in asked.fields.items():
        if name == "number":
            number = parse_number(value)
            text = f"{number} {text}" if number else text
            read: object = number
        elif name == "date":
            days = read = read_range(value)
        elif getattr(request, name) is not None:
            warnings.append(
                SearchWarning("ignored", f"絞り込みが別に指定されているため、「{value}」は使いませんでした。")
            )
            continue
        else:
            read = readers[name](value)
            request = replace(request, **{name: read})  # type: ignore[arg-type]
        if read is None:
            warnings.append(SearchWarning("ignored", f"条件の「{value}」は読み取れなかったので、使いませんでした。"))
    return Narrowed(replace(request, q=text.strip()), days, warnings)

"""The query language, for those who want it; everything else is left as it was typed.

    "追加ターン" -相手        a phrase that must stand there, a word that must not
    (侵略 OR 革命チェンジ) AND NOT 手札
    種類:faq 規則集:dm-party カード:ボルメテウス 番号:101.4 状態:要確認 日付:2025-01-01..2026-02-13

A gated builder of our own: no engine's parser sees a query. It never raises; what it could not read is named.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date

from rulings.search.results import SearchWarning
from rulings.text.dates import find_date
from rulings.text.fold import squeeze

MAX_TOKENS = 40
MAX_DEPTH = 8

_FIELDS = {
    "種類": "kind", "kind": "kind",
    "規則集": "ruleset", "ruleset": "ruleset",
    "カード": "card", "card": "card",
    "番号": "number", "number": "number",
    "状態": "status", "status": "status",
    "日付": "date", "date": "date",
    "ゲーム": "game", "game": "game",
}  # fmt: skip
_TOKEN = re.compile(
    rf"""
    (?P<minus>(?:(?<=\s)|(?<=\()|^)[-−](?=[^\s\d-]))?
    (?: (?P<field>{"|".join(_FIELDS)})\s*:\s*(?:"(?P<quoted>[^"]*)"|(?P<value>[^\s()]+))
      | "(?P<phrase>[^"]*)"
      | (?P<open>\()
      | (?P<close>\))
      | (?P<word>(?:(?!\s|[()"]).)+)
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OPERATORS = ("AND", "OR", "NOT")
_QUOTES = str.maketrans("“”〝〟″", '"""""')


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a condition: `has` a squeezed text, or `and`, `or`, `not` of other pieces."""

    kind: str
    text: str = ""
    parts: tuple["Node", ...] = ()
    raw: str = ""  # as it was typed

    def holds(self, text: str) -> bool:
        """Whether a squeezed text meets the condition."""
        if self.kind == "has":
            return self.text in text
        if self.kind == "not":
            return not self.parts[0].holds(text)
        return (all if self.kind == "and" else any)(part.holds(text) for part in self.parts)


@dataclass(slots=True)
class Asked:
    """A query taken apart."""

    text: str  # what is asked in plain words, without what must not stand there
    condition: Node | None = None  # what the texts must meet
    is_exact: bool = False  # operators were used: the condition decides, not how much of the query a text covers
    fields: dict[str, str] = field(default_factory=dict)
    warnings: list[SearchWarning] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # word, phrase, open, close, and, or, not
    text: str = ""


def take_apart(raw: str) -> Asked:
    """Read a prepared query; a query without any sign of the language comes back as it is."""
    text = raw.translate(_QUOTES)
    fields: dict[str, str] = {}
    warnings: list[SearchWarning] = []
    tokens = list(_tokens(text, fields, warnings))
    operators = any(token.kind in ("and", "or") for token in tokens) or any(
        token.kind == "not" and token.text for token in tokens
    )
    if not (operators or fields or any(token.kind in ("phrase", "not") for token in tokens)):
        return Asked(raw, warnings=warnings)
    if len(tokens) > MAX_TOKENS:
        warnings.append(SearchWarning("query_cut", f"条件が多いため、はじめの{MAX_TOKENS}個で検索しました。"))
        tokens = tokens[:MAX_TOKENS]
    if not operators:  # brackets are part of the words
        tokens = [token for token in tokens if token.kind not in ("open", "close")]
    asked = Asked("", is_exact=operators, fields=fields, warnings=warnings)
    tree = _Builder(tokens, asked.warnings).build()
    asked.text = " ".join(_wanted(tree)) if tree else ""
    asked.condition = tree if operators else _strict(tokens)
    return asked


def _tokens(text: str, fields: dict[str, str], warnings: list[SearchWarning]) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        if found["minus"]:
            yield _Token("not")
        if found["field"]:
            _keep(_FIELDS[found["field"].lower()], found["quoted"] or found["value"] or "", fields, warnings)
        elif found["open"] or found["close"]:
            yield _Token("open" if found["open"] else "close")
        elif found["phrase"] is not None:
            if squeeze(found["phrase"]).text:
                yield _Token("phrase", found["phrase"])
        elif found["word"] in _OPERATORS:
            yield _Token(found["word"].lower(), found["word"])
        else:
            yield _Token("word", found["word"])


def _keep(name: str, value: str, fields: dict[str, str], warnings: list[SearchWarning]) -> None:
    if not value:
        warnings.append(SearchWarning("ignored", "値のない条件は使いませんでした。"))
    elif name in fields:
        warnings.append(SearchWarning("ignored", f"同じ条件が二度あります。「{value}」は使いませんでした。"))
    else:
        fields[name] = value


def _strict(tokens: list[_Token]) -> Node | None:
    """Return what must hold of a query without operators: its phrases, and the words with a minus."""
    parts: list[Node] = []
    negated = False
    for token in tokens:
        if token.kind == "not":
            negated = True
            continue
        leaf = _leaf(token)
        if leaf and negated:
            parts.append(Node("not", parts=(leaf,)))
        elif leaf and token.kind == "phrase":
            parts.append(leaf)
        negated = False
    return _joined("and", parts)


def _leaf(token: _Token) -> Node | None:
    text = squeeze(token.text).text
    return Node("has", text, raw=token.text) if text else None


def _wanted(node: Node) -> Iterator[str]:
    """Yield the texts that are wanted, as they were typed."""
    if node.kind == "has":
        yield node.raw
    elif node.kind != "not":
        for part in node.parts:
            yield from _wanted(part)


class _Builder:
    """Builds the condition: NOT binds before AND (also unwritten), AND before OR. Forgives what does not fit."""

    def __init__(self, tokens: list[_Token], warnings: list[SearchWarning]) -> None:
        self.tokens, self.at, self.depth, self.ignored = tokens, 0, 0, False
        self.warnings = warnings

    def build(self) -> Node | None:
        parts = []
        while self.at < len(self.tokens):
            if part := self._either():
                parts.append(part)
            if self._next() == "close":
                self.ignored, self.at = True, self.at + 1
        if self.ignored:
            self.warnings.append(SearchWarning("ignored", "対応しない括弧や演算子は使いませんでした。"))
        return _joined("and", parts)

    def _next(self) -> str:
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def _series(self, kind: str, step: Callable[[], Node | None], goes_on: Callable[[], bool]) -> Node | None:
        parts = []
        if first := step():
            parts.append(first)
        while goes_on():
            if part := step():
                parts.append(part)
        return _joined(kind, parts)

    def _either(self) -> Node | None:
        return self._series("or", self._all, lambda: self._takes("or"))

    def _all(self) -> Node | None:
        return self._series("and", self._one, lambda: self._takes("and") or self._next() not in ("", "or", "close"))

    def _takes(self, kind: str) -> bool:
        if self._next() != kind:
            return False
        self.at += 1
        return True

    def _one(self) -> Node | None:
        if self._takes("not"):
            inner = self._one() if self._next() not in ("", "or", "and", "close") else None
            self.ignored |= inner is None
            return Node("not", parts=(inner,)) if inner else None
        if self._takes("open"):
            return self._bracket()
        if self._next() in ("", "or", "and", "close"):
            self.ignored = True
            return None
        token = self.tokens[self.at]
        self.at += 1
        return _leaf(token)

    def _bracket(self) -> Node | None:
        self.depth += 1
        inner = self._either() if self.depth <= MAX_DEPTH else None
        self.ignored |= self.depth > MAX_DEPTH
        self.depth -= 1
        if not self._takes("close"):
            self.ignored = True
        return inner


def _joined(kind: str, parts: list[Node]) -> Node | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return Node(kind, parts=tuple(parts))


def read_range(value: str) -> tuple[date | None, date | None] | None:
    """Read `2025-01-01..2026-02-13`, `2025..`, `..2026-02`, `2025年`; None when it is no range of days."""
    first, dots, last = re.sub(r"[~〜～…]", "..", value).partition("..")
    try:
        begin = _day(first, is_last=False) if first else None
        end = _day(last.lstrip("."), is_last=True) if last.strip(".") else None if dots else _day(first, is_last=True)
    except ValueError:
        return None
    return (begin, end) if begin or end else None


def _day(text: str, *, is_last: bool) -> date:
    """Read a day; a year or a month alone means its first or its last day."""
    if found := re.fullmatch(r"(\d{4})年?(?:[-/.]?(\d{1,2})月?)?", text):
        year, month = int(found[1]), int(found[2]) if found[2] else 0
        if not is_last:
            return date(year, month or 1, 1)
        after = date(year + (month in (0, 12)), month % 12 + 1 if month else 1, 1)
        return date.fromordinal(after.toordinal() - 1)
    day = find_date(text)
    if day is None:
        raise ValueError(text)
    return day

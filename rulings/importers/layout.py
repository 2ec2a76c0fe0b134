"""The lines of a loosely formatted document: what each opens with, and which of them are headings.

Everything here looks at a line and its neighbours; what a line belongs to is the parsers' business.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from rulings.importers.errors import ParseError
from rulings.text.dates import find_date
from rulings.text.slugs import cut_at_word


class Kind(StrEnum):
    TEXT = "text"
    HEADING = "heading"  # a bare line over what follows
    STATEMENT = "statement"  # ◆ ■ ● ○ …
    BULLET = "bullet"  # ・ • -
    NUMBERED = "numbered"  # ① 1. (1)
    NOTE = "note"  # ※
    EXAMPLE = "example"  # 例： 例１） • 例）
    QUESTION = "question"
    ANSWER = "answer"
    TABLE = "table"  # cells parted by TAB
    DRAWING = "drawing"  # columns of words, box lines
    CREDIT = "credit"  # date, author, copyright of the document
    NAVIGATION = "navigation"
    CALL = "call"  # an invitation to follow a link


@dataclass(frozen=True, slots=True)
class Line:
    """A non-blank line: `text` is what follows the marker."""

    number: int  # 1-based
    raw: str
    kind: Kind
    text: str
    marker: str = ""
    label: str = ""  # of an example, as printed
    indent: int = 0
    gap: bool = False  # a blank line (or nothing) stands before it
    loose: bool = False  # a blank line (or nothing) stands after it


_DIGITS = r"[0-9０-９]"
_CLOSE = r"[：:.．、，)）\]】」]"
_MARKERS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        Kind.EXAMPLE,
        re.compile(
            rf"[•・◦‣*＊\-–]?\s*(?:[(（【［\[](?P<boxed>例\s*{_DIGITS}{{0,2}})[)）】］\]]"
            rf"|(?P<label>例\s*(?:{_DIGITS}{{1,2}}|[①-⑳])?)\s*[)）：:．.])"
        ),
    ),
    (Kind.QUESTION, re.compile(rf"(?:[【\[［]?(?:[QＱ]{_DIGITS}{{0,3}}|質問)\s*{_CLOSE}(?![A-ZＡ-Ｚ][.．])|[QＱ]\s)")),
    (Kind.ANSWER, re.compile(rf"(?:[【\[［]?(?:[AＡ]{_DIGITS}{{0,3}}|回答)\s*{_CLOSE}(?![A-ZＡ-Ｚ][.．])|[AＡ]\s)")),
    (Kind.NOTE, re.compile(r"(?P<marker>[※＊])")),
    (Kind.NUMBERED, re.compile(rf"(?P<marker>[①-⑳]|[(（]{_DIGITS}{{1,2}}[)）]|{_DIGITS}{{1,2}}[.．)）](?!{_DIGITS}))")),
    (Kind.BULLET, re.compile(r"(?P<marker>[・•‣◦]|[-*–](?=\s))")),
    # A line may also speak of such a sign (■や▶で区切る…): then the sign is no marker.
    (
        Kind.STATEMENT,
        re.compile(r"(?P<marker>[◆◇■□●○〇◎★☆▼▽◉▪])(?!\s*[や、・とか]\s*[■□▶◆●○▼、])(?!\s*[、やをがはも])"),
    ),
)
_SIGN = re.compile(r"[◆◇■□●○〇◎★☆▼▽▲△▶▷]")
_ARROW = re.compile(r"[↓→⇒⇩↑⬇➡▼▶☞>＞]+\s*(?=\S)")
_LINK = re.compile(r"こちら|コチラ|ここから|ココから|リンク先|チェック|クリック|ご確認|ご覧|詳しく|詳細")
_LINK_END = re.compile(
    r"(?:こちら|コチラ|ココ|リンク先)(?:から|より|へ|まで|で|に|を|も)*"
    r"(?:(?:どうぞ|ご?確認|ご?覧|チェック|クリック|ご?参照|アクセス)[ぁ-ん下]{0,8})?[！!。♪☆→＞>»]*$"
)
_INNER_STOP = re.compile(r"[。！!][^。！!♪☆→＞>»]")
_NAVIGATION = re.compile(
    r"(?:go\s*)?back|戻る|もどる|home|ホーム|top|トップ(?:ページ)?|next|次へ|previous|prev|前へ|目次"
    r"|(?:ページ|この)?(?:の)?(?:先頭|上|トップ|目次|一覧|top|home)(?:へ|に)?(?:戻る|もどる)?",
    re.IGNORECASE,
)
_CREDIT = re.compile(
    r"(?:last\s*(?:update|modified)|最終更新|更新日|掲載日|公開日|発表日|制定日|作成日|文責|作成者|著者|編者|出典|©|copyright)",
    re.IGNORECASE,
)
_COLUMNS = re.compile(r"\S(?:[ 　]{2,}|　)\S|[─-╿┃━|｜].*[─-╿┃━|｜]")
_SENTENCE_END = re.compile(r"[。．.！!、，,；;]$")
_DEFINITION = re.compile(
    r"(?P<term>[^：:。、！？!?「」]{1,30}?)\s*[：:](?!//)(?<!\d:(?=\d))\s*(?P<value>.*)", re.DOTALL
)
BARE_LENGTH = 40
NO_HEADINGS: Mapping[int, int] = MappingProxyType({})
CALL_LENGTH = 120
DRAWING_LENGTH = 40


def term_of(text: str) -> str:
    """The term that a statement of the form `用語：値` defines, "" when it defines none."""
    match = _DEFINITION.match(text)
    return match["term"].strip() if match else ""


def defines(text: str) -> bool:
    """Whether `text` gives a term its value (a bare `用語：` is a heading over what follows)."""
    return bool(term_of(text)) and text[-1] not in "：:"


def opens_with_arrow(text: str) -> bool:
    return _ARROW.match(text) is not None


def is_headline(text: str, limit: int = 80) -> bool:
    """Whether `text` could stand over others: no sentence, and short (a line without a marker must be shorter)."""
    return (
        0 < len(text) <= limit
        and "。" not in text
        and _SENTENCE_END.search(text) is None
        and any(char.isalpha() for char in text)
    )


def is_bare_headline(line: Line) -> bool:
    """Whether a line without a marker could be a heading."""
    bare = line.kind in (Kind.TEXT, Kind.HEADING) and line.indent == 0 and line.text[0] not in "（(↓→"
    return bare and is_headline(line.text, BARE_LENGTH)


def opening(text: str, limit: int = 30) -> str:
    """The first words of a text, to call it by."""
    return cut_at_word(re.split(r"(?<=[。！？])|\n", text, maxsplit=1)[0], limit)


def opens_with_sign(text: str) -> bool:
    return _SIGN.match(text) is not None


def ends_sentence(text: str) -> bool:
    return text.rstrip("）)」』 　")[-1:] in ("。", "！", "!", "？")


def read_lines(text: str, headings: Collection[int] = ()) -> list[Line]:
    """Read the non-blank lines of `text`, of which some are known to be headings; a document without any is none."""
    raw = text.split("\n")
    blank = [True, *(not line.strip() for line in raw), True]
    lines = [
        replace(_classify(line.rstrip("\r \u3000"), blank[at - 1]), number=at, gap=blank[at - 1], loose=blank[at + 1])
        for at, line in enumerate(raw, start=1)
        if not blank[at]
    ]
    if not lines:
        raise ParseError("文書に文字がありません。")
    return [_as_heading(line) if line.number in headings else line for line in _mark_drawings(lines)]


def _as_heading(line: Line) -> Line:
    """A line that the page itself marks as a heading; a question may be one and stays a question."""
    if line.kind in (Kind.QUESTION, Kind.ANSWER, Kind.NAVIGATION):
        return line
    text = line.text if line.kind is Kind.STATEMENT and line.text else line.raw.strip()
    return replace(line, kind=Kind.HEADING, text=text, marker="", label="", indent=0)


def _classify(raw: str, gap: bool) -> Line:
    text = raw.strip()
    line = Line(0, raw, Kind.TEXT, text, indent=_indent(raw))
    if "\t" in text:
        return replace(line, kind=Kind.TABLE, text=raw.strip(" \u3000\r"))
    if _NAVIGATION.fullmatch(text.strip("◆◇■●▲△▼←→<>＜＞|｜[]［］【】 　^")):
        return replace(line, kind=Kind.NAVIGATION)
    if _is_call(text, gap):
        return replace(line, kind=Kind.CALL)
    for kind, pattern in _MARKERS:
        match = pattern.match(text)
        if match is not None:
            groups = match.groupdict()
            label = (groups.get("boxed") or groups.get("label") or "").strip()
            rest = text[match.end() :].strip()
            return replace(line, kind=kind, text=rest, marker=groups.get("marker") or "", label=label)
    return line


def _indent(raw: str) -> int:
    """Columns before the first character; a full-width space is two wide."""
    width = 0
    for char in raw:
        if char not in " \u3000\t":
            break
        width += {" ": 1, "\u3000": 2, "\t": 4}[char]
    return width


def _is_call(text: str, gap: bool) -> bool:
    """Whether a line only invites to follow a link: an arrow and a word of pointing, or such a word at its end."""
    if len(text) > CALL_LENGTH:
        return False
    if _ARROW.match(text):
        return _LINK.search(text) is not None
    bare = text.lstrip("◆●■ 　")
    return (gap or bare != text) and _LINK_END.search(bare) is not None and _INNER_STOP.search(bare) is None


def is_credit(line: Line) -> bool:
    """Whether a line says who wrote the document or when, and nothing else."""
    return line.kind in (Kind.TEXT, Kind.HEADING, Kind.NOTE) and (
        _CREDIT.match(line.text) is not None
        and not line.text.endswith("。")
        and len(line.text) <= 80
        or find_date(line.text) is not None
        and len(line.text) <= 24
        and not line.text.endswith("。")
    )


def _mark_drawings(lines: list[Line]) -> list[Line]:
    """Mark columns of words as drawings, and the bare words between two such lines with them."""
    kinds = [_may_be_drawn(line) and _COLUMNS.search(line.raw.strip()) is not None for line in lines]
    # A single line of columns is a heading with an aside more often than a picture.
    drawn = [
        here and (any(kinds[at + step] for step in (-2, -1, 1, 2) if 0 <= at + step < len(lines)))
        for at, here in enumerate(kinds)
    ]
    for at in range(1, len(lines) - 1):
        if drawn[at - 1] and drawn[at + 1] and _may_be_drawn(lines[at]):
            drawn[at] = True
    return [replace(line, kind=Kind.DRAWING) if here else line for line, here in zip(lines, drawn, strict=True)]


def _may_be_drawn(line: Line) -> bool:
    return line.kind is Kind.TEXT and len(line.text) <= DRAWING_LENGTH and not _SENTENCE_END.search(line.text)


def mark_headings(lines: Sequence[Line]) -> list[Line]:
    """Mark the bare lines that stand over others."""
    marked = list(lines)
    for at, line in enumerate(lines[:-1]):
        after = lines[at + 1]
        set_off = line.gap or (marked[at - 1].kind is Kind.HEADING and after.kind not in (Kind.TEXT, Kind.NOTE))
        # A term and its value stand over nothing, unless they are the title of all that follows.
        valued = defines(line.text) and not line.loose
        # Without a blank line, only a new statement beneath shows that a short line is no sentence's end.
        closed = ends_sentence(lines[at - 1].text) and after.kind is Kind.STATEMENT and line.text[-1:] != "："
        if line.kind is Kind.TEXT and is_bare_headline(line) and (set_off or closed) and not valued:
            marked[at] = replace(line, kind=Kind.HEADING)
    return marked


def heading_depths(lines: Sequence[Line], levels: Mapping[int, int] = NO_HEADINGS) -> dict[int, int]:
    """Return the depth of every bare heading, by line number: 1 under a heading over others, else 0.

    `levels`: those of a page's own headings, by line. Where it has several, they say what stands under what, and all
    of these stand over the bare ones: their depths are below 0.

    Else the only sign of nesting is a heading with nothing of its own: what follows in the same style stands
    under it, until the next such heading, or the next in a looser style. A single follower is no group:
    the empty one may just have lost its text.
    """
    ranked = _ranked(lines, levels)
    heads = [(at, line) for at, line in enumerate(lines) if line.kind is Kind.HEADING and line.number not in ranked]
    depths: dict[int, int] = dict(ranked)
    group: tuple[bool, bool] | None = None  # looseness of the group's members, of its head
    for place, (at, line) in enumerate(heads):
        empty = at + 1 < len(lines) and lines[at + 1].kind is Kind.HEADING
        if empty and _members(heads, place, lines) >= 2:
            group = (heads[place + 1][1].loose, line.loose)
            depths[line.number] = 0
            continue
        if group is not None and line.loose and not group[0]:
            group = None
        depths[line.number] = 0 if group is None else 1
    return depths


def _ranked(lines: Sequence[Line], levels: Mapping[int, int]) -> dict[int, int]:
    """The depths of headings by their levels; nothing when all have one. The title of the page stands over nothing."""
    own = {line.number: levels[line.number] for line in lines if line.kind is Kind.HEADING and line.number in levels}
    first = next(iter(own), 0)
    others = [level for number, level in own.items() if number != first]
    if others and own[first] < min(others):
        own[first] = min(others)
    return {number: level - 10 for number, level in own.items()} if len(set(own.values())) > 1 else {}


def _members(heads: Sequence[tuple[int, Line]], place: int, lines: Sequence[Line]) -> int:
    """How many headings would stand under the empty heading at `place` (counted to two)."""
    loose = heads[place + 1][1].loose
    count = 0
    for at, line in heads[place + 1 : place + 3]:
        if line.loose != loose or (at + 1 < len(lines) and lines[at + 1].kind is Kind.HEADING):
            break
        count += 1
    return count

"""Undo what a PDF did to Japanese text: lines broken inside words, spaces around Latin letters and digits.

A line break is a real one only where the line could have gone on: the line is clearly shorter than its
column and either ends a sentence, ends a list's introduction, or is a heading. Everything else was broken
by the layout and is joined. Spaces are judged by their neighbours, and differently inside the name of a
card, where a space belongs to the name.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

# A line that reaches this share of its column may have been broken by the layout.
_FULL = 0.9
# A predicate in plain form ends a heading even where the line is almost full.
_ALMOST_FULL = 0.93
# Columns narrower than this share of the page stand beside a picture.
_NARROW = 0.8

_SENTENCE_END = re.compile(r"[。！？!?][）)」』》≫】〉”’]*$")
_OPEN_TAIL = re.compile(r"[「『（(《≪【][^「『（(《≪【」』）)》≫】]*$")
_INTRODUCES = re.compile(r"[：:]$")
_BULLET = re.compile(r"[●○◆◇■□▶▷▼※•◦①-⑳]|[・‣][^・]|例\s?[0-9０-９]{0,2}[：:]")
_WHOLE_NAME = re.compile(r"[《≪][^》≫]*[》≫]$")
# What cannot begin a paragraph: closing marks, small kana, particles and the tails of predicates.
_CONTINUES = re.compile(
    r"[、。，．」』）)》≫】〉！？ー～ぁぃぅぇぉっゃゅょァィゥェォッャュョ々]"
    r"|[をにのへ]|[はがもとで][、「《ァ-ヶ一-龠]|から|まで|より|する|した|して|し、|ます|ません|です|ない|れる|られ|ている"
)
_UNFINISHED_TAIL = re.compile(r"[、，・（(「『《≪をにのへはがもとでやかばしてれえ－-]$")
_PREDICATE_TAIL = re.compile(r"[うくすつぬむるぐぶいただ]$")

_NAME = re.compile(r"(《[^》\n]{0,80}》|≪[^≫\n]{0,80}≫|«[^»\n]{0,80}»)")
_SPACES = re.compile(r"[ \t\u00a0]+")
_PARTICLES = "はがをにのもへで"
_COUNTER = "番枚体号人回種目年月日級代世個点倍つ文"


@lru_cache(maxsize=8192)
def _char_width(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WFA" else 1


def display_width(text: str) -> int:
    """Return the width of `text` in half-width columns."""
    return sum(map(_char_width, text))


def ends_sentence(line: str) -> bool:
    """Tell whether `line` ends with the end of a sentence, closing brackets allowed."""
    return _SENTENCE_END.search(line[-8:]) is not None


def rejoin(lines: Sequence[str], width: int = 0, names: Mapping[str, str] | None = None, indent: int = 0) -> str:
    """Return the text of `lines` with one line per paragraph and without the spaces of the layout.

    `width` is the display width of the page's column where it is known (else the widest line counts);
    `names` maps squeezed names to their spelling, for names that were broken at their space;
    `indent` is the width of what stood before the first line's text (its number, a label).
    """
    paragraphs = [tidy_spaces(paragraph) for paragraph in _paragraphs(lines, width, indent)]
    text = "\n".join(paragraph for paragraph in paragraphs if paragraph)
    return restore_names(text, names) if names else text


def _paragraphs(lines: Sequence[str], width: int, indent: int) -> list[str]:
    texts = [line.strip() for line in lines]
    column = max([width, *map(display_width, texts)])
    paragraphs: list[list[str]] = []
    local = column
    gap = False
    last = 0  # the width of the last line, with what stood before it
    for text in texts:
        if not text:
            gap = True
            continue
        if not paragraphs or _breaks(paragraphs[-1], last, text, gap, column, local):
            last = display_width(text) + (0 if paragraphs else indent)
            paragraphs.append([text])
            local = column
        else:
            local = last if last < column * _NARROW else column
            last = display_width(text)
            paragraphs[-1].append(text)
        gap = False
    return [_join(parts) for parts in paragraphs]


def _breaks(parts: list[str], width: int, line: str, gap: bool, column: int, local: int) -> bool:
    """Tell whether `line` begins a paragraph after the lines `parts` of the present one.

    `width` is that of the last line of `parts`.
    """
    previous = parts[-1]
    if _CONTINUES.match(line) or _OPEN_TAIL.search(previous[-120:]):
        return False
    if ends_sentence(previous):
        return gap or width < local * _FULL or _BULLET.match(line) is not None
    short = width < column * _FULL
    if _INTRODUCES.search(previous) or (_WHOLE_NAME.match(previous) and _WHOLE_NAME.match(line)):
        return short or gap
    if _BULLET.match(line) and (short or gap) and not _UNFINISHED_TAIL.search(previous):
        return True
    return len(parts) == 1 and _is_heading(previous, width, line, column)


def _is_heading(first: str, width: int, following: str, column: int) -> bool:
    """Tell whether the first line of a paragraph is a heading over what follows, which is then wider."""
    if "。" in first or _BULLET.match(first):
        return False
    wider = display_width(following) / width
    if width < column * _ALMOST_FULL and _PREDICATE_TAIL.search(first):
        return wider > 1.05
    return width < column * _NARROW and not _UNFINISHED_TAIL.search(first) and wider > 1.2


def _join(parts: list[str]) -> str:
    """Join the lines of one paragraph; words in Latin letters keep a space between them."""
    pieces = [parts[0]]
    for previous, line in zip(parts, parts[1:], strict=False):
        if _is_latin(line[0]) and (_is_latin(previous[-1]) or previous[-1] in ",.;:!?"):
            pieces.append(" ")
        pieces.append(line)
    return "".join(pieces)


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def tidy_spaces(text: str) -> str:
    """Remove the spaces that a layout put beside Japanese characters; those inside card names stay."""
    pieces = _NAME.split(text)
    tidied = [
        _SPACES.sub(_space_in_name, piece) if index % 2 else _tidy_prose(piece, index > 0, index < len(pieces) - 1)
        for index, piece in enumerate(pieces)
    ]
    return "".join(tidied).strip(" \t\u00a0")


def _tidy_prose(prose: str, after_name: bool, before_name: bool) -> str:
    def space(match: re.Match[str]) -> str:
        before = prose[match.start() - 1] if match.start() else "》" if after_name else ""
        after = prose[match.end()] if match.end() < len(prose) else "《" if before_name else ""
        return " " if _is_real_space(before, after) else ""

    return _SPACES.sub(space, prose)


def _is_real_space(before: str, after: str) -> bool:
    """A space is real between Latin words, and between Japanese words that no particle or ending joins."""
    if not before or not after:
        return False
    if _char_width(before) == 1 and _char_width(after) == 1:
        return True
    if not (_is_japanese_letter(before) and _is_japanese_letter(after)):
        return False
    return not "ぁ" <= before <= "ゖ" and after not in _PARTICLES


@lru_cache(maxsize=8192)
def _is_japanese_letter(char: str) -> bool:
    return unicodedata.category(char) in ("Lo", "Lm") and char not in "・"


def _space_in_name(match: re.Match[str]) -> str:
    name = match.string
    before, after = name[match.start() - 1], name[match.end()]
    if before in "《≪«・" or after in "》≫»・" or (before.isdigit() and after in _COUNTER):
        return ""
    return " "


def squeeze(name: str) -> str:
    """Return `name` without spaces: the key under which `spellings_of` keeps it."""
    return "".join(name.split())


def spellings_of(lines: Iterable[str]) -> dict[str, str]:
    """Collect the names that stand unbroken in a line and hold a space: squeezed → as spelled."""
    spellings: dict[str, str] = {}
    for line in lines:
        for match in _NAME.finditer(line):
            name = tidy_spaces(match.group())
            if " " in name:
                spellings.setdefault(squeeze(name), name)
    return spellings


def restore_names(text: str, names: Mapping[str, str]) -> str:
    """Give names that lost their space at the end of a line the spelling they have elsewhere."""
    return _NAME.sub(lambda match: names.get(squeeze(match.group()), match.group()), text)

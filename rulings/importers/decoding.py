"""Bytes to text: strict, never replacing a character. What cannot be read is refused and said so.

Japanese encodings cannot be told apart by trial alone: much of EUC-JP also decodes as Shift_JIS, to
half-width katakana and rare characters. So every candidate is decoded strictly and the most plausible
text wins, if it is plausible at all.
"""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rulings.importers.errors import DecodeError
from rulings.importers.markup import is_markup, text_of_markup

_BOMS = (  # UTF-32 first: its mark begins with that of UTF-16
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_BINARIES = (
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP（またはWord・Excelなどの文書）"),
    (b"PK\x05\x06", "ZIP"),
    (b"\x89PNG", "画像（PNG）"),
    (b"GIF8", "画像（GIF）"),
    (b"\xff\xd8\xff", "画像（JPEG）"),
    (b"RIFF", "画像または音声（RIFF）"),
    (b"BM", "画像（BMP）"),
    (b"II*\x00", "画像（TIFF）"),
    (b"MM\x00*", "画像（TIFF）"),
    (b"\xd0\xcf\x11\xe0", "古い形式のWord・Excelの文書"),
    (b"{\\rtf", "リッチテキスト（RTF）"),
    (b"\x1f\x8b", "圧縮ファイル（gzip）"),
    (b"7z\xbc\xaf", "圧縮ファイル（7z）"),
    (b"Rar!", "圧縮ファイル（RAR）"),
    (b"SQLite format 3", "データベース（SQLite）"),
    (b"\x7fELF", "実行ファイル"),
)
_ALIASES = {
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "windows-31j": "cp932",
    "ms932": "cp932", "euc-jp": "euc_jp", "x-euc-jp": "euc_jp", "utf8": "utf-8", "iso-2022-jp": "iso2022_jp",
}  # fmt: skip
_ENCODINGS = {"utf-8", "cp932", "euc_jp", "iso2022_jp"}
_DECLARED = re.compile(rb"""(?:charset|encoding)\s{0,3}=\s{0,3}["']?([A-Za-z0-9_-]{3,20})""")
_ESCAPES = re.compile(rb"\x1b\$[@B]|\x1b\(J")
_CANDIDATES = ("utf-16-le", "utf-16-be", "cp932", "euc_jp", "euc_jis_2004")
# A text whose characters are less ordinary than this is taken for a wrong decoding.
_PLAUSIBLE = 0.65
_SAMPLE = 200_000
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_LINE_ENDS = re.compile(r"\r\n|[\r\x85\u2028\u2029]")
# What nobody sees: soft hyphens, zero-width characters, marks of direction, and controls that are no white space.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
# A letter and its marks as two characters, as some systems write は゛ for ば.
_DECOMPOSED = re.compile(r"[^\W\d_][\u0300-\u036f\u3099\u309a]+")
_INDENT = re.compile(r"^[ \t\u3000]*(?=[^ \t\u3000\n])", re.MULTILINE)
_SURROGATES = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded document: lines end in LF; `encoding` is a Python codec; `headings`: their levels in HTML, by line."""

    text: str
    encoding: str
    was_html: bool
    headings: Mapping[int, int] = field(default_factory=dict)


def decode(data: bytes) -> Decoded:
    """Return the text of a document, whatever Japanese encoding it is in; DecodeError when it is none."""
    if not data.strip():
        raise DecodeError("ファイルが空です。")
    _refuse_binary(data)
    text, encoding = _decode(data)
    text = _LINE_ENDS.sub("\n", text.removeprefix("\ufeff"))
    _refuse_unreadable(text)
    was_html = is_markup(text)
    text, headings = text_of_markup(text) if was_html else (_unindent(text), dict[int, int]())
    text = _plain(text)
    if not text.strip():
        raise DecodeError("文書に本文がありません。")
    return Decoded(text, encoding, was_html, headings)


def _refuse_binary(data: bytes) -> None:
    head = data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()
    for magic, name in _BINARIES:
        # Two letters may begin a text as well: only the zero bytes of a header tell.
        if head.startswith(magic) and (len(magic) > 2 or magic == b"\x1f\x8b" or b"\x00\x00" in head):
            raise DecodeError(f"テキストではなく{name}のようです。テキストとして保存し直してください。")


def _decode(data: bytes) -> tuple[str, str]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            text = _strict(data, encoding)
            if text is None:
                raise DecodeError(f"先頭の目印は{encoding.upper()}ですが、その文字コードとして読めません。")
            return text.removeprefix("\ufeff"), encoding
    for encoding in _certain(data):
        text = _strict(data, encoding)
        if text is not None:
            return text, encoding
    return _most_plausible(data)


def _certain(data: bytes) -> Iterator[str]:
    """Yield the encodings that the bytes name or that nothing else looks like."""
    if b"\x00" in data:
        return
    if _ESCAPES.search(data) and max(data) < 0x80:
        yield "iso2022_jp"
        yield "iso2022_jp_ext"
    if match := _DECLARED.search(data[:4096]):
        name = match[1].decode("ascii").lower()
        name = _ALIASES.get(name, name)
        if name in _ENCODINGS:
            yield name
    yield "utf-8"


def _most_plausible(data: bytes) -> tuple[str, str]:
    scored: list[tuple[float, str, str]] = []
    for encoding in _CANDIDATES:
        if encoding.startswith("utf-16") == (b"\x00" in data) and (text := _strict(data, encoding)) is not None:
            scored.append((_plausibility(text), text, encoding))
    score, text, encoding = max(scored, default=(0.0, "", ""), key=lambda entry: entry[0])
    if score >= _PLAUSIBLE:
        return text, encoding
    if b"\x00" in data:
        raise DecodeError("テキストではなくバイナリのファイルのようです（NULバイトを含みます）。")
    raise DecodeError("文字コードを判別できません。UTF-8で保存し直してください。")


def _plain(text: str) -> str:
    """The same text as it looks: nothing invisible, letters in one piece."""
    text = _INVISIBLE.sub("", text)
    return _DECOMPOSED.sub(lambda match: unicodedata.normalize("NFC", match.group()), text)


def _unindent(text: str) -> str:
    """Without the indentation that every line has: it tells nothing."""
    indent = os.path.commonprefix([match.group() for match in _INDENT.finditer(text)])
    return re.sub(rf"^{indent}", "", text, flags=re.MULTILINE) if indent else text


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _plausibility(text: str) -> float:
    """Return how ordinary the characters of a text are, on average; ASCII tells nothing."""
    counts = Counter(char for char in text[:_SAMPLE] if not (" " <= char <= "~" or char in "\n\r\t\f"))
    return sum(count * _weight(char) for char, count in counts.items()) / counts.total() if counts else 1.0


def _weight(char: str) -> float:
    if "\u3000" <= char <= "\u30ff" or "\uff01" <= char <= "\uff5e":  # marks, kana, full-width forms
        return 1.0
    if "\uff61" <= char <= "\uff9f":  # half-width katakana: used, but most often EUC-JP read as Shift_JIS
        return 0.7
    if "\u4e00" <= char <= "\u9fff":
        return 1.0 if _is_everyday(char) else 0.2
    return 0.9 if unicodedata.category(char) in ("So", "Sm", "Po", "Pd", "Ps", "Pe", "No", "Nl") else 0.0


def _is_everyday(kanji: str) -> bool:
    """Kanji of the first level of JIS X 0208 are in use every day; wrong decodings scatter over all."""
    try:
        return kanji.encode("euc_jp") < b"\xd0"
    except UnicodeEncodeError:
        return False


def _refuse_unreadable(text: str) -> None:
    if "\x00" in text:
        raise DecodeError("NUL文字を含むため読めません。")
    if _SURROGATES.search(text):
        raise DecodeError("壊れた文字（サロゲートの片割れ）を含むため読めません。")
    controls = len(_CONTROLS.findall(text[:_SAMPLE]))
    if controls > 3 and controls > len(text[:_SAMPLE]) * 0.01:
        raise DecodeError("制御文字が多く、テキストではないようです。")

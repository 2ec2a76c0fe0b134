"""The names of cards: the names of a card's faces, and other ways to write a name."""

import re

_KANA = re.compile(r"[ぁ-ゖァ-ヺー・゠=＝\s]+")
_READING = re.compile(r"(?P<open>[（(])(?P<reading>[^（()）]{1,40})[)）]")
# What a reading in parentheses reads: the run of letters of one kind before it …
_BASE = re.compile(r"(?:[一-龠々〆]+|[A-Za-zＡ-Ｚａ-ｚ0-9０-９]+|[Α-ω]+|[ァ-ヺー]+|[ぁ-ゖー]+|.)$")
# … or, if it has parts itself, all since the last joint.
_CHUNK = re.compile(r"[^・\s/／]+$")
_JOINT = re.compile(r"[・\s]")


def split_faces(name: str, separator: str) -> list[str]:
    """Split the name of a card of several faces into their names; the separator may be full-width."""
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in separator)
    parts = re.split(f"{re.escape(separator)}|{re.escape(wide)}", name)
    return [part.strip() for part in parts if part.strip()]


def other_writings(name: str) -> list[str]:
    """Other ways to write a name that holds readings in parentheses: without them, and as it is read."""
    plain: list[str] = []
    read: list[str] = []
    at = 0
    for match in _READING.finditer(name):
        if not _KANA.fullmatch(match["reading"]):
            continue
        before = name[at : match.start()]
        base = (_CHUNK if _JOINT.search(match["reading"]) else _BASE).search(before)
        start = base.start() if base else len(before)
        plain.append(before)
        read.append(before[:start] + match["reading"])
        at = match.end()
    if not plain:
        return []
    rest = name[at:]
    writings = ["".join(plain) + rest, "".join(read) + rest]
    return [writing.strip() for writing in writings if writing.strip()]

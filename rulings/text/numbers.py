"""Rule numbers: how they are written, read, ordered and nested.

The canonical form is `301`, `301.5`, `301.5a`: half-width digits, a lower-case letter, no final stop.
A section that repeats a number within its ruleset carries a suffix: `311.2~2`.
"""

import re
import unicodedata
from dataclasses import dataclass

CANONICAL = re.compile(r"(?P<chapter>\d{1,4})(?:\.(?P<rule>\d{1,3})(?P<letter>[a-z]{0,2}))?(?:~(?P<copy>\d+))?")


@dataclass(frozen=True, slots=True)
class RuleNumber:
    """A parsed rule number; `rule` and `letter` are empty where the number names a chapter or a rule."""

    chapter: str
    rule: str = ""
    letter: str = ""
    copy: str = ""

    def __str__(self) -> str:
        rule = f".{self.rule}{self.letter}" if self.rule else ""
        return f"{self.chapter}{rule}" + (f"~{self.copy}" if self.copy else "")

    @property
    def parent(self) -> "RuleNumber | None":
        """The number one level up (301.5a → 301.5 → 301 → None)."""
        if self.letter:
            return RuleNumber(self.chapter, self.rule)
        return RuleNumber(self.chapter) if self.rule else None

    @property
    def sort_key(self) -> str:
        """Zero-filled label whose text order is the book's order: `0301.`, `0301.0005.`, `0301.0005.a.`"""
        parts = [self.chapter.zfill(4)]
        if self.rule:
            parts.append(self.rule.zfill(4))
        if self.letter:
            parts.append(self.letter)
        if self.copy:
            parts.append(f"~{self.copy}")
        return ".".join(parts) + "."


def parse_number(raw: str) -> RuleNumber | None:
    """Read a number in any writing (８０５．４ａ, 805-4a, 805.4.a, `701.23 b`, 200.3C); None when it is none."""
    text = unicodedata.normalize("NFKC", raw).strip().lower()
    text = re.sub(r"\s+", "", text)
    text = re.sub(r"(?<=\d)[-‐‑–—−ー・,、。．](?=\d)", ".", text).rstrip(".。、")
    text = re.sub(r"(?<=\d)\.(?=[a-z]{1,2}$)", "", text)
    match = CANONICAL.fullmatch(text)
    if match is None:
        return None
    return RuleNumber(match["chapter"], match["rule"] or "", match["letter"] or "", match["copy"] or "")

"""Citations in texts: rule numbers, card names, names of sections."""

from enum import StrEnum


class CitationKind(StrEnum):
    RULE = "rule"
    CARD = "card"
    HEADING = "heading"

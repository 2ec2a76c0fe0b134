"""Readable Japanese slugs: the address of a section that has no number of its own."""

import unicodedata

from rulings.text.numbers import parse_number

# Words that name a page beside the sections of a ruleset, so no section may be called so.
RESERVED = frozenset(
    {
        "history",
        "diff",
        "amendments",
        "search",
        "faq",
        "cards",
        "interactions",
        "api",
        "admin",
        "static",
        "contents",
    }
)

# Words that begin other addresses of the site, so no ruleset may be called so.
SITE_WORDS = RESERVED | {
    *("c", "e", "feedback", "feeds", "language", "memo", "offline", "preview", "settings", "sources", "suggest"),
}

_FALLBACK = "項目"
# Characters that part words; all other marks (middle dots, quotes, brackets within a name) just vanish.
_PARTING = frozenset("、。,.!?:;/()[]|-–—=+→←⇒~〜")


def slugify(text: str, limit: int = 24) -> str:
    """Return a slug of at most `limit` characters that no URL has to escape and no rule number looks like."""
    slug = cut_at_word(_plain(text), limit).strip("-")
    if not slug:
        return _FALLBACK
    if slug in RESERVED or parse_number(slug) is not None:
        return f"{_FALLBACK}-{slug}"
    return slug


def _plain(text: str) -> str:
    """Lower-case letters and digits, with `-` between words."""
    chars: list[str] = []
    for char in unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower()):
        if char.isalnum():
            chars.append(char)
        elif (char.isspace() or char in _PARTING) and chars and chars[-1] != "-":
            chars.append("-")
    return "".join(chars).strip("-")


def is_slug(text: str) -> bool:
    """Whether a section may have this address: letters, digits, `-`, and `~` before a serial number."""
    return bool(text) and text not in RESERVED and all(char.isalnum() or char in "-~" for char in text)


def cut_at_word(text: str, limit: int) -> str:
    """Cut `text` to `limit` characters, at the last place in the second half where a word seems to begin."""
    if len(text) <= limit:
        return text
    for end in range(limit, limit // 2, -1):
        parted = text[end] in "-、（( 　"
        if parted or (_is_hiragana(text[end - 1]) and not _is_hiragana(text[end]) and text[end].isalnum()):
            return text[:end]
    return text[:limit]


def _is_hiragana(char: str) -> bool:
    return "ぁ" <= char <= "ゖ"

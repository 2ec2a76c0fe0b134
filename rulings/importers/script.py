"""Refuse texts without any kana or kanji, and name the likely cause."""

import re

from rulings.importers.errors import ParseError

_JAPANESE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff]")
_CAUSES = (
    (re.compile(r"\+[A-Za-z0-9+/]{5,}-?"), "UTF-7で保存されているようです。UTF-8で保存し直してください。"),
    (
        re.compile(r"(?:=[0-9A-F]{2}){3}"),
        "メールの符号（quoted-printable）のままのようです。本文を保存し直してください。",
    ),
    (re.compile(r"(?:%[0-9A-Fa-f]{2}){3}"), "URLの符号のままのようです。本文を保存し直してください。"),
    (re.compile(r"(?:\\u[0-9a-fA-F]{4}){2}|(?:&#x?[0-9a-fA-F]+;){2}"), "文字が符号（\\uXXXXなど）のままのようです。"),
    (
        re.compile(r"[ãåæçèé][\u0080-\u00bf\u2018-\u203a€™]|[‚ƒ][\u0080-\u00ff]"),
        "文字化けしているようです。元の文書から保存し直してください。",
    ),
    (
        re.compile(r"\?{4}|\ufffd{2}"),
        "保存の時に文字が「?」などに置き換わったようです。元の文書から保存し直してください。",
    ),
    (re.compile(r"[A-Za-z]{2}"), "日本語でない文書のようです。"),
    (re.compile(r"[0-9]"), "数字だけの文書のようです。"),
)


def refuse_foreign(text: str) -> None:
    """Raise ParseError when `text` holds no kana and no kanji at all."""
    if _JAPANESE.search(text) is not None:
        return
    cause = next((message for pattern, message in _CAUSES if pattern.search(text)), "")
    raise ParseError(f"文書にかなも漢字もありません。{cause}")

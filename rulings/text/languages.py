"""Japanese parts of a page whose interface is in another language, marked as what they are.

What the rules say stays Japanese whatever language the interface speaks; a screen reader and a browser must know
which is which. Whatever is written in Japanese letters on such a page is content, so its parts are found in the
finished page: runs of Japanese, within them Latin letters and digits (`Sトリガー`), but no words of a sentence.
"""

import re

_LETTER = "[\u3005-\u3007\u3021-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f\u3001-\u3003\u3008-\u3011\u2460-\u2473]"
_WORDS = r"\s[a-z]+\s"  # of the interface, between two runs
_RUN = re.compile(rf"{_LETTER}(?:(?:(?!{_WORDS})[^\n])*{_LETTER})?")
_TOKEN = re.compile(r"<!--.*?-->|<(?:script|style)\b.*?</(?:script|style)>|<[^>]+>|[^<]+", re.DOTALL | re.IGNORECASE)
_NAME = re.compile(r"</?([a-zA-Z][\w-]*)")
_LANG = re.compile(r'\slang="([^"]*)"')
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_PLAIN = frozenset(("title", "option", "textarea"))  # may hold text only: the element itself is marked


def mark_japanese(html: str, language: str) -> str:
    """Return a page or fragment in `language` with `lang="ja"` on its Japanese parts; well-formed HTML is expected."""
    out: list[str] = []
    open_elements: list[tuple[str, str]] = [("", language)]
    for token in _TOKEN.findall(html):
        if not token.startswith("<"):
            name, spoken = open_elements[-1]
            out.append(token if spoken.startswith("ja") else _marked(token, name, out))
            continue
        out.append(token)
        found = _NAME.match(token)
        name = found[1].lower() if found else ""
        if not name or name in _VOID or token.endswith("/>") or name in ("script", "style"):
            continue
        if token.startswith("</"):
            _close(open_elements, name)
        else:
            said = _LANG.search(token)
            open_elements.append((name, said[1] if said else open_elements[-1][1]))
    return "".join(out)


def _close(open_elements: list[tuple[str, str]], name: str) -> None:
    """Leave an element, and those in it whose end tags HTML lets one leave out."""
    for at in range(len(open_elements) - 1, 0, -1):
        if open_elements[at][0] == name:
            del open_elements[at:]
            return


def _marked(text: str, name: str, out: list[str]) -> str:
    if not _RUN.search(text):
        return text
    if name in _PLAIN:
        out[-1] = f'{out[-1].removesuffix(">")} lang="ja">'
        return text
    return _RUN.sub(lambda run: f'<span lang="ja">{run[0]}</span>', text)

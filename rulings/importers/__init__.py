"""Read documents: text in; records, warnings and an account of every line out. Pure, nothing is saved."""

from collections.abc import Callable, Mapping
from importlib import import_module

from rulings.importers.errors import ParseError
from rulings.importers.recognise import recognise
from rulings.importers.records import Form, ParsedDocument
from rulings.importers.script import refuse_foreign

# A new form of document is one parser and its line here.
_PARSERS: dict[Form, tuple[str, str]] = {
    Form.NUMBERED: ("rulings.importers.numbered", "parse_numbered"),
    Form.AMENDMENT: ("rulings.importers.amendment", "parse_amendment"),
    Form.PAGE: ("rulings.importers.page", "parse_page"),
    Form.OUTLINE: ("rulings.importers.outline", "parse_outline"),
}


def parse(text: str, form: Form | None = None, headings: Mapping[int, int] | None = None) -> ParsedDocument:
    """Read `text` as a document of `form` (recognised when not given); ParseError when it cannot be read.

    `headings`: line number → level (1 the highest) of what the HTML of a page calls headings; forms without numbers
    use it.
    """
    if not text.strip():
        raise ParseError("文書が空です。")
    refuse_foreign(text)
    form = form or recognise(text)
    module, function = _PARSERS[form]
    parser: Callable[..., ParsedDocument] = getattr(import_module(module), function)
    return parser(text, headings or {}) if form in (Form.PAGE, Form.OUTLINE) else parser(text)


__all__ = ["ParseError", "parse", "recognise"]

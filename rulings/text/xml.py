"""What XML 1.0 can hold: not every character that a text or a question can."""

import re

_NOT_OF_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def xml_text(text: str) -> str:
    """The text without the characters that no XML 1.0 document can hold, not even escaped."""
    return _NOT_OF_XML.sub("", text)

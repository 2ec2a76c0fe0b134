"""What XML can hold."""

from xml.etree import ElementTree
from xml.sax.saxutils import escape

from rulings.text.xml import xml_text


def test_every_character_is_kept_or_dropped_as_xml_says() -> None:
    every = "".join(map(chr, range(0x11_000)))
    kept = xml_text(every)
    assert ElementTree.fromstring(f"<a>{escape(kept)}</a>".encode()).text is not None  # noqa: S314 - our own
    for letter in sorted(set(every) - set(kept) - set(map(chr, range(0xD800, 0xE000)))):
        try:
            ElementTree.fromstring(f"<a>{letter}</a>".encode())  # noqa: S314 - our own
        except ElementTree.ParseError:
            continue
        # Two that the parser takes though XML has them not.
        assert letter in "\ufffe\uffff"


def test_texts_stay_as_they_are() -> None:
    assert xml_text("竜\t<b>\n\x7f\x85😀") == "竜\t<b>\n\x7f\x85😀"

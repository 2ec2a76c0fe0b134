"""What goes wrong with a document as a whole. Messages are Japanese: they are shown to the editor."""


class ParseError(ValueError):
    """The text has no structure that a parser can read."""


class DecodeError(ValueError):
    """The bytes are no text that can be read."""

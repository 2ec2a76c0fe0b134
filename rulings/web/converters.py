"""What may stand in an address."""

from django.urls.converters import StringConverter

from rulings.text.slugs import SITE_WORDS


class RulesetConverter(StringConverter):
    """The slug of a ruleset, never a word that begins another part of the site."""

    regex = rf"(?!(?:{'|'.join(sorted(SITE_WORDS))})(?:/|\Z))[-a-zA-Z0-9_]{{1,50}}"


class IdConverter:
    """An id that a database can hold."""

    regex = "[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)

"""What may stand in an address."""

import re

import pytest
from django.urls import URLPattern, get_resolver

from rulings.text.slugs import SITE_WORDS
from rulings.web.converters import RulesetConverter

SLUG = re.compile(r"[-a-zA-Z0-9_]+")


def _first_words() -> set[str]:
    """The first words of the addresses of all pages."""
    patterns = list(get_resolver().url_patterns)
    words = set()
    while patterns:
        pattern = patterns.pop()
        route = str(pattern.pattern)
        if not route and not isinstance(pattern, URLPattern):
            patterns += pattern.url_patterns
        elif match := SLUG.match(route.removeprefix("^")):
            words.add(match.group() if route.removeprefix("^")[match.end() :].startswith("/") else "")
    return words - {""}


def test_no_ruleset_takes_the_address_of_another_page() -> None:
    assert {"admin", "api", "search"} <= _first_words() <= SITE_WORDS


@pytest.mark.parametrize(
    ("slug", "expected"), [("dm-cr", True), ("faq", False), ("faq2", True), ("admin", False), ("a/b", False)]
)
def test_slugs_of_rulesets(slug: str, expected: bool) -> None:
    assert (re.fullmatch(RulesetConverter.regex, slug) is not None) is expected

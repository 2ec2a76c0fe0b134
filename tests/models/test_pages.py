"""Addresses by number are those that Django makes."""

import pytest
from django.urls import reverse, set_script_prefix

from rulings.models.pages import page_of


@pytest.mark.parametrize("view", ["faq", "interaction", "card"])
@pytest.mark.parametrize("number", [1, 42359, 10**18 - 1])
def test_addresses_are_those_of_django(view: str, number: int) -> None:
    assert page_of(view, number) == reverse(view, args=[number])


def test_a_site_under_a_path_has_its_own() -> None:
    assert page_of("faq", 7) == "/faq/7/"
    set_script_prefix("/cards/")
    try:
        assert page_of("faq", 7) == reverse("faq", args=[7]) == "/cards/faq/7/"
    finally:
        set_script_prefix("/")
    assert page_of("faq", 7) == "/faq/7/"

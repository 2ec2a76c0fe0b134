"""What the tests of pages share."""

import pytest
from bs4 import BeautifulSoup
from django.http import HttpResponse
from django.test import Client

from tests.web.browsers import chromium, search_by_words, visit  # noqa: F401 - fixtures of the browser tests


class Reader:
    """A reader of pages: opens an address, checks its status, hands back the page."""

    def __init__(self) -> None:
        self.client = Client()

    def get(self, address: str, status: int = 200, /, **parameters: object) -> HttpResponse:
        response = self.client.get(address, parameters)
        assert response.status_code == status, (address, response.status_code, response.content[:300])
        return response

    def page(self, address: str, status: int = 200, /, **parameters: object) -> BeautifulSoup:
        return BeautifulSoup(self.get(address, status, **parameters).content, "html.parser")

    def main(self, address: str, status: int = 200, /, **parameters: object) -> str:
        """The text of a page's main part, blanks run together."""
        main = self.page(address, status, **parameters).main
        assert main is not None
        return " ".join(main.get_text(" ").split())


@pytest.fixture
def reader(db: None) -> Reader:
    return Reader()

"""Errors are pages too."""

import pytest
from django.test import Client, RequestFactory

from rulings.web import errors


@pytest.mark.parametrize("address", ["/nope/nope/nope/", "/cards/abc/", "/faq/-1/"])
def test_an_unknown_address_is_a_japanese_page(client: Client, db: None, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    text = response.content.decode()
    assert "見つかりませんでした" in text
    assert 'role="search"' in text
    assert response["Cache-Control"] == "no-store"


def test_a_server_error_needs_no_database(rf: RequestFactory) -> None:
    response = errors.server_error(rf.get("/"))
    assert response.status_code == 500
    assert "うまく表示できませんでした" in response.content.decode()


def test_forbidden_and_bad_requests(rf: RequestFactory) -> None:
    assert errors.permission_denied(rf.get("/")).status_code == 403
    assert errors.bad_request(rf.get("/")).status_code == 400

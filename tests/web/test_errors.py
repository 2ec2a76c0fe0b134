"""Errors are pages too."""

from datetime import timedelta

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone

from rulings.models import Entry
from rulings.web import errors
from tests.makers import make_faq, make_section
from tests.web.conftest import Reader


@pytest.mark.parametrize("address", ["/nope/nope/nope/", "/cards/abc/", "/faq/-1/"])
def test_an_unknown_address_is_a_japanese_page(client: Client, db: None, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    text = response.content.decode()
    assert "見つかりませんでした" in text
    assert 'role="search"' in text
    assert response["Cache-Control"] == "no-store"


def test_what_was_announced_and_taken_back_is_gone_and_what_held_is_not(reader: Reader) -> None:
    day = timezone.localdate() + timedelta(days=30)
    for entry in (make_section("101.1", effective_on=day), make_faq(effective_on=day)):
        Entry.objects.filter(pk=entry.pk).update(status="announced")
        reader.get(entry.get_absolute_url())
        entry.revisions.update(ended_on=day, retracted_on=timezone.localdate(), retraction="発売が延びました。")
        Entry.objects.filter(pk=entry.pk).update(status="withdrawn", status_reason="発売が延びました。")
        text = reader.main(entry.get_absolute_url(), 410)
        assert "発売が延びました。" in text, "what it was stays readable"
    held = make_section("101.2", body="昔の条項。", status="withdrawn", status_reason="廃止")
    assert "昔の条項。" in reader.main(held.get_absolute_url())


def test_a_server_error_needs_no_database(rf: RequestFactory) -> None:
    response = errors.server_error(rf.get("/"))
    assert response.status_code == 500
    assert "うまく表示できませんでした" in response.content.decode()


def test_forbidden_and_bad_requests(rf: RequestFactory) -> None:
    assert errors.permission_denied(rf.get("/")).status_code == 403
    assert errors.bad_request(rf.get("/")).status_code == 400

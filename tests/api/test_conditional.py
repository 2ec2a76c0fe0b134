"""Validators, 304, HEAD, OPTIONS, CORS, compression: what lets proxies and polite clients help."""

import gzip
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.utils.http import http_date, parse_http_date

from rulings.api.conditional import coding_of
from rulings.models import Change, ChangeCounter, Ruleset
from rulings.services.editing import edit_entry
from rulings.services.wordings import Wording
from tests.api.conftest import described
from tests.api.test_schema import PROMISED
from tests.makers import make_amendment, make_card, make_faq, make_interaction, make_section

pytestmark = pytest.mark.django_db


def record(**subject: Any) -> None:
    with transaction.atomic():
        Change.objects.record([Change(kind="updated", **subject)])


def settle() -> None:
    """Let the last change be a while ago."""
    ChangeCounter.objects.update(changed_at=datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
def addresses() -> list[str]:
    """An address of every operation that is read with GET."""
    section, faq, interaction = make_section("101.1"), make_faq(), make_interaction()
    amendment, card = make_amendment(), interaction.cards.first()
    assert card is not None
    record(entry=section)
    ids = {"faqs": faq.pk, "interactions": interaction.pk, "cards": card.pk, "amendments": amendment.pk}
    found = []
    for address in PROMISED:
        if address in ("citations/verify/", "batch/") or address.startswith("subscriptions/"):
            continue  # POST, or an owner's own and kept by nobody else
        pk = ids.get(address.partition("/")[0], section.pk)
        slug = "dm" if "games/" in address else "dm-cr"
        found.append("/api/v1/" + address.format(id=pk, slug=slug, number="101.1"))
    query = {"search/": "?q=竜", "answer/": "?q=101.1", "suggest/": "?q=竜", "diff/": "?from=2024-01-01"}
    found = [one + next((q for name, q in query.items() if one.endswith(name)), "") for one in found]
    return [*found, "/api/v1/schema/", "/api/v1/docs/", "/api/v1/docs/?script=", "/api/v1/docs/redoc/"]


def test_every_get_has_strong_validators_and_answers_304(client: Client, addresses: list[str]) -> None:
    client.get("/api/v1/search/?q=a")  # the index is built
    settle()
    for address in addresses:
        first = client.get(address)
        assert first.status_code == 200, address
        etag = first["ETag"]
        assert etag.startswith('"'), address
        assert parse_http_date(first["Last-Modified"]) <= parse_http_date(http_date())
        assert "public" in first["Cache-Control"], address
        for headers in ({"if-none-match": etag}, {"if-none-match": f'"x", W/{etag}'}, {"if-none-match": "*"},
                        {"if-modified-since": first["Last-Modified"]}):  # fmt: skip
            again = client.get(address, headers=headers)
            assert (again.status_code, again.getvalue()) == (304, b""), (address, headers)
            assert again["ETag"] == etag
        assert client.get(address, headers={"if-none-match": '"other"'}).status_code == 200
        assert client.get(address, headers={"if-match": '"other"'}).status_code == 412
        assert client.get(address, headers={"if-match": etag}).status_code == 200


def test_a_304_costs_one_query(client: Client, django_assert_num_queries: Any) -> None:
    make_section("101.1")
    client.get("/api/v1/search/?q=a")
    for address in ("/api/v1/entries/", "/api/v1/rulesets/dm-cr/sections/101.1/?depth=2", "/api/v1/search/?q=101.1"):
        settle()
        first = client.get(address)
        for headers in (
            {"if-none-match": first["ETag"]},
            {"if-none-match": "*"},
            {"if-modified-since": first["Last-Modified"]},
        ):
            with django_assert_num_queries(1):
                assert client.get(address, headers=headers).status_code == 304
            with django_assert_num_queries(1):
                assert client.head(address, headers=headers).status_code == 304


def test_editing_only_a_cited_question_changes_the_validator_of_the_card(client: Client) -> None:
    card = make_card("青き竜")
    faq = make_faq("《青き竜》は？", "はい。", cards=[card])
    address = f"/api/v1/cards/{card.pk}/"
    before = client.get(address)["ETag"]
    assert client.get(address)["ETag"] == before
    edit_entry(faq, Wording("《青き竜》は？", "いいえ。", (), "no"), on=datetime(2025, 6, 1, tzinfo=UTC).date())
    after = client.get(address, headers={"if-none-match": before})
    assert (after.status_code, after["ETag"] == before) == (200, False)


def test_what_is_no_entry_changes_the_validators_too(client: Client) -> None:
    make_section("101.1")
    for change in (
        lambda: Ruleset.objects.get().save(),
        lambda: make_amendment(),
        lambda: record(card=make_card()),
    ):
        before = client.get("/api/v1/rulesets/")["ETag"]
        change()
        assert client.get("/api/v1/rulesets/")["ETag"] != before


def test_the_day_the_form_and_the_address_are_part_of_it(client: Client) -> None:
    make_section("101.1")
    address = "/api/v1/answer/?q=101.1"
    client.get(address)
    plain, text = client.get(address), client.get(address, headers={"accept": "text/plain"})
    assert plain["ETag"] != text["ETag"]
    assert plain["ETag"] != client.get(address, headers={"accept-encoding": "gzip"})["ETag"]
    assert plain["ETag"] != client.get(address + "&ruleset=dm-cr")["ETag"]
    with time_machine.travel(datetime.now(UTC) + timedelta(days=1)):
        assert client.get(address)["ETag"] != plain["ETag"]


def test_two_changes_in_one_second_are_told_apart_by_time(client: Client) -> None:
    section = make_section("101.1")
    address = f"/api/v1/entries/{section.pk}/"
    with time_machine.travel(datetime(2027, 1, 1, 12, 0, 0, tzinfo=UTC), tick=False) as clock:
        record(entry=section)
        seen = client.get(address)["Last-Modified"]
        record(entry=section)
        assert client.get(address, headers={"if-modified-since": seen}).status_code == 200
        clock.shift(5)
        seen = client.get(address)["Last-Modified"]
        assert client.get(address, headers={"if-modified-since": seen}).status_code == 304
        record(entry=section)
        clock.shift(5)
        assert client.get(address, headers={"if-modified-since": seen}).status_code == 200


def test_what_does_not_exist_is_never_304(client: Client) -> None:
    for headers in ({"if-none-match": "*"}, {"if-modified-since": http_date()}):
        response = client.get("/api/v1/entries/99/", headers=headers)
        assert (response.status_code, response["Cache-Control"]) == (404, "no-store")
        assert "ETag" not in response


def test_a_change_number_in_every_answer(client: Client, addresses: list[str]) -> None:
    for address in addresses:
        assert client.get(address)["X-Change-Number"] == "1"
    assert client.get("/api/v1/entries/0/")["X-Change-Number"] == "1"


def test_head_is_get_without_a_body(client: Client, addresses: list[str]) -> None:
    for address in addresses:
        client.get(address)  # the first search brings the index up to date, on which its validator rests
        whole, head = client.get(address), client.head(address)
        assert (head.status_code, head.getvalue()) == (200, b"")
        assert head["ETag"] == whole["ETag"]
        assert head["Content-Type"] == whole["Content-Type"]


def test_options(client: Client) -> None:
    response = client.options("/api/v1/entries/")
    assert (response.status_code, response.content, response["Allow"]) == (204, b"", "GET, HEAD, OPTIONS")
    assert client.options("/api/v1/citations/verify/")["Allow"] == "POST, OPTIONS"


def test_options_ask_about_the_address_alone(client: Client) -> None:
    """Neither parameters nor a key are needed to learn which methods there are."""
    for path, operations in described()["paths"].items():
        address = path.replace("{id}", "1").replace("{slug}", "dm-cr").replace("{number}", "1.1")
        response = client.options(address)
        assert (response.status_code, response.content) == (204, b""), address
        allowed = set(response["Allow"].split(", "))
        assert {name.upper() for name in operations if name != "parameters"} <= allowed, address


def test_pages_of_other_sites_may_read(client: Client) -> None:
    make_section("101.1")
    origin = {"origin": "https://elsewhere.example"}
    response = client.get("/api/v1/entries/", headers=origin)
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response
    assert "ETag" in response["Access-Control-Expose-Headers"]
    assert client.get("/api/v1/entries/0/", headers=origin)["Access-Control-Allow-Origin"] == "*"
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    preflight = client.options("/api/v1/citations/verify/", headers=origin | asked)
    assert preflight.status_code == 200
    assert "POST" in preflight["Access-Control-Allow-Methods"]
    assert "Access-Control-Allow-Origin" not in client.get("/", headers=origin)


def test_compressed_for_those_who_take_it(client: Client) -> None:
    for number in range(10):
        make_section(f"1.{number}")
    plain = client.get("/api/v1/entries/")
    packed = client.get("/api/v1/entries/", headers={"accept-encoding": "br, gzip;q=0.8"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert int(packed["Content-Length"]) == len(packed.content) < len(plain.content)
    assert packed.content == client.get("/api/v1/entries/", headers={"accept-encoding": "gzip"}).content
    assert packed["ETag"].startswith('"')
    for response in (plain, packed):
        assert "Accept-Encoding" in response["Vary"]
        assert "Accept-Language" not in response["Vary"]
        assert "Cookie" not in response["Vary"]
        assert response["Content-Language"] == "ja"


@pytest.mark.parametrize(
    ("header", "coding"),
    [("", ""), ("gzip", "gzip"), ("GZIP", "gzip"), ("*", "gzip"), ("br", ""), ("gzip;q=0", ""), ("gzip;q=0.0", ""),
     ("gzip; q=0.5", "gzip"), ("identity, gzip;q=1.0", "gzip"), ("gzip;q=", "gzip"),
     ("gzip;q=0, *", ""), ("*;q=0, gzip", "gzip"), ("*;q=0", ""), ("GZIP; Q=0", "")],
)  # fmt: skip
def test_codings(rf: Any, header: str, coding: str) -> None:
    assert coding_of(rf.get("/", headers={"accept-encoding": header})) == coding


def test_the_state_before_the_first_change(client: Client) -> None:
    ChangeCounter.objects.all().delete()
    assert client.get("/api/v1/entries/")["X-Change-Number"] == "0"

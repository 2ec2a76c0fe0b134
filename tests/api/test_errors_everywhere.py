"""Every operation answers in one shape what goes wrong: method, form, body, name, too much, a failure."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve

from rulings.api.errors import MEDIA_TYPE
from tests.api.conftest import described
from tests.makers import make_amendment, make_faq, make_interaction, make_section

pytestmark = pytest.mark.django_db
OPERATIONS = [
    (method, path)
    for path, item in described()["paths"].items()
    for method in ("get", "post", "put", "patch", "delete")
    if method in item
]
READS = [path for method, path in OPERATIONS if method == "get" and "subscriptions" not in path]
WRITES = [path for method, path in OPERATIONS if method == "post" and "subscriptions" not in path]


@pytest.fixture
def fill() -> Any:
    """Puts ids of things that exist into the address of an operation."""
    section, faq, interaction = make_section("101.1"), make_faq(), make_interaction()
    card = interaction.cards.first()
    assert card is not None
    ids = {"faqs": faq.pk, "interactions": interaction.pk, "cards": card.pk, "amendments": make_amendment().pk}

    def address(path: str) -> str:
        noun = path.split("/")[3]
        slug = "dm" if "games/" in path else "dm-cr"
        query = {"answer/": "?q=101.1", "diff/": "?from=2024-01-01"}.get(
            path.removesuffix("/").split("/")[-1] + "/", ""
        )
        return path.format(id=ids.get(noun, section.pk), slug=slug, number="101.1") + query

    return address


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    assert (response.status_code, response["Content-Type"]) == (status, MEDIA_TYPE)
    body: dict[str, Any] = json.loads(response.getvalue())
    assert (body["status"], body["code"]) == (status, code)
    assert body["detail"]
    assert body["detail_en"]
    assert response["Cache-Control"] == "no-store"
    return body


@pytest.mark.parametrize("path", sorted({path for _method, path in OPERATIONS}))
def test_the_wrong_method(client: Client, fill: Any, path: str) -> None:
    address = fill(path)
    known = {method for method, other in OPERATIONS if other == path}
    for method in {"get", "post", "put", "patch", "delete"} - known:
        response = getattr(client, method)(address, content_type="application/json")
        body = problem(response, 405, "method_not_allowed")
        assert method.upper() in body["detail_en"]
        assert response["X-Change-Number"] == "0"
        assert {one.strip().lower() for one in response["Allow"].split(",")} - {"head", "options"} == known


@pytest.mark.parametrize("path", READS)
def test_the_wrong_form_and_the_wrong_name(client: Client, fill: Any, path: str) -> None:
    address = fill(path)
    problem(client.get(address, headers={"accept": "text/html"}), 406, "not_acceptable")
    body = problem(client.get(address, {"colour": "blue", "strict": "1"}), 400, "unknown_parameter")
    assert body["parameter"] == "colour"


@pytest.mark.parametrize("path", WRITES)
def test_the_wrong_body(client: Client, fill: Any, path: str) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        problem(client.post(fill(path), "x", content_type=kind), 415, "unsupported_media_type")
    for body in ("{", "\x00", "NaN", "'"):
        problem(client.post(fill(path), body, content_type="application/json"), 400, "malformed_request")
    problem(client.post(fill(path), "[]", content_type="application/json"), 400, "invalid_parameter")


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_too_much(client: Client, fill: Any, settings: Any, tmp_path: Path, method: str, path: str) -> None:
    settings.COUNTERS_FILE, settings.LIMIT_LOOPBACK = tmp_path / "counters", True
    settings.LIMITS = dict.fromkeys(settings.LIMITS, 1)
    address = fill(path)
    getattr(client, method)(address, content_type="application/json").getvalue()
    refused = getattr(client, method)(address, content_type="application/json")
    problem(refused, 429, "throttled")
    assert int(refused["Retry-After"]) >= 1
    assert refused["RateLimit"]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_a_failure(
    client: Client, fill: Any, monkeypatch: pytest.MonkeyPatch, caplog: Any, method: str, path: str
) -> None:
    def fail(*_given: Any, **_named: Any) -> None:
        raise RuntimeError("secret")

    address = fill(path)
    monkeypatch.setattr(resolve(address.partition("?")[0]).func.view_class, method, fail)  # type: ignore[attr-defined]
    monkeypatch.setattr("rulings.api.subscriptions.api_key", lambda _request: object(), raising=False)
    client.raise_request_exception = False
    response = getattr(client, method)(address, content_type="application/json")
    assert "secret" not in json.dumps(problem(response, 500, "internal_error"))

"""Errors are problem JSON with a stable code, never HTML and never a 500."""

from typing import Any

import pytest
from django.test import Client, override_settings

from rulings.api.errors import MEDIA_TYPE, TITLES
from tests.makers import make_card, make_ruleset, make_section

pytestmark = pytest.mark.django_db
HUGE = "9" * 30


@pytest.fixture(autouse=True)
def content() -> None:
    make_section("101.1")
    make_card("青き竜")


@pytest.mark.parametrize(
    ("address", "status", "code", "parameter"),
    [
        ("search/?page=0", 400, "invalid_parameter", "page"),
        ("search/?page=-1", 400, "invalid_parameter", "page"),
        ("search/?page=abc", 400, "invalid_parameter", "page"),
        ("search/?page=１", 400, "invalid_parameter", "page"),
        (f"search/?page={HUGE}", 400, "invalid_parameter", "page"),
        ("search/?page_size=x", 400, "invalid_parameter", "page_size"),
        ("search/?as_of=2025-13-01", 400, "invalid_parameter", "as_of"),
        ("search/?as_of=2025/01/01", 400, "invalid_parameter", "as_of"),
        ("search/?kind=rule", 400, "invalid_parameter", "kind"),
        ("search/?status=gone", 400, "invalid_parameter", "status"),
        ("search/?card=blue", 400, "invalid_parameter", "card"),
        (f"search/?card={HUGE}", 400, "invalid_parameter", "card"),
        ("search/?colour=blue&strict=1", 400, "unknown_parameter", "colour"),
        ("search/?q=a%00b", 400, "invalid_parameter", "q"),
        ("entries/?kind=card", 400, "invalid_parameter", "kind"),
        (f"entries/?card={HUGE}", 400, "invalid_parameter", "card"),
        ("entries/?cites=x", 400, "invalid_parameter", "cites"),
        ("entries/?as_of=yesterday", 400, "invalid_parameter", "as_of"),
        ("entries/?page=2", 404, "page_out_of_range", "page"),
        ("entries/?page=999999999999", 404, "page_out_of_range", "page"),
        ("entries/0/", 404, "not_found", None),
        (f"entries/{HUGE}/", 404, "not_found", None),
        (f"entries/{'9' * 5000}/", 404, "not_found", None),
        (f"cards/{HUGE}/", 404, "not_found", None),
        (f"cards/{HUGE}/entries/", 404, "not_found", None),
        (f"amendments/{HUGE}/", 404, "not_found", None),
        ("rulesets/nope/", 404, "not_found", None),
        ("rulesets/nope/sections/", 404, "not_found", None),
        ("rulesets/dm-cr/sections/999.9z/", 404, "not_found", None),
        ("rulesets/dm-cr/sections/101.1/?depth=6", 400, "invalid_parameter", "depth"),
        ("rulesets/dm-cr/sections/101.1%00/", 404, "not_found", None),
        ("rulesets/dm-cr/sections/999/history/", 404, "not_found", None),
        ("rulesets/dm-cr/diff/", 400, "invalid_parameter", "from"),
        ("rulesets/dm-cr/diff/?from=2025-02-01&to=2025-01-01", 400, "invalid_parameter", "from"),
        ("changes/?since=-1", 400, "invalid_parameter", "since"),
        ("changes/?since=5", 410, "resync_required", "since"),
        ("changes/?since=" + HUGE, 400, "invalid_parameter", "since"),
        ("nothing/here/", 404, "not_found", None),
        ("nothing", 404, "not_found", None),
    ],
)
def test_what_goes_wrong_is_told(client: Client, address: str, status: int, code: str, parameter: str | None) -> None:
    response = client.get(f"/api/v1/{address}")
    assert response.status_code == status
    assert response["Content-Type"] == MEDIA_TYPE
    problem = response.json()
    assert problem["code"] == code
    assert problem["status"] == status
    assert problem["title"] == TITLES[code]
    assert problem["detail"]
    assert problem.get("parameter") == parameter


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_japanese_whatever_the_language_of_the_asker(client: Client, language: str) -> None:
    problem = client.get("/api/v1/search/?card=x", headers={"accept-language": language}).json()
    assert problem["detail"] == "有効な整数を入力してください。"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_is_written(client: Client, method: str) -> None:
    response = getattr(client, method)("/api/v1/search/", content_type="application/json")
    assert response.status_code == 405
    assert response["Allow"] == "GET, HEAD, OPTIONS"
    assert response.json()["code"] == "method_not_allowed"


def test_only_json(client: Client) -> None:
    response = client.get("/api/v1/search/", headers={"accept": "text/html"})
    assert response.status_code == 406
    assert response["Content-Type"] == MEDIA_TYPE
    assert response.json()["code"] == "not_acceptable"
    assert client.get("/api/v1/search/", headers={"accept": "text/html, */*;q=0.5"}).status_code == 200


@pytest.mark.parametrize("address", ["/api/", "/api", "/api/v2/search/", "/api/v1/", "/api/v1/search/x/"])
@pytest.mark.parametrize("debug", [True, False])
def test_unknown_addresses_are_problems_too(client: Client, address: str, debug: bool) -> None:
    with override_settings(DEBUG=debug):
        response = client.get(address, headers={"accept": "text/html"})
    assert (response.status_code, response["Content-Type"]) == (404, MEDIA_TYPE)
    assert response["Cache-Control"] == "no-store"


def test_a_missing_last_slash_is_mended(client: Client) -> None:
    response = client.get("/api/v1/search?q=%E7%AB%9C")
    assert response.status_code == 301
    assert response["Location"] == "/api/v1/search/?q=%E7%AB%9C"


def test_the_unexpected_is_a_problem_without_details(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_request: Any) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("rulings.api.search.search", fail)
    client.raise_request_exception = False
    response = client.get("/api/v1/search/?q=x")
    assert (response.status_code, response["Content-Type"]) == (500, MEDIA_TYPE)
    assert response.json()["code"] == "internal_error"
    assert "secret" not in response.content.decode()


def test_a_refused_host_is_a_problem(client: Client) -> None:
    with override_settings(ALLOWED_HOSTS=["example.org"], DEBUG=False):
        response = client.get("/api/v1/search/", headers={"host": "elsewhere.example"})
    assert (response.status_code, response["Content-Type"]) == (400, MEDIA_TYPE)


HOSTILE = [
    "%00", "%ED%A0%80", "%FF%FE", "a" * 10_000, "%F0%9F%90%89", "'; DROP TABLE--", "%25", "*", "?*", "NOT NOT x",
    "(" * 500, "9" * 5000, "-1", "1e9", "NaN", "１２", "٣", "null", "[]", "../../etc/passwd", "%E2%80%AE", "%0D%0A",
]  # fmt: skip
PARAMETERS = {
    "search/": ["q", "kind", "game", "ruleset", "card", "status", "as_of", "page", "page_size", "x"],
    "suggest/": ["q", "game"],
    "entries/": ["kind", "game", "ruleset", "card", "cites", "status", "as_of", "page"],
    "faqs/": ["ruleset", "verdict", "official_id", "card"],
    "interactions/": ["cards", "ruleset", "page_size"],
    "cards/": ["q", "game"],
    "amendments/": ["ruleset", "game"],
    "changes/": ["since", "page_size"],
    "rulesets/": ["game", "authority"],
    "rulesets/dm-cr/sections/": ["level", "status"],
    "rulesets/dm-cr/sections/101.1/": ["depth", "as_of"],
    "rulesets/dm-cr/diff/": ["from", "to"],
}


@pytest.mark.parametrize("address", PARAMETERS)
def test_hostile_parameters_are_answered(client: Client, address: str) -> None:
    for name in PARAMETERS[address]:
        for value in HOSTILE:
            response = client.get(f"/api/v1/{address}?{name}={value}")
            assert response.status_code in (200, 400, 404, 410), (name, value[:50])
            assert response["Content-Type"] in ("application/json", MEDIA_TYPE)


@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_addresses_are_answered(client: Client, value: str) -> None:
    make_ruleset("dm-cr")
    for address in ("entries/{}/", "rulesets/{}/", "rulesets/dm-cr/sections/{}/", "cards/{}/entries/", "{}/"):
        response = client.get("/api/v1/" + address.format(value.replace("?", "%3F")))
        assert response.status_code in (200, 400, 404), address

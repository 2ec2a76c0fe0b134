"""schema/ and docs/: the description is valid, kept in the repository, and served from here alone."""

import re
from io import StringIO
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.api.conftest import described

KEPT = Path(__file__).parents[2] / "rulings" / "api" / "openapi.yaml"
PROMISED = [
    "search/", "suggest/", "entries/", "entries/{id}/", "rulesets/", "rulesets/{slug}/", "rulesets/{slug}/diff/",
    "rulesets/{slug}/sections/", "rulesets/{slug}/sections/{number}/", "rulesets/{slug}/sections/{number}/history/",
    "faqs/", "faqs/{id}/", "interactions/", "interactions/{id}/", "cards/", "cards/{id}/", "cards/{id}/entries/",
    "amendments/", "amendments/{id}/", "changes/", "answer/", "citations/verify/", "exports/", "exports/{slug}/",
    "exports/all/", "exports/games/{slug}/", "batch/",
    "subscriptions/", "subscriptions/{id}/", "subscriptions/{id}/attempts/", "subscriptions/{id}/replay/",
    "subscriptions/{id}/ping/",
]  # fmt: skip


def generated() -> str:
    out = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", "--api-version", "v1", stdout=out)
    return out.getvalue()


def test_the_kept_description_is_the_generated_one() -> None:
    command = "manage.py spectacular --validate --fail-on-warn --api-version v1 --file rulings/api/openapi.yaml"
    assert KEPT.read_text(encoding="utf-8") == generated(), f"write it anew: {command}"


def test_valid_and_complete() -> None:
    OpenAPIV31SpecValidator(yaml.safe_load(generated())).validate()
    assert {f"/api/v1/{address}" for address in PROMISED} <= set(described()["paths"])


def test_every_operation_and_parameter_is_described() -> None:
    for path, path_item in described()["paths"].items():
        for operation in path_item.values():
            assert operation["summary"], path
            assert operation["description"], path
            assert len(operation["tags"]) == 1, path
            for parameter in operation.get("parameters", []):
                assert parameter.get("schema"), (path, parameter)


def test_no_keyword_of_openapi_3_0() -> None:
    assert "nullable:" not in generated()


@pytest.mark.django_db
def test_served_as_json(client: Client) -> None:
    response = client.get("/api/v1/schema/")
    assert response["Content-Type"] == "application/json"
    assert response.json()["openapi"] == "3.1.0"
    assert client.get("/api/v1/schema/", headers={"accept": "application/vnd.oai.openapi"}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/api/v1/docs/", "/api/v1/docs/redoc/"])
def test_docs_load_nothing_from_elsewhere_and_run_under_the_policy(client: Client, address: str) -> None:
    page = client.get(address)
    assert page.status_code == 200
    html = page.content.decode()
    assert 'lang="ja"' in html
    assert all(address.startswith("/") for address in re.findall(r'(?:src|href)="([^"]+)"', html))
    assert not re.search(r"<script(?![^>]*src=)", html)
    assert "script-src 'self';" in page["Content-Security-Policy"]
    for wrong in (client.get(address, headers={"accept": "application/json"}), client.post(address)):
        assert wrong["Content-Type"] == "application/problem+json"
        assert wrong.json()["status"] == wrong.status_code
    assert client.options(address).status_code == 204


@pytest.mark.django_db
def test_swagger_starts_by_a_script_of_its_own(client: Client) -> None:
    script = client.get("/api/v1/docs/?script=")
    assert script["Content-Type"].startswith("application/javascript")
    assert "/api/v1/schema/" in script.content.decode()


def test_limits_are_published() -> None:
    described_limits = described()["info"]["description"]
    for name, limit in settings.LIMITS.items():
        assert f"{name} {limit}" in described_limits
    for path_item in described()["paths"].values():
        for operation in path_item.values():
            assert operation["description"].rpartition("：")[2] in settings.LIMITS
            assert "429" in operation["responses"]

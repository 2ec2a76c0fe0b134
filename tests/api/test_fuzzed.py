"""schemathesis against the site: no 500, no answer outside the description, never HTML.

Short by default; `RULINGS_FUZZ=200` asks every operation so many times.
"""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.conftest import described
from tests.makers import make_card, make_faq, make_interaction, make_section

EXAMPLES = int(os.environ.get("RULINGS_FUZZ", "8"))
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]


@schemathesis.deserializer("application/x-ndjson", "application/gzip", "text/plain")
def as_text(_context: Any, response: Any) -> str:
    """These are described as strings."""
    return response.content.decode("utf-8", "replace")


@pytest.fixture(autouse=True)
def content(db: None, tmp_path: Any, settings: Any) -> Iterator[None]:
    for signal in (request_started, request_finished):  # the connection holds the transaction of the test
        signal.disconnect(close_old_connections)
    settings.EXPORTS_DIR, settings.ALLOWED_HOSTS = tmp_path, ["*"]
    card = make_card("青き竜")
    make_section("101.1", cards=[card])
    make_faq(cards=[card])
    make_interaction([card, make_card("赤き竜")])
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


OPERATIONS = [
    f"{method.upper()} {path}"
    for path, item in described()["paths"].items()
    for method in item
    if method != "parameters"
]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_nothing_outside_the_description(operation: str) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application())
    (found,) = [one.ok() for one in schema.get_all_operations() if one.ok().label == operation]

    @given(case=found.as_strategy())
    @hypothesis_settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        if case.query:
            case.query.pop("wait", None)  # it would wait
        # This transport does not unpack what it asks to be packed.
        case.call_and_validate(checks=CHECKS, headers={"Accept-Encoding": "identity"})

    ask()

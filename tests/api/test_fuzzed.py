"""schemathesis against a server in processes of its own: no 500, nothing outside the description, never HTML.

Asks what the description allows and what it does not. The whole takes `SECONDS` at most beside the start;
`RULINGS_FUZZ=200` asks every operation so many times, however long that takes.
"""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.conftest import described
from tests.live import PATIENCE, issued, shipped, site  # noqa: F401 - fixtures

EXAMPLES = int(os.environ.get("RULINGS_FUZZ", "5"))
SECONDS = float("inf") if "RULINGS_FUZZ" in os.environ else 150.0
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
OPERATIONS = [
    f"{method.upper()} {path}"
    for path, item in described()["paths"].items()
    for method in item
    if method != "parameters"
]


@schemathesis.deserializer("application/x-ndjson", "application/gzip", "text/plain")
def as_text(_context: Any, response: Any) -> str:
    """These are described as strings."""
    return response.content.decode("utf-8", "replace")


@pytest.fixture(scope="module")
def server(shipped: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:  # noqa: F811
    folder = Path(shutil.copytree(shipped, tmp_path_factory.mktemp("fuzzed") / "data"))
    with site(folder, RULINGS_LONG_POLLS="1") as address:
        yield address
        said = "".join(path.read_text(errors="replace") for path in folder.glob("said-*.log"))
    assert "Traceback" not in said, said[-3000:]


@pytest.fixture(scope="module")
def key(server: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A key of that server, for what needs one."""
    return issued(next(iter(tmp_path_factory.getbasetemp().glob("fuzzed*/data"))))


@pytest.fixture(scope="module")
def operations(server: str) -> dict[str, Any]:
    """What the running server says of itself."""
    schema = schemathesis.openapi.from_url(f"{server}/api/v1/schema/", timeout=PATIENCE)
    return {one.ok().label: one.ok() for one in schema.get_all_operations()}


@pytest.fixture(scope="module")
def until() -> float:
    return time.monotonic() + SECONDS


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_nothing_outside_the_description(
    operations: dict[str, Any], until: float, key: str, operation: str, mode: GenerationMode
) -> None:
    @given(case=operations[operation].as_strategy(generation_mode=mode))
    @hypothesis_settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        if time.monotonic() > until:
            return
        if case.query:
            case.query.pop("wait", None)  # it would wait
        headers = {"Authorization": f"Bearer {key}"} if "/subscriptions/" in operation else {}
        answer = case.call(timeout=PATIENCE, headers=headers)
        case.validate_response(answer, checks=CHECKS)
        assert "html" not in answer.headers.get("content-type", [""])[0]

    ask()

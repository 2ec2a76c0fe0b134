"""What the tests of the API share: a client whose every answer is checked against the description of the API."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker


@cache
def described(sparse: bool = False) -> dict[str, Any]:
    """The description, with objects closed: a member that it does not know is an error too.

    `sparse`: with the rows that `fields` may leave members out of; without, every row is whole.
    """
    schema = deepcopy(SchemaGenerator(api_version="v1").get_schema(request=None, public=True))
    for component in schema["components"]["schemas"].values():
        if "properties" in component:
            component["additionalProperties"] = False
    if not sparse:
        close_rows(schema)
    return schema


def close_rows(schema: Any) -> None:
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        close_rows(part)
    if isinstance(schema, dict) and str(schema.get("anyOf", [{}])[-1].get("$ref", "")).endswith("Sparse"):
        schema["anyOf"] = schema["anyOf"][:1]


def schema_of(response: Any) -> dict[str, Any]:
    view = response.resolver_match.func.view_class
    by_method = getattr(view, "operation_ids", {})
    # A method that is not there answers like the others: with a problem.
    operation_id = (
        by_method.get(response.request["REQUEST_METHOD"]) or view.operation_id or next(iter(by_method.values()))
    )
    for path_item in described(is_sparse(response))["paths"].values():
        for operation in path_item.values():
            if operation["operationId"] == operation_id:
                answers = operation["responses"]
                answer = answers.get(str(response.status_code)) or answers["default"]
                return answer["content"][response["Content-Type"]]["schema"]
    raise AssertionError(f"{operation_id} is not described")


def is_sparse(response: Any) -> bool:
    return "fields=" in response.request["QUERY_STRING"]


def check(response: Any) -> None:
    """Compare an answer with the description."""
    schema = schema_of(response) | {"components": described(is_sparse(response))["components"]}
    Draft202012Validator(schema, format_checker=FormatChecker()).validate(response.json())


Get = Callable[..., dict[str, Any]]


@pytest.fixture
def get(client: Client, db: None) -> Get:
    """Ask for an address under /api/v1/ and return the checked answer."""

    def ask(address: str, status: int = 200, /, **parameters: Any) -> dict[str, Any]:
        response = client.get(f"/api/v1/{address}", parameters)
        assert response.status_code == status, response.content.decode()[:500]
        check(response)
        return response.json()

    return ask

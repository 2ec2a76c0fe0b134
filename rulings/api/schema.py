"""How the API describes itself (OpenAPI 3.1)."""

from copy import deepcopy
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from rulings.api.errors import MEDIA_TYPE, ProblemSerializer
from rulings.api.pagination import INCLUDED
from rulings.api.shaping import described

STRICT = OpenApiParameter(
    "strict", OpenApiTypes.BOOL, description="1 なら、知らないパラメーターを警告ではなくエラー（400）にする。"
)
CHANGE_NUMBER = OpenApiParameter(
    "X-Change-Number",
    OpenApiTypes.INT,
    OpenApiParameter.HEADER,
    description="この答えを作った時点の変更番号（changes/ を参照）。",
    response=[200],
)
KEYED = "通知"  # operations under this tag need a key
PROBLEMS = {
    "400": "パラメーターが正しくない。",
    "404": "見つからない。",
    "429": "上限に達した。Retry-After の秒数だけ待つ。",
    "default": "そのほかの問題（401、405、406、412、500 など）。",
}


class ApiSchema(AutoSchema):
    """Adds what every operation shares: `strict`, the parameters of the view, the problems."""

    def get_operation_id(self) -> str:
        by_method: dict[str, str] = getattr(self.view, "operation_ids", {})
        own = by_method.get(self.method) or getattr(self.view, "operation_id", "")
        return own or super().get_operation_id()

    def get_description(self, *args: Any) -> str:
        """With the class of limits that the operation belongs to."""
        limit = getattr(self.view, "limit_class", "read")
        return f"{super().get_description(*args)}\n\n上限の区分：{limit}"

    def get_override_parameters(self) -> list[Any]:
        parameters = getattr(self.view, "parameters_class", None)
        given = [parameters] if parameters and parameters().fields else []
        return [*given, *self._shapes(), STRICT, CHANGE_NUMBER]

    def _shapes(self) -> list[OpenApiParameter]:
        """The parameters of the shape of an answer; lists tell theirs beside those of their pages."""
        shapes = () if self._is_list_view() else getattr(self.view, "shapes", ())
        return [
            OpenApiParameter(one["name"], OpenApiTypes.STR, description=one["description"]) for one in described(shapes)
        ]

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        for code, description in PROBLEMS.items():
            problem = OpenApiResponse(ProblemSerializer, description=description)
            bodies[code] = self._get_response_for_code(problem, code, [MEDIA_TYPE], direction)
        return bodies

    def _is_list_view(self, serializer: Any = None) -> bool:
        return bool(getattr(self.view, "pagination_class", None))


def tidy(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Post-processing hook: what the generator cannot say by itself."""
    # It gathers the components before it reads the webhooks.
    result["components"]["schemas"] |= generator.registry.build({}).get("schemas", {})
    for path_item in result["paths"].values():
        for operation in path_item.values():
            operation.pop("security", None)
            if KEYED in operation["tags"]:
                operation["security"] = [{"apiKey": []}]
            for answer in operation["responses"].values():
                answer["description"] = answer.get("description") or "答え。"
    _describe_shapes(result)
    for schema in result["components"]["schemas"].values():
        _tidy_schema(schema)
    result["security"] = []
    result["components"]["securitySchemes"] = {"apiKey": {"type": "http", "scheme": "bearer"}}
    return result


def _describe_shapes(result: dict[str, Any]) -> None:
    """With `fields` a row lacks members, with `expand` an answer has one more."""
    schemas = result["components"]["schemas"]
    for path_item in result["paths"].values():
        for operation in path_item.values():
            names = {parameter["name"] for parameter in operation.get("parameters", [])}
            if "fields" not in names:
                continue
            content = operation["responses"]["200"]["content"]["application/json"]
            whole = schemas[content["schema"]["$ref"].split("/")[-1]]
            if "expand" in names:
                whole["properties"]["included"] = INCLUDED
            if "results" in whole["properties"]:  # a list
                rows = whole["properties"]["results"]
                rows["items"] = _or_sparse(rows["items"], schemas)
            else:
                content["schema"] = _or_sparse(content["schema"], schemas)


def _or_sparse(row: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """The schema of a row, or of a part of it; once only where several operations share the row."""
    if "$ref" not in row:
        return row
    name = row["$ref"].split("/")[-1]
    sparse = {key: value for key, value in schemas[name].items() if key != "required"}
    schemas[f"{name}Sparse"] = deepcopy(sparse) | {"description": "fields で求めたメンバーだけ。"}
    return {"anyOf": [row, {"$ref": f"#/components/schemas/{name}Sparse"}]}


def _tidy_schema(schema: Any) -> None:
    """Leave out the generator's own marks; and OpenAPI 3.1 knows no `nullable`, only a type or an alternative."""
    if isinstance(schema, list):
        for part in schema:
            _tidy_schema(part)
    if not isinstance(schema, dict):
        return
    for part in schema.values():
        _tidy_schema(part)
    schema.pop("x-spec-enum-id", None)
    if schema.get("readOnly") is True:  # everything is
        del schema["readOnly"]
    if schema.pop("nullable", None) is True and isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]

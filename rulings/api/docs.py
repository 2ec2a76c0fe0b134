"""The description of the API and its two pages, all served from here and from nowhere else."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2, OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularRedocView, SpectacularSwaggerSplitView
from rest_framework.renderers import BaseRenderer, JSONRenderer, TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.api.base import ApiView
from rulings.middleware import POLICY

# Swagger UI sets styles on its elements; scripts stay as strict as everywhere.
DOCS_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
# Redoc searches in a worker of its own making. It adds two inline styles, known by their hashes: an empty one that it
# fills through the object model, and that of its scroll bars (another version of Redoc may need another hash).
REDOC_STYLES = ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc=")
REDOC_POLICY = POLICY.replace("worker-src 'self'", "worker-src 'self' blob:").replace(
    "style-src 'self'", " ".join(["style-src 'self'", *(f"'sha256-{digest}'" for digest in REDOC_STYLES)])
)


FORMS: dict[str, type[BaseRenderer]] = {
    form.media_type: form for form in (OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer)
}


@cache
def written(media_type: str) -> str | bytes:
    """The description in one form; making it takes half a second, and only other code changes it."""
    return FORMS[media_type]().render(SchemaGenerator().get_schema(request=None, public=True), renderer_context={})


class SchemaView(ApiView):
    """OpenAPI 3.1, as JSON unless YAML is asked for."""

    renderer_classes = list(FORMS.values())

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        renderer: BaseRenderer = request.accepted_renderer
        return HttpResponse(
            written(renderer.media_type),
            content_type=renderer.media_type,
            headers={"Content-Disposition": f'inline; filename="rulings-openapi.{renderer.format}"'},
        )


class PageRenderer(TemplateHTMLRenderer):
    """A page; what goes wrong stays problem JSON."""

    def render(
        self, data: Any, media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> Any:
        assert renderer_context is not None  # noqa: S101 - the framework gives it
        if renderer_context["response"].exception:
            return JSONRenderer().render(data, media_type, renderer_context)
        return super().render(data, media_type, renderer_context)


class DocsPage(ApiView):
    """A page under a policy of its own."""

    renderer_classes = [PageRenderer]
    policy = POLICY

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Content-Security-Policy"] = self.policy
        return response


class DocsView(DocsPage, SpectacularSwaggerSplitView):
    """Swagger UI."""

    template_name = "api/docs.html"
    url_name = "api-schema"
    policy = DOCS_POLICY

    def known_names(self) -> set[str]:
        return {*super().known_names(), "script"}


class RedocView(DocsPage, SpectacularRedocView):
    """Redoc. It asks for a logo of its maker's host, which the policy refuses."""

    template_name = "api/redoc.html"
    url_name = "api-schema"
    policy = REDOC_POLICY

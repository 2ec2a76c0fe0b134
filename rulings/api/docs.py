"""The description of the API and its page, both served from here and from nowhere else."""

from typing import Any

from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from rulings.middleware import POLICY

# Swagger UI sets styles on its elements; scripts stay as strict as everywhere.
DOCS_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")


class SchemaView(SpectacularAPIView):
    """OpenAPI 3.1, as JSON unless YAML is asked for."""

    renderer_classes = [OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer]


class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI."""

    template_name = "api/docs.html"
    url_name = "api-schema"

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Content-Security-Policy"] = DOCS_POLICY
        return response

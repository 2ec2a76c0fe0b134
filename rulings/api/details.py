"""One thing as the whole answer, with only the members that the asker wants."""

from typing import Any

from rest_framework.response import Response

from rulings.api.base import ApiView
from rulings.api.shaping import ALWAYS, read_choices


class DetailView(ApiView):
    """A view of one thing: what `fields` leaves out is not even read."""

    shapes: tuple[str, ...] = ("fields",)
    detail_class: Any = None

    def shown(self, row: Any, **more: Any) -> Response:
        """The answer for `row`; `more`: what the serializer needs to know beside."""
        serializer = self.detail_class(row, context=self.context() | more)
        fields = read_choices(self.request, "fields", serializer.fields)
        for name in set(serializer.fields) - {*ALWAYS, *fields} if fields else ():
            serializer.fields.pop(name)
        beside = self.beside(row)
        return Response(serializer.data | beside)

    def beside(self, row: Any) -> dict[str, Any]:
        """What the answer holds beside the thing."""
        return {}

"""The language of the interface and that of the content, told apart in every page that is not Japanese."""

from django.http import HttpResponse
from django.utils.translation import get_language

from rulings.text.languages import mark_japanese

CONTENT = "ja"


def speak(response: HttpResponse) -> HttpResponse:
    """Mark the Japanese parts of a page whose interface speaks another language; hand the page back."""
    language = get_language() or CONTENT
    if language != CONTENT and response.headers.get("Content-Type", "").startswith("text/html"):
        response.content = mark_japanese(response.content.decode(), language).encode()
    return response

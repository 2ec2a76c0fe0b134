"""A query in, a page of results out."""

from rulings.search.results import Reading, SearchPage, SearchRequest


def search(request: SearchRequest) -> SearchPage:
    """Answer `request`."""
    reading = Reading("empty" if not request.q.strip() else "words", "")
    return SearchPage(0, reading, [], [], request.page, request.page_size)

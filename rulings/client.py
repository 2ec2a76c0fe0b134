"""A small typed client of the API, standard library only. Copy this file, or import it.

rulings = Rulings("http://localhost:8000")
print(rulings.answer("805.4a")["text"])
"""

import json
from collections.abc import Iterator
from typing import Any, TypedDict
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

MOST_HELD = 256  # answers kept in memory


class Answer(TypedDict):
    """The members of answer/ that a chat needs."""

    text: str
    certain: bool
    confidence: str


class Entry(TypedDict):
    """The members of an entry that most programs need; there are more."""

    id: int
    kind: str
    ruleset: str
    number: str
    title: str
    body: str
    verdict: str
    status: str
    effective_on: str | None
    url: str


class RulingsError(Exception):
    """A problem that the site told (RFC 9457): `code` is stable, `parameter` is at fault where there is one."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail_en") or problem.get("detail") or str(status))
        self.status = status
        self.code: str = problem.get("code", "")
        self.parameter: str | None = problem.get("parameter")


class Rulings:
    """The API of one site. Answers that were not changed are taken from memory (ETag)."""

    def __init__(self, site: str, key: str = "", timeout: float = 30) -> None:
        self._base = f"{site.rstrip('/')}/api/v1/"
        self._key, self._timeout = key, timeout
        self._held: dict[str, tuple[str, Any]] = {}
        self.change_number = 0  # of the latest answer

    def answer(self, q: str, **filters: str) -> Answer:
        found: Answer = self._get("answer/", q=q, **filters)
        return found

    def search(self, q: str, **filters: str | int) -> Iterator[dict[str, Any]]:
        """All results, page by page."""
        return self._pages("search/", q=q, **filters)

    def entry(self, pk: int) -> Entry:
        found: Entry = self._get(f"entries/{pk}/")
        return found

    def entries(self, **filters: str | int) -> Iterator[Entry]:
        """All entries by cursor: none twice, none lost, whoever writes meanwhile."""
        return self._pages("entries/", cursor="", **filters)

    def verify(self, text: str, ruleset: str) -> dict[str, Any]:
        found: dict[str, Any] = self._post("citations/verify/", {"text": text, "ruleset": ruleset})
        return found

    def batch(self, entries: list[int], cards: list[int] | None = None, **since: Any) -> dict[str, Any]:
        found: dict[str, Any] = self._post("batch/", {"entries": entries, "cards": cards or [], **since})
        return found

    def changed(self, entries: list[int], since: int, cards: list[int] | None = None, mark: str = "") -> dict[str, Any]:
        """Which of these changed since a change number: those whole; `unchanged` and `missing` hold ids."""
        return self.batch(entries, cards, since=since, **({"mark": mark} if mark else {}))

    def changes(self, since: int, mark: str = "", wait: int = 0) -> dict[str, Any]:
        """One page of changes. RulingsError with the code `resync_required`: begin anew with exports/."""
        found: dict[str, Any] = self._get("changes/", since=since, mark=mark, wait=wait or "")
        return found

    def _pages(self, address: str, **parameters: Any) -> Iterator[Any]:
        page = self._get(address, **parameters)
        while True:
            yield from page["results"]
            if not page["next"]:
                return
            page = self._ask(Request(page["next"]))  # noqa: S310 - the site's own address

    def _get(self, address: str, **parameters: Any) -> Any:
        query = urlencode({name: value for name, value in parameters.items() if value != "" or name == "cursor"})
        return self._ask(Request(f"{self._base}{address}?{query}"))  # noqa: S310

    def _post(self, address: str, body: Any) -> Any:
        headers = {"Content-Type": "application/json"}
        return self._ask(Request(self._base + address, json.dumps(body).encode(), headers))  # noqa: S310

    def _ask(self, request: Request) -> Any:
        url = request.full_url
        if self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        if url in self._held and request.data is None:
            request.add_header("If-None-Match", self._held[url][0])
        try:
            with urlopen(request, timeout=self._timeout) as reply:  # noqa: S310
                self.change_number = int(reply.headers.get("X-Change-Number", self.change_number))
                found = json.load(reply)
                if reply.headers.get("ETag"):
                    self._held[url] = (reply.headers["ETag"], found)
                    if len(self._held) > MOST_HELD:
                        del self._held[next(iter(self._held))]
                return found
        except HTTPError as error:
            if error.code == 304:
                return self._held[url][1]
            raise RulingsError(error.code, _problem(error)) from error


def _problem(error: HTTPError) -> dict[str, Any]:
    try:
        found = json.load(error)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}

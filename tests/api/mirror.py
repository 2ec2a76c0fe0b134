"""A small mirror: takes the whole export, then follows changes/. What others would write against the API."""

import gzip
import json
from typing import Any

from django.test import Client

API = "/api/v1/"


class ResyncRequiredError(Exception):
    """The number is of no use any more."""


class Mirror:
    """Rows by (kind card or entry, id), as exports/ and the lists show them."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.rows: dict[tuple[str, int], dict[str, Any]] = {}
        self.since, self.mark = 0, ""

    def begin(self) -> None:
        """Take the export of everything."""
        response = self.client.get(f"{API}exports/all/", headers={"accept": "application/gzip"})
        lines = gzip.decompress(b"".join(response.streaming_content)).splitlines()  # type: ignore[attr-defined]
        rows = [json.loads(line) for line in lines]
        self.rows = {self.key(row): row for row in rows}
        self.since, self.mark = int(response["X-Change-Number"]), response["X-Change-Mark"]

    def key(self, row: dict[str, Any]) -> tuple[str, int]:
        return ("card" if row["kind"] == "card" else "entry", row["id"])

    def follow(self, page_size: int = 3) -> int:
        """Fetch what has changed; return how many changes were told."""
        address = f"{API}changes/?since={self.since}&mark={self.mark}&page_size={page_size}"
        told = 0
        while address:
            response = self.client.get(address)
            if response.status_code == 410:
                raise ResyncRequiredError
            answer = response.json()
            entries = [row["id"] for row in answer["results"] if row["kind"] != "card"]
            cards = [row["id"] for row in answer["results"] if row["kind"] == "card"]
            self.fetch(entries, cards)
            told += len(answer["results"])
            if answer["results"]:
                self.since = answer["results"][-1]["number"]
            self.mark = answer["mark"]
            address = answer["next"] or ""
        return told

    def fetch(self, entries: list[int], cards: list[int]) -> None:
        body = json.dumps({"entries": entries, "cards": cards})
        answer = self.client.post(f"{API}batch/", body, content_type="application/json").json()
        for row in (*answer["entries"], *answer["cards"]):
            self.rows[self.key(row)] = row

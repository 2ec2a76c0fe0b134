"""The page and the API give the same results in the same order for every judged query."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from rulings.search.indexing import rebuild
from tests.shared.test_imports import DOCUMENTS

pytestmark = pytest.mark.django_db


def test_the_page_shows_what_the_api_answers(client: Client, shared_dir: Path, capsys: Any) -> None:
    call_command("loaddata", "games", verbosity=0)
    for name, ruleset in DOCUMENTS.items():
        call_command("import_document", shared_dir / "documents" / name, ruleset=ruleset)
    call_command("import_cards", shared_dir / "data" / "dm_cards.jsonl", game="dm")
    call_command("import_faqs", shared_dir / "data" / "dm_official_qa.jsonl", ruleset="dm-cr")
    rebuild()
    capsys.readouterr()
    lines = (shared_dir / "evaluation" / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    compared = 0
    for line in filter(None, map(str.strip, lines)):
        q = json.loads(line)["q"]
        results = client.get("/api/v1/search/", {"q": q}).json()["results"]
        wanted = [result["url"].removeprefix("http://testserver") for result in results]
        page = client.get("/search/", {"q": q}).content.decode()
        assert shown(page) == wanted, q
        compared += len(wanted)
    assert compared > 500


def shown(page: str) -> list[str]:
    """The addresses of the results on a page, in order."""
    return re.findall(r'<h2 class="hit-title[^"]*"><a href="([^"]+)"', page)

"""The tools of the Model Context Protocol server, asked by the protocol's own client."""

import asyncio
import json
from datetime import date
from typing import Any

import pytest

from tests.bots import extra  # noqa: F401 - skips this module without the extra

from mcp import Client  # isort: skip

from rulings.bots.mcp import make_server
from tests.makers import make_card, make_faq, make_section

pytestmark = pytest.mark.django_db(transaction=True)


def ask(tool: str, **arguments: Any) -> Any:
    async def run() -> Any:
        async with Client(make_server("https://rulings.example")) as client:
            names = {one.name for one in (await client.list_tools()).tools}
            assert names == {"search", "get_rule", "get_card_rulings", "verify_citations"}
            return await client.call_tool(tool, arguments)

    found = asyncio.run(run())
    assert not found.is_error, found
    return json.loads(found.content[0].text) if len(found.content) == 1 else [json.loads(c.text) for c in found.content]


@pytest.fixture(autouse=True)
def content(settings: Any, tmp_path: Any) -> None:
    settings.INDEX_DIR = tmp_path / "index"
    successor = make_section("703.4m", body="竜は墓地に置かれるものとします。")
    make_section(
        "117.2", body="竜は山札に置かれるものとします。", status="superseded", superseded_by=successor,
        status_reason="移された", status_on=date(2026, 2, 13),
    )  # fmt: skip
    make_faq("《青き竜》は引けますか？", "はい。", cards=[make_card("青き竜")])


def test_get_rule() -> None:
    rule = ask("get_rule", ruleset="dm-cr", number="７０３．４ｍ")
    assert (rule["number"], rule["url"]) == ("703.4m", "https://rulings.example/dm-cr/703.4m/")
    assert "error" in ask("get_rule", ruleset="dm-cr", number="114.6")


def test_get_card_rulings_and_search() -> None:
    found = ask("get_card_rulings", name="青き竜")
    assert (found if isinstance(found, dict) else found[0])["title"] == "《青き竜》は引けますか？"
    hit = ask("search", q="703.4m")
    assert (hit if isinstance(hit, dict) else hit[0])["number"] == "703.4m"


def test_verify_citations() -> None:
    found = ask("verify_citations", text="117.2 により", ruleset="dm-cr")
    row = found if isinstance(found, dict) else found[0]
    assert (row["result"], row["successor"]["number"]) == ("outdated", "703.4m")

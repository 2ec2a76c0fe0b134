"""The Model Context Protocol server in a process of its own, over both transports, asked by the official client."""

import asyncio
import http.client
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.bots import extra  # noqa: F401 - skips this module without the extra
from tests.live import MANAGE, environment, own_copy, running, shipped  # noqa: F401 - fixtures

from mcp import Client, StdioServerParameters  # isort: skip - behind the extra

SITE = "https://rulings.example"
COMMAND = [*MANAGE, "mcp_server", "--site", SITE]
RUNNING = re.compile(r"running on http://127\.0\.0\.1:(\d+)")
Ask = Callable[..., Awaitable[Any]]


async def talk(server: Any, said: Callable[[Ask], Awaitable[None]]) -> None:
    async with Client(server, read_timeout_seconds=60) as client:
        tools = {one.name: one for one in (await client.list_tools()).tools}
        assert set(tools) == {"search", "get_rule", "get_card_rulings", "verify_citations"}
        assert all(tool.description for tool in tools.values())

        async def ask(tool: str, **arguments: Any) -> Any:
            found = await client.call_tool(tool, arguments)
            assert not found.is_error, found
            return [json.loads(part.text) for part in found.content if part.type == "text"]

        await said(ask)


async def everything(ask: Ask) -> None:
    """The four tools, on the content that ships."""
    (rule,) = await ask("get_rule", ruleset="dm-cr", number="７０３．４ｍ")
    assert (rule["number"], rule["status"], rule["url"]) == ("703.4m", "current", f"{SITE}/dm-cr/703.4m/")
    assert rule["body"]
    (gone,) = await ask("get_rule", ruleset="dm-cr", number="117.2")
    assert gone["superseded_by"] == "703.4m"
    assert "error" in (await ask("get_rule", ruleset="dm-cr", number="114.6"))[0]
    hits = await ask("search", q="820.4a", limit=3)
    assert (hits[0]["ruleset"], hits[0]["number"]) == ("dm-cr", "820.4a")
    checked = await ask("verify_citations", text="117.2 と 114.6 と 703.4m", ruleset="dm-cr")
    assert [one["result"] for one in checked] == ["outdated", "unknown", "exists"]
    assert checked[0]["successor"]["number"] == "703.4m"
    assert await ask("get_card_rulings", name="そんな名前のカードはない") == []
    assert await ask("search", q="\x00" * 10) == []


def test_over_streamable_http(own_copy: Path) -> None:  # noqa: F811
    with running([*COMMAND, "--http", "0"], RUNNING, own_copy) as port:
        asyncio.run(talk(f"http://127.0.0.1:{port}/mcp", everything))
        asyncio.run(talk(f"http://localhost:{port}/mcp", everything))  # again, from the beginning
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        headers = {"Host": "evil.example", "Content-Type": "application/json", "Accept": "application/json"}
        connection.request("POST", "/mcp", b"{}", headers)
        assert connection.getresponse().status == 421  # a page that points its name at this machine gets nothing


def test_over_standard_input_and_output(own_copy: Path) -> None:  # noqa: F811
    server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=environment(own_copy))
    asyncio.run(talk(server, everything))

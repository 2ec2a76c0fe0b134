"""A Model Context Protocol server: language models look rules up, and check what they cite.

An optional extra (`requirements-mcp.txt`). Reads only; the same searches and answers as the API.
"""

from collections.abc import Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from rulings.models import Card, Entry, Ruleset
from rulings.search import SearchRequest
from rulings.search import search as run_search
from rulings.services.due import settle_once
from rulings.services.verification import Checked, verify
from rulings.text.fold import fold_key

MOST = 20
TEXT_LENGTH = 20_000


def make_server(site: str) -> MCPServer:
    """The server; `site`: the address under which the pages are linked."""
    server = MCPServer("rulings", instructions="Rulings of Japanese card games. Verify citations before you answer.")

    @server.tool()
    async def search(q: str, game: str = "", limit: int = 5) -> list[dict[str, Any]]:
        """Search rules, questions and card interactions in Japanese: a number, a card name, words or a question."""
        return await _asked(_search, site, q, game, limit)

    @server.tool()
    async def get_rule(ruleset: str, number: str) -> dict[str, Any]:
        """The wording in force of a rule (`dm-cr`, `805.4a`); of one that is gone its last wording and successor."""
        return await _asked(_rule, site, ruleset, number)

    @server.tool()
    async def get_card_rulings(name: str, limit: int = 10) -> list[dict[str, Any]]:
        """Everything that is ruled about a card, by its whole name."""
        return await _asked(_card, site, name, limit)

    @server.tool()
    async def verify_citations(text: str, ruleset: str) -> list[dict[str, Any]]:
        """Check every rule number, card name and quotation in a text against the rules in force."""
        return await _asked(_verify, site, text, ruleset)

    return server


def run_http(server: MCPServer, host: str, port: int) -> None:
    """Serve over streamable HTTP at `/mcp`; every request stands alone, so that several processes may share them."""
    server.run(
        "streamable-http", host=host, port=port, stateless_http=True, json_response=True, transport_security=_security()
    )


def _security() -> TransportSecuritySettings:
    """The same hosts as the site; pages of other sites may not reach a server on the reader's own machine."""
    if "*" in settings.ALLOWED_HOSTS:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    hosts = [name for host in settings.ALLOWED_HOSTS for name in (host, f"{host}:*")]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


async def _asked(ask: Callable[..., Any], site: str, *arguments: Any) -> Any:
    """Do for a tool what a request of the site does: no stale connection, and what is due today holds."""

    def run() -> Any:
        close_old_connections()
        settle_once()
        given = [one.replace("\x00", "") if isinstance(one, str) else one for one in arguments]
        return ask(site, *given)

    return await sync_to_async(run)()


def _row(site: str, entry: Entry) -> dict[str, Any]:
    wording = entry.ruling.wording_on()
    return {
        "id": entry.pk,
        "kind": entry.kind,
        "ruleset": entry.ruleset.slug,
        "number": entry.number,
        "title": entry.title_on(),
        "body": wording.body if wording else "",
        "verdict": wording.verdict if wording else "none",
        "status": entry.status,
        "effective_on": wording.effective_on.isoformat() if wording and wording.effective_on else None,
        "superseded_by": entry.superseded_by.number if entry.superseded_by else None,
        "url": site.rstrip("/") + entry.get_absolute_url(),
    }


def _search(site: str, q: str, game: str, limit: int) -> list[dict[str, Any]]:
    found = run_search(SearchRequest(q, game=game or None, page_size=max(1, min(limit, MOST)), counted=False))
    return [_row(site, hit.entry) for hit in found.hits if hit.entry is not None]


def _rule(site: str, ruleset: str, number: str) -> dict[str, Any]:
    entry = Entry.objects.of_ruleset(ruleset).at_number(number).for_display().first()
    if entry is None:
        return {"error": f"{ruleset} に {number} はありません。"}
    return _row(site, entry)


def _card(site: str, name: str, limit: int) -> list[dict[str, Any]]:
    cards = list(Card.objects.named(fold_key(name)).values_list("pk", flat=True))
    entries = Entry.objects.live().naming_any_card(cards).for_display().in_book_order()
    return [_row(site, entry) for entry in entries[: max(1, min(limit, MOST))]] if cards else []


def _verify(site: str, text: str, ruleset: str) -> list[dict[str, Any]]:
    known = Ruleset.objects.select_related("game").filter(slug=ruleset).first()
    if known is None:
        return [{"error": f"規則集 {ruleset} はありません。"}]
    return [_verdict(site, checked) for checked in verify(text[:TEXT_LENGTH], known).results]


def _verdict(site: str, checked: Checked) -> dict[str, Any]:
    return {
        "text": checked.citation.text,
        "result": checked.result,
        "message": checked.message,
        "entry": _row(site, checked.entry) if checked.entry else None,
        "successor": _row(site, checked.successor) if checked.successor else None,
        "near": [entry.number for entry in checked.near_entries] + [card.name for card in checked.near_cards],
        "quotations": [
            {
                "text": quoted.quotation.text,
                "same": quoted.comparison.same,
                "passage": quoted.comparison.passage,
                "diff": [[piece.op.value, piece.text] for piece in quoted.comparison.diff],
            }
            for quoted in checked.quotations
        ],
    }

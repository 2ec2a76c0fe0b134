"""Serve the Model Context Protocol, over stdio or HTTP."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = "Model Context Protocol のサーバーを動かします（既定は標準入出力）。"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--http", type=int, metavar="PORT", help="streamable HTTP（/mcp）で待つポート（0 なら空き）"
        )
        parser.add_argument("--host", default="127.0.0.1", help="待つアドレス（既定はこの機械の中だけ）")
        parser.add_argument("--site", default="http://localhost:8000", help="ページのアドレスのはじめ")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            from rulings.bots.mcp import make_server, run_http
        except ImportError as error:
            raise CommandError("pip install -r requirements-mcp.txt を先に実行してください。") from error
        server = make_server(options["site"])
        if options["http"] is not None:
            run_http(server, options["host"], options["http"])
        else:
            server.run("stdio")

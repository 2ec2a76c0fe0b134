"""manage.py search QUERY: ask as the site asks, in the terminal."""

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from rulings.management.console import clear_database_errors
from rulings.search import Hit, SearchRequest, search


class Command(BaseCommand):
    help = "検索語で検索し、結果を順に表示します。"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("query", nargs="+", help="検索語")
        parser.add_argument("--kind", choices=["section", "faq", "interaction", "card"], help="種類")
        parser.add_argument("--game", help="ゲーム")
        parser.add_argument("--ruleset", help="規則集")
        parser.add_argument("--status", help="状態（all: すべて）")
        parser.add_argument("--as-of", type=date.fromisoformat, metavar="YYYY-MM-DD", help="この日に効力のあった文面")
        parser.add_argument("--limit", type=int, default=10, help="件数")

    def handle(self, *args: Any, **options: Any) -> None:
        request = SearchRequest(
            q=" ".join(options["query"]),
            kind=options["kind"],
            game=options["game"],
            ruleset=options["ruleset"],
            status=options["status"],
            as_of=options["as_of"],
            page_size=options["limit"],
        )
        with clear_database_errors():
            page = search(request)
        self.stdout.write(f"読み取り: {page.reading.text}（{page.count}件）")
        for warning in page.warnings:
            self.stdout.write(self.style.WARNING(warning.message))
        for rank, hit in enumerate(page.hits, 1):
            self.stdout.write(f"{rank:3}. {_line(hit)}")
        if page.left_out:
            self.stdout.write(f"ほかに、効力を失った項目が{page.left_out}件あります。")


def _line(hit: Hit) -> str:
    kinds = {"section": "条項", "faq": "質問", "interaction": "相互作用", "card": "カード"}
    if hit.entry:
        excerpts = [one.snippet for one in hit.highlights if one.field != "title"]
        text = f"{hit.entry.ruleset} {hit.entry}｜{excerpts[0] if excerpts else ''}"
    else:
        text = str(hit.card)
    return f"[{kinds[hit.kind]}] {hit.score:8.2f}  {' '.join(text.split())[:140]}"

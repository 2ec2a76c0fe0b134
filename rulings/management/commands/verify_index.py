"""manage.py verify_index: compare every file of the search index with its checksum."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rulings.management.console import clear_database_errors
from rulings.search import indexing
from rulings.search.engine import IndexUnusable


class Command(BaseCommand):
    help = "検索索引のファイルが書かれた時のままかを、すべて調べます。"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repair", action="store_true", help="壊れていれば作り直します")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with clear_database_errors():
                broken = self._broken()
                if broken and options["repair"]:
                    count = indexing.rebuild()
                    self.stdout.write(self.style.SUCCESS(f"索引を作り直しました（{count}件）。"))
                    return
        except IndexUnusable as error:
            raise CommandError(f"索引を作り直せませんでした: {error}") from error
        if broken:
            raise CommandError(f"索引が壊れています: {broken}。rebuild_index で作り直せます。")
        self.stdout.write(self.style.SUCCESS("索引は書かれた時のままです。"))

    def _broken(self) -> str:
        try:
            return "、".join(indexing.verify())
        except IndexUnusable as error:
            return str(error)

"""manage.py rebuild_index: build the search index anew, beside the live one."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rulings.management.console import clear_database_errors
from rulings.search import indexing
from rulings.search.engine import IndexUnusable


class Command(BaseCommand):
    help = "検索索引を作り直します。作り終えるまで、今の索引で検索できます。"

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with clear_database_errors():
                count = indexing.rebuild()
        except (IndexUnusable, OSError) as error:
            raise CommandError(f"索引を作り直せませんでした: {error}") from error
        self.stdout.write(self.style.SUCCESS(f"索引を作り直しました（{count}件）。"))

"""Load the content that ships with the project."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from rulings.management.console import clear_errors, progress_bar
from rulings.services.content import load_content


class Command(BaseCommand):
    help = "同梱の内容（ゲーム・カード・文書）を取り込みます。もう一度実行しても何も変わりません。"

    def handle(self, *args: Any, **options: Any) -> None:
        folder = settings.BASE_DIR / "fixtures"
        with clear_errors(str(folder)), progress_bar("カード") as progress:
            for report in load_content(folder, progress):
                if options["verbosity"] > 1:
                    self.stdout.write(report.summary())
                elif options["verbosity"] == 1:
                    state = (
                        report.warnings[0]["message"]
                        if report.is_refused
                        else "変更なし"
                        if report.nothing_changed
                        else "取り込みました"
                    )
                    self.stdout.write(f"{report.target}: {report.title} … {state}")

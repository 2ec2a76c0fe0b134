"""Look the whole content over."""

import json
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rulings.management.console import clear_database_errors
from rulings.services.checks import check_content


class Command(BaseCommand):
    help = "内容を点検します。壊れているところがあれば終了コード1、未知のものだけなら0で終わります。"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="結果をJSONで標準出力に書く")

    def handle(self, *args: Any, **options: Any) -> None:
        with clear_database_errors():
            found = check_content()
        broken = sum(finding.is_broken for finding in found)
        if options["json"]:
            rows = [
                {"code": finding.code, "broken": finding.is_broken, "message": finding.message} for finding in found
            ]
            counts = Counter(finding.code for finding in found)
            self.stdout.write(json.dumps({"broken": broken, "counts": counts, "found": rows}, ensure_ascii=False))
        else:
            for finding in found:
                self.stdout.write(f"{'【壊れています】' if finding.is_broken else ''}{finding.message}")
            self.stdout.write(f"壊れているもの {broken}件、未知のもの {len(found) - broken}件")
        if broken:
            raise CommandError(f"壊れているものが{broken}件あります。")

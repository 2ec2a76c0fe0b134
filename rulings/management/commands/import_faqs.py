"""Import a list of questions and answers into a ruleset."""

from typing import Any

from django.core.management.base import CommandParser

from rulings.management.console import ListCommand, ruleset_named
from rulings.services.faqs import import_faqs


class Command(ListCommand):
    help = "よくある質問の一覧（CSV・JSON・JSON Lines）を規則集に取り込みます。"
    counted = "よくある質問"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--ruleset", required=True, metavar="SLUG", help="取り込む規則集")
        parser.add_argument(
            "--complete",
            action="store_true",
            help="この一覧が全件である。前の一覧にあって載らなくなった回答は、取り下げとする",
        )
        parser.add_argument(
            "--allow-ending", action="store_true", help="いまある回答の半分より多くを取り下げる一覧も取り込む"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        said = {name: options[name] for name in ("complete", "allow_ending")}
        self.read(import_faqs, lambda: ruleset_named(options["ruleset"]), options, **said)

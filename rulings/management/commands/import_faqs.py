"""Import a list of questions and answers into a ruleset."""

from typing import Any

from django.core.management.base import CommandParser

from rulings.management.console import (
    ImportCommand,
    add_mapping,
    clear_errors,
    progress_bar,
    read_file,
    read_mapping,
    ruleset_named,
)
from rulings.services.faqs import import_faqs


class Command(ImportCommand):
    help = "よくある質問の一覧（CSV・JSON・JSON Lines）を規則集に取り込みます。"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--ruleset", required=True, metavar="SLUG", help="取り込む規則集")
        add_mapping(parser)

        parser.add_argument(
            "--complete",
            action="store_true",
            help="この一覧が全件である。前の一覧にあって載らなくなった回答は、取り下げとする",
        )

        parser.add_argument(
            "--allow-ending", action="store_true", help="いまある回答の半分より多くを取り下げる一覧も取り込む"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        mapping = read_mapping(options["map"])
        data = read_file(options["file"])
        with clear_errors(options["file"]), progress_bar("よくある質問") as progress:
            report = import_faqs(
                ruleset_named(options["ruleset"]),
                data,
                mapping,
                title=options["title"],
                url=options["url"],
                publisher=options["publisher"],
                complete=options["complete"],
                allow_ending=options["allow_ending"],
                dry_run=options["dry_run"],
                progress=progress,
            )
        self.report(report, options["json"])

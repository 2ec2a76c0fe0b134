"""Import a list of dated wordings of rules into a ruleset."""

from typing import Any

from django.core.management.base import CommandParser

from rulings.management.console import ImportCommand, add_mapping, clear_errors, read_file, read_mapping, ruleset_named
from rulings.services.wording_lists import import_wordings


class Command(ImportCommand):
    help = "日付のある文面の一覧（CSV・JSON・JSON Lines）で、規則集の過去を補います。"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--ruleset", required=True, metavar="SLUG", help="取り込む規則集")
        add_mapping(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        mapping = read_mapping(options["map"])
        data = read_file(options["file"])
        with clear_errors(options["file"]):
            report = import_wordings(
                ruleset_named(options["ruleset"]),
                data,
                mapping,
                title=options["title"],
                url=options["url"],
                publisher=options["publisher"],
                dry_run=options["dry_run"],
            )
        self.report(report, options["json"])

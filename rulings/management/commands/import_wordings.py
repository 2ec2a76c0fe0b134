"""Import a list of dated wordings of rules into a ruleset."""

from typing import Any

from django.core.management.base import CommandParser

from rulings.management.console import ListCommand, ruleset_named
from rulings.services.wording_lists import import_wordings


class Command(ListCommand):
    help = "日付のある文面の一覧（CSV・JSON・JSON Lines）で、規則集の過去を補います。"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--ruleset", required=True, metavar="SLUG", help="取り込む規則集")

    def handle(self, *args: Any, **options: Any) -> None:
        self.read(import_wordings, lambda: ruleset_named(options["ruleset"]), options)

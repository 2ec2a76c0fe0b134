"""Import a list of cards into a game."""

from typing import Any

from django.core.management.base import CommandParser

from rulings.management.console import (
    ImportCommand,
    add_mapping,
    clear_errors,
    game_named,
    progress_bar,
    read_file,
    read_mapping,
)
from rulings.services.cards import import_cards


class Command(ImportCommand):
    help = "カードの一覧（CSV・JSON・JSON Lines）をゲームに取り込みます。"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--game", required=True, metavar="SLUG", help="取り込むゲーム")
        add_mapping(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        mapping = read_mapping(options["map"])
        data = read_file(options["file"])
        with clear_errors(options["file"]), progress_bar("カード") as progress:
            report = import_cards(
                game_named(options["game"]),
                data,
                mapping,
                title=options["title"],
                url=options["url"],
                publisher=options["publisher"],
                dry_run=options["dry_run"],
                progress=progress,
            )
        self.report(report, options["json"])

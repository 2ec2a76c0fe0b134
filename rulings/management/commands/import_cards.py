"""Import a list of cards into a game."""

from typing import Any

from django.core.management.base import CommandParser

from rulings.management.console import ListCommand, game_named
from rulings.services.cards import import_cards


class Command(ListCommand):
    help = "カードの一覧（CSV・JSON・JSON Lines）をゲームに取り込みます。"
    counted = "カード"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--game", required=True, metavar="SLUG", help="取り込むゲーム")

    def handle(self, *args: Any, **options: Any) -> None:
        self.read(import_cards, lambda: game_named(options["game"]), options)

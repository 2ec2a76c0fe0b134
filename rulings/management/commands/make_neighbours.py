"""manage.py make_neighbours: make the table of words near each other from word vectors."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rulings.search import neighbour_making, neighbours, sidecar


class Command(BaseCommand):
    help = "語の近さの表を、単語ベクトル（ja-ginza の vocab フォルダー）から作り直します。"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("vocabulary", type=Path, help="vectors・key2row・strings.json のあるフォルダー")
        parser.add_argument("--to", type=Path, default=neighbours.FILE, help="書き出すファイル")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            arrays = neighbour_making.make(options["vocabulary"])
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"単語ベクトルを読めません: {error}") from error
        sidecar.write(options["to"], arrays)
        self.stdout.write(self.style.SUCCESS(f"{len(arrays['groups'])}語の表を作りました: {options['to']}"))

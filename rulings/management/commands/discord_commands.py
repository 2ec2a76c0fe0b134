"""Print the slash commands as Discord wants them registered."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from rulings.bots.discord import COMMANDS


class Command(BaseCommand):
    help = "Discord に登録するスラッシュコマンドを JSON で表示します。"

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(COMMANDS, ensure_ascii=False, indent=2))

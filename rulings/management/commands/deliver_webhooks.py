"""manage.py deliver_webhooks: tell subscribers what has changed."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from rulings.management.console import clear_database_errors
from rulings.models import Subscription
from rulings.services.background import deliver_while_any, delivering_alone, interrupt
from rulings.services.delivering import deliver_due


class Command(BaseCommand):
    help = "登録された宛先へ、変更を届けつづけます（サイトが自分で届けるときは要りません）。"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="いま届けるべきものだけを届けて終わります")

    def handle(self, *args: Any, **options: Any) -> None:
        with clear_database_errors():
            if options["once"]:
                self._once()
                return
            stop = threading.Event()
            for name in (signal.SIGTERM, signal.SIGINT):
                signal.signal(name, lambda _number, _frame: interrupt(stop))
            deliver_while_any(stop, forever=True)

    def _once(self) -> None:
        with delivering_alone() as alone:
            if not alone:
                self.stdout.write("ほかのプロセスが届けています。")
                return
            count = deliver_due()
        failing = Subscription.objects.alive().filter(failures__gt=0).count()
        self.stdout.write(self.style.SUCCESS(f"{count} 件の宛先に届けました（うまくいかない宛先 {failing} 件）。"))

"""Import a rule document into a ruleset."""

from typing import Any

from django.core.management.base import CommandParser

from rulings.importers.records import Form
from rulings.management.console import ImportCommand, clear_errors, read_date, read_file, read_same, ruleset_named
from rulings.services.importing import import_document

AUTO = "auto"


class Command(ImportCommand):
    help = "規則の文書を規則集に取り込みます。同じ文書をもう一度取り込んでも何も変わりません。"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--ruleset", required=True, metavar="SLUG", help="取り込む規則集")
        parser.add_argument("--form", choices=[AUTO, *Form], default=AUTO, help="文書の形式（auto は構造から見分ける）")
        parser.add_argument("--published", metavar="DATE", help="公開日（文書の日付より優先する）")
        parser.add_argument("--effective", metavar="DATE", help="施行日（なければ公開日）")
        parser.add_argument(
            "--allow-ending",
            action="store_true",
            help="いまある項目の半分より多くが終了する、または空になる文書も取り込む",
        )

        parser.add_argument(
            "--same",
            action="append",
            default=[],
            metavar="OLD=NEW",
            help="文書の中の NEW は、いまの OLD と同じ条項である（OLD が空なら新しい条項。何度でも）",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        published = read_date(options["published"], "--published")
        effective = read_date(options["effective"], "--effective")
        data = read_file(options["file"])
        with clear_errors(options["file"]):
            report = import_document(
                ruleset_named(options["ruleset"]),
                data,
                form=None if options["form"] == AUTO else Form(options["form"]),
                published=published,
                effective=effective,
                title=options["title"],
                url=options["url"],
                publisher=options["publisher"],
                dry_run=options["dry_run"],
                allow_ending=options["allow_ending"],
                same=read_same(options["same"]),
            )
        self.report(report, options["json"])

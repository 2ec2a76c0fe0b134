"""What the commands that import have in common: reading arguments and files, telling progress and reports."""

import json
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, ProgrammingError
from tqdm import tqdm

from rulings.importers.errors import DecodeError, ParseError
from rulings.models import Game, Ruleset
from rulings.services.reports import ImportReport
from rulings.services.safeguards import ImportImpossibleError, ImportRefusedError
from rulings.text.dates import find_date
from rulings.text.links import is_web_address
from rulings.text.numbers import parse_number


class ImportCommand(BaseCommand):
    """A command that imports one file and reports what it did; every failure is one clear Japanese sentence."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="読み込むファイル（- は標準入力）")
        parser.add_argument("--title", default="", help="出典の題名")
        parser.add_argument("--url", default="", type=web_address, help="出典のURL")
        parser.add_argument("--publisher", default="", help="発行者")
        parser.add_argument("--dry-run", action="store_true", help="保存せずに結果だけを表示する")
        parser.add_argument("--json", action="store_true", help="結果をJSONで標準出力に書く")

    def report(self, report: ImportReport, as_json: bool) -> None:
        text = json.dumps(report.to_json(), ensure_ascii=False, indent=1) if as_json else report.summary()
        self.stdout.write(text)


class ListCommand(ImportCommand):
    """A command that imports one list (CSV, JSON, JSON lines); its subclasses say where to and by what."""

    counted = ""  # what a progress bar counts; none without

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--map", action="append", default=[], metavar="FIELD=COLUMN", help="項目と列の対応（何度でも）"
        )

    def read(
        self, importer: Callable[..., ImportReport], target: Callable[[], Any], options: dict[str, Any], **more: Any
    ) -> None:
        """Import the list into `target()` and report; `more`: what this importer is told besides."""
        mapping = read_mapping(options["map"])
        data = read_file(options["file"])
        with clear_errors(options["file"]), progress_bar(self.counted) if self.counted else nullcontext() as progress:
            if progress is not None:
                more["progress"] = progress
            told = {name: options[name] for name in ("title", "url", "publisher", "dry_run")}
            report = importer(target(), data, mapping, **told, **more)
        self.report(report, options["json"])


@contextmanager
def clear_errors(file: str) -> Iterator[None]:
    """Turn what can go wrong with a file into a CommandError that says so."""
    try:
        with clear_database_errors():
            yield
    except (DecodeError, ParseError) as error:
        raise CommandError(f"{file} を読み込めません: {error}") from error
    except ImportRefusedError as error:
        cure = "" if isinstance(error, ImportImpossibleError) else "これで正しければ --allow-ending を付けてください。"
        raise CommandError(f"{file} を取り込みません（何も保存していません）: {error}{cure}") from error


@contextmanager
def clear_database_errors() -> Iterator[None]:
    """Turn a database that is missing, out of date or in use into a CommandError that says the cure."""
    try:
        yield
    except (OperationalError, ProgrammingError) as error:
        if any(sign in str(error) for sign in ("no such table", "no such column", "has no column", "does not exist")):
            raise CommandError(
                "データベースがまだないか、古い形です。先に manage.py migrate を実行してください。"
            ) from error
        if "locked" in str(error):
            raise CommandError("ほかの処理がデータベースを使っています。少し待ってから実行してください。") from error
        raise


def read_file(name: str) -> bytes:
    """The bytes of a file or of standard input; CommandError when it cannot be read."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except FileNotFoundError as error:
        raise CommandError(f"ファイルが見つかりません: {name}") from error
    except IsADirectoryError as error:
        raise CommandError(f"ファイルではなくフォルダーです: {name}") from error
    except OSError as error:
        raise CommandError(f"ファイルを開けません: {name}（{error.strerror}）") from error


def ruleset_named(slug: str) -> Ruleset:
    """The ruleset; CommandError naming the known ones when there is none."""
    try:
        return Ruleset.objects.select_related("game").get(slug=slug)
    except Ruleset.DoesNotExist as error:
        raise CommandError(f"規則集「{slug}」はありません。{_known(Ruleset.objects.all())}") from error


def game_named(slug: str) -> Game:
    """The game; CommandError naming the known ones when there is none."""
    try:
        return Game.objects.get(slug=slug)
    except Game.DoesNotExist as error:
        raise CommandError(f"ゲーム「{slug}」はありません。{_known(Game.objects.all())}") from error


def _known(things: Any) -> str:
    slugs = sorted(things.values_list("slug", flat=True))
    return f"使えるもの: {'、'.join(slugs)}" if slugs else "先に manage.py loaddata games を実行してください。"


def web_address(text: str) -> str:
    """The address of a page; an argument error for what no page may link to."""
    if text and not is_web_address(text):
        raise ArgumentTypeError(
            f"「{text[:80]}」はウェブページのURLではありません（http:// か https:// で始めてください）。"
        )
    return text


def read_date(text: str | None, option: str) -> date | None:
    """A date in any usual writing, None when not given; CommandError when it is none."""
    if not text:
        return None
    found = find_date(text)
    if found is None:
        raise CommandError(f"{option} の日付「{text}」を読み取れません。2026-02-13 のように書いてください。")
    return found


def read_mapping(pairs: list[str]) -> dict[str, str]:
    """`field=column` pairs as a mapping; CommandError for anything else."""
    mapping = {}
    for pair in pairs:
        name, equals, column = pair.partition("=")
        if not equals or not name.strip() or not column.strip():
            raise CommandError(f"--map「{pair}」は「項目=列の名前」の形で書いてください。")
        mapping[name.strip()] = column.strip()
    return mapping


def read_same(pairs: list[str]) -> dict[str, str]:
    """`OLD=NEW` pairs as a mapping from the new number to the old one; CommandError for anything else."""
    same = {}
    for pair in pairs:
        old, equals, new = pair.partition("=")
        read = parse_number(new)
        if not equals or not new.strip():
            raise CommandError(f"--same「{pair}」は「前の番号=新しい番号」の形で書いてください。")
        known = parse_number(old)
        same[str(read) if read else new.strip()] = str(known) if known else old.strip()
    return same


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on a terminal, silence elsewhere; call it with (done, total)."""
    with tqdm(desc=label, unit="件", leave=False, disable=not sys.stderr.isatty(), file=sys.stderr) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show

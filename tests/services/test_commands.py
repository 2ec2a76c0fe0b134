"""The commands of the contract: clear messages, JSON on standard output and nothing else there."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from rulings.models import Card, Change, CrossReference, Entry, Event, Revision, Source, Status
from rulings.services.checks import check_content
from tests.makers import make_card, make_faq, make_interaction, make_ruleset, make_section

pytestmark = pytest.mark.django_db
BOOK = """1.準備
100. 用意するもの
100.1. デッキは40枚のカードで作ります。
100.2. 手札は5枚で始めます。
100.2a 先攻はカードを引きません。
101. 勝利条件
101.1. 相手の盾がない時に攻撃が通ると勝ちます。
101.2. 山札がなくなると負けます。
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    make_ruleset("dm-cr")
    path = tmp_path / "book.txt"
    path.write_text(BOOK, encoding="utf-8")
    return path


def _run(*args: object) -> str:
    out = StringIO()
    call_command(*(str(arg) for arg in args), stdout=out)
    return out.getvalue()


def test_import_document(book: Path) -> None:
    assert "読み込みました" in _run("import_document", book, "--ruleset", "dm-cr", "--published", "2025年1月1日")
    assert Entry.objects.at_number("100.2a").exists()
    assert "変更はありません" in _run("import_document", book, "--ruleset", "dm-cr", "--published", "2025-01-01")


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "utf-16", "utf-8-sig"])
def test_the_same_text_in_another_encoding_is_the_same(book: Path, encoding: str) -> None:
    _run("import_document", book, "--ruleset", "dm-cr")
    changes = Change.objects.count()
    book.write_bytes(BOOK.replace("\n", "\r\n").encode(encoding))
    assert json.loads(_run("import_document", book, "--ruleset", "dm-cr", "--json"))["nothing_changed"] is True
    assert (Change.objects.count(), Source.objects.count()) == (changes, 1)


def test_json_of_a_dry_run_is_all_of_the_output(book: Path) -> None:
    report = json.loads(_run("import_document", book, "--ruleset", "dm-cr", "--dry-run", "--json"))
    assert report["sections"]["created"] == 8
    assert {line["line"] for line in report["account"]} == set(range(1, 9))
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ruleset", "dm-xx"], "dm-cr"),
        (["--ruleset", "dm-cr", "--published", "2026-02-30"], "2026-02-30"),
        (["--ruleset", "dm-cr", "--form", "amendment", "--effective", "きのう"], "きのう"),
        (["--ruleset", "dm-cr", "--url", "javascript:alert(1)"], "URLではありません"),
    ],
)
def test_wrong_options(book: Path, options: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        _run("import_document", book, *options)
    assert not Source.objects.exists()


def test_files_that_cannot_be_read(book: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="見つかりません"):
        _run("import_document", tmp_path / "missing.txt", "--ruleset", "dm-cr")
    with pytest.raises(CommandError, match="フォルダー"):
        _run("import_document", tmp_path, "--ruleset", "dm-cr")
    for data in (b"", b"%PDF-1.4 ...", "ただの一文です。".encode(), b"\x00\x01\x02\xff" * 50):
        book.write_bytes(data)
        with pytest.raises(CommandError, match="読み込めません"):
            _run("import_document", book, "--ruleset", "dm-cr")
    assert not Source.objects.exists()


def test_import_lists(book: Path) -> None:
    book.write_text("名前,コスト\n火竜,5\n", encoding="utf-8")
    _run("import_cards", book, "--game", "dm", "--map", "name=名前")
    assert Card.objects.get().name == "火竜"
    book.write_text('{"question": "《火竜》を出せますか?", "answer": "はい、出せます。"}', encoding="utf-8")
    report = json.loads(_run("import_faqs", book, "--ruleset", "dm-cr", "--json"))
    assert report["faqs"]["created"] == 1
    with pytest.raises(CommandError, match="項目=列"):
        _run("import_cards", book, "--game", "dm", "--map", "name")
    with pytest.raises(CommandError, match="dm"):
        _run("import_cards", book, "--game", "mtg")


def test_load_content_is_idempotent() -> None:
    _run("load_content")
    before = [model.objects.count() for model in (Entry, Revision, Change, Source)]
    assert before[0] > 200
    assert _run("load_content").count("変更なし") == 7
    assert [model.objects.count() for model in (Entry, Revision, Change, Source)] == before
    assert not [finding for finding in check_content() if finding.is_broken]


def test_check_content_is_content_with_the_unknown(book: Path) -> None:
    book.write_text(BOOK + "101.3. 999.9と《知らない竜》を参照。\n", encoding="utf-8")
    _run("import_document", book, "--ruleset", "dm-cr")
    found = json.loads(_run("check_content", "--json"))
    assert found["broken"] == 0
    assert {"unresolved", "unknown_card"} <= set(found["counts"])


def test_check_content_finds_what_is_broken() -> None:
    section = make_section("101.1", effective_on=None)
    other = make_section("305.2", ruleset=make_ruleset("dm-party", name="別"))
    reference = {"place": "body", "kind": "rule", "text": "305.2", "key": "305.2"}
    CrossReference.objects.create(revision=section.revisions.get(), ruleset=section.ruleset, entry=other, **reference)
    bare = make_section("101.2")
    bare.revisions.update(event=Event.DELETED, body="")
    ruling = make_faq(status=Status.WITHDRAWN, status_reason="取り下げ")
    make_interaction([make_card("火竜"), make_card("水竜")], ruled_by=ruling)
    Change.objects.create(number=2, kind="created", entry=section)
    Source.objects.create(title="頁", form="page", sha256="0" * 64, text="一行目\n\n三行目", account=[])
    with pytest.raises(CommandError, match="壊れている"):
        _run("check_content")
    codes = {finding.code for finding in check_content() if finding.is_broken}
    assert codes == {
        "wrong_ruleset",
        "no_wording",
        "ended_with_wording",
        "ended_ruling",
        "change_gap",
        "unrecorded",
        "unaccounted",
    }


@pytest.mark.parametrize(
    ("command", "cause"),
    [("search", "no such table: rulings_change"), ("rebuild_index", "no such column: rulings_revision.due_on")],
)
def test_a_database_that_is_not_ready_is_told(monkeypatch: pytest.MonkeyPatch, command: str, cause: str) -> None:
    def fail(*_args: object) -> None:
        raise OperationalError(cause)

    monkeypatch.setattr("rulings.management.commands.search.search", fail)
    monkeypatch.setattr("rulings.management.commands.rebuild_index.indexing.rebuild", fail)
    with pytest.raises(CommandError, match="migrate"):
        call_command(command, *(["竜"] if command == "search" else []))


def test_a_tiny_complete_document_ends_nothing_by_mistake(book: Path) -> None:
    _run("import_document", book, "--ruleset", "dm-cr")
    before = Change.objects.count()
    book.write_text("100. 用意するもの\n100.1.\n100.2.\n101.1.\n", encoding="utf-8")
    arguments = ["import_document", book, "--ruleset", "dm-cr", "--form", "numbered"]
    assert "このままでは取り込みません" in _run(*arguments, "--dry-run")
    with pytest.raises(CommandError, match="--allow-ending"):
        _run(*arguments)
    assert Change.objects.count() == before
    assert "変更3" in _run(*arguments, "--allow-ending")

"""Every file of the index cut, emptied, flipped, deleted in turn: always told, answered meanwhile, mended by itself."""

import gc
import shutil
import threading
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rulings.search import SearchRequest, indexing, search, tokens
from rulings.search.engine import IndexUnusable
from tests.makers import make_section
from tests.search.test_indexing import found, record


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x55
    path.write_bytes(bytes(content))


DAMAGES: list[Callable[[Path], None]] = [cut, empty, flip, Path.unlink]


def told() -> bool:
    """Whether a comparison of all files tells that something is wrong."""
    try:
        return bool(indexing.verify())
    except IndexUnusable:
        return True


def close() -> None:
    indexing.forget()
    gc.collect()  # the mapped files are let go


def keep(root: Path) -> Path:
    return shutil.copytree(root, root.with_name("kept"))


def restore(root: Path, kept: Path) -> None:
    close()
    shutil.rmtree(root)
    shutil.copytree(kept, root)


def files(root: Path) -> list[Path]:
    """The files of the index; the kept texts beside it prove each row of theirs (test_tokens.py)."""
    return [
        path
        for path in sorted(root.rglob("*"))
        if path.is_file() and "LOCK" not in path.name.upper() and not path.name.startswith(tokens.NAME)
    ]


@pytest.fixture(autouse=True)
def no_checks_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_next_check", [float("inf")])


def lived_in() -> list[int]:
    entries = [make_section(f"101.{number}", body=f"山札の話{number}") for number in range(1, 6)]
    record(*entries)
    indexing.catch_up()
    record(make_section("102.1", body="墓地"))
    indexing.catch_up()
    return [entry.pk for entry in entries]


@pytest.mark.django_db
@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damage_to_every_file_is_told_and_mended(damage: Callable[[Path], None], own_index: Path) -> None:
    expected = lived_in()
    assert found("山札") == expected
    assert not told()
    kept = keep(own_index)
    paths = [path for path in files(own_index) if path.stat().st_size]
    assert len(paths) > 15
    for path in paths:
        restore(own_index, kept)
        damage(path)
        assert told(), f"{damage} of {path.name}"
        close()
        assert found("山札") == expected  # so few entries are indexed on the spot
        assert not told(), path.name


@pytest.mark.django_db
@pytest.mark.parametrize("damage", [cut, empty, Path.unlink])
def test_what_is_missing_is_told_at_opening(damage: Callable[[Path], None], own_index: Path) -> None:
    lived_in()
    kept = keep(own_index)
    for path in [path for path in files(own_index) if path.stat().st_size]:
        restore(own_index, kept)
        damage(path)
        with pytest.raises(IndexUnusable):
            indexing.current()[0].doc_count()


@pytest.mark.django_db
def test_meanwhile_the_database_answers_with_a_warning(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = lived_in()
    close()
    flip(next(path for path in files(own_index) if path.name.endswith(".arr")))
    assert told()
    asked = threading.Event()
    monkeypatch.setattr(indexing, "AT_ONCE", 0)
    monkeypatch.setattr(indexing, "_work_behind", asked.set)
    page = search(SearchRequest(q="山札"))
    assert [hit.entry.pk for hit in page.hits if hit.entry] == expected
    assert [warning.code for warning in page.warnings] == ["degraded"]
    assert asked.is_set()


@pytest.mark.django_db(transaction=True)
def test_a_search_has_the_files_compared_and_mended_behind(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lived_in()
    close()
    path = next(path for path in files(own_index) if path.name.endswith(".pst"))
    generation = path.parent
    flip(path)
    monkeypatch.setattr(indexing, "_next_check", [0.0])
    found("山札")
    for thread in threading.enumerate():
        if thread.name == "index-verify":
            thread.join(20)
    for thread in threading.enumerate():
        if thread.name == "index-repair":
            thread.join(20)
    assert not generation.exists()
    assert not told()


@pytest.mark.django_db
def test_the_command_tells_and_mends(own_index: Path) -> None:
    lived_in()
    out = StringIO()
    call_command("verify_index", stdout=out)
    assert "まま" in out.getvalue()
    close()
    flip(next(path for path in files(own_index) if path.name.endswith(".trm")))
    with pytest.raises(CommandError, match="壊れています"):
        call_command("verify_index")
    call_command("verify_index", repair=True, stdout=out)
    assert not told()


@pytest.mark.django_db
@pytest.mark.parametrize("at_once", [indexing.AT_ONCE, 0])
def test_a_file_where_the_index_should_be_is_told(
    own_index: Path, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "AT_ONCE", at_once)
    monkeypatch.setattr(indexing, "_work_behind", lambda: None)
    entry = make_section("101.1", body="山札")
    record(entry)
    own_index.write_text("索引ではない")
    page = search(SearchRequest(q="山札"))
    assert [hit.entry.pk for hit in page.hits if hit.entry] == [entry.pk]
    assert "degraded" in {warning.code for warning in page.warnings}
    with pytest.raises(CommandError, match="フォルダーではありません"):
        call_command("rebuild_index")
    assert own_index.read_text() == "索引ではない"


@pytest.mark.django_db
def test_the_first_build_is_nothing_to_worry_about(own_index: Path, caplog: pytest.LogCaptureFixture) -> None:
    record(make_section("101.1", body="山札"))
    caplog.set_level("INFO")
    indexing.catch_up()
    assert [(one.levelname, "検索索引を作りました" in one.message) for one in caplog.records] == [("INFO", True)]
    caplog.clear()
    (own_index / "CURRENT").write_text("gen-lost")
    indexing.catch_up()
    assert [one.levelname for one in caplog.records] == ["WARNING", "INFO"]


class Faulty:
    """An engine with a fault of its own."""

    def holding(self) -> Any:
        return lambda _word: 1

    def search(self, _query: object) -> None:
        raise TypeError("a fault of the program")


@pytest.fixture
def faulty(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    expected = lived_in()
    assert found("山札") == expected
    monkeypatch.setattr(indexing, "ready", Faulty)
    return expected


@pytest.mark.django_db
class TestFaultsOfTheProgram:
    def test_they_are_seen_in_tests(self, faulty: list[int]) -> None:
        with pytest.raises(TypeError):
            search(SearchRequest(q="山札"))

    def test_readers_get_the_answer_of_the_database_and_the_log_the_fault(
        self, faulty: list[int], settings: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        settings.SEARCH_ERRORS_RAISE = False
        page = search(SearchRequest(q="山札"))
        assert [hit.entry.pk for hit in page.hits if hit.entry] == faulty
        assert [warning.code for warning in page.warnings] == ["degraded"]
        assert "TypeError: a fault of the program" in caplog.text
        assert not told()  # and no rebuild was begun for nothing

    def test_over_a_damaged_file_it_is_the_index_that_is_mended(
        self, faulty: list[int], own_index: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(indexing, "AT_ONCE", 0)
        asked = threading.Event()
        monkeypatch.setattr(indexing, "_work_behind", asked.set)
        close()
        flip(next(path for path in files(own_index) if path.name.endswith(".arr")))
        page = search(SearchRequest(q="山札"))
        assert [hit.entry.pk for hit in page.hits if hit.entry] == faulty
        assert asked.is_set()
        assert told()

"""Nothing can be written, processes died while building, another database under the index: no error, nothing untrue."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from rulings.models import Change, Entry
from rulings.search import SearchPage, SearchRequest, indexing, search
from rulings.search.engine import IndexUnusable
from tests.makers import make_section
from tests.search.test_crash import indexed, stored
from tests.search.test_damage import lived_in
from tests.search.test_indexing import found, record, rewrite
from tests.search.unprivileged import held_by_permissions


@contextmanager
def full(room: int) -> Iterator[None]:
    """Let no file grow beyond `room` bytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def read_only(root: Path) -> Iterator[None]:
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        with held_by_permissions():
            yield
    finally:
        for folder in folders:
            folder.chmod(0o700)


def answered(page: SearchPage) -> tuple[list[int], list[str]]:
    return [hit.entry.pk for hit in page.hits if hit.entry], [warning.code for warning in page.warnings]


def names(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if "tokens" not in path.name}


ROOMS = [0, 200, 700, 3_000, 20_000]


@pytest.mark.django_db
@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize("room", ROOMS)
class TestFullDisk:
    @pytest.fixture(autouse=True)
    def entries(self, own_index: Path, small: bool, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        entries = lived_in()
        if not small:
            monkeypatch.setattr(indexing, "AT_ONCE", 0)
        return entries

    def test_a_save_stays_saved_and_is_found(self, room: int, entries: list[int], own_index: Path) -> None:
        before = names(own_index)
        rewrite(Entry.objects.get(pk=entries[0]), "墓地の話")
        with full(room):
            try:
                indexing.catch_up()
            except IndexUnusable:
                page = search(SearchRequest(q="山札"))
                assert answered(page) == (entries[1:], ["degraded"])
                assert names(own_index) == before
        assert indexing.verify() == []
        indexing.forget()
        assert entries[0] in found("墓地")
        assert answered(search(SearchRequest(q="山札"))) == (entries[1:], [])
        assert indexed() == stored()

    def test_a_rebuild_that_fails_leaves_the_live_index(self, room: int, entries: list[int], own_index: Path) -> None:
        before = names(own_index)
        with full(room):
            try:
                indexing.rebuild()
            except IndexUnusable:
                assert names(own_index) == before
            assert answered(search(SearchRequest(q="山札"))) == (entries, [])
        assert indexing.verify() == []


@pytest.mark.django_db
def test_in_a_folder_that_is_read_only_the_database_answers_for_what_the_index_lacks(own_index: Path) -> None:
    entries = lived_in()
    with read_only(own_index):
        assert answered(search(SearchRequest(q="山札"))) == (entries, [])
        rewrite(Entry.objects.get(pk=entries[0]), "墓地の話")
        with pytest.raises(IndexUnusable):
            indexing.rebuild()
        assert answered(search(SearchRequest(q="墓地の話")))[0][0] == entries[0]
    indexing.forget()
    assert answered(search(SearchRequest(q="山札"))) == (entries[1:], [])


@pytest.mark.django_db
def test_searches_do_not_try_again_and_again(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = lived_in()
    monkeypatch.setattr(indexing, "AT_ONCE", 0)
    tries: list[str] = []
    catch_up = indexing.catch_up
    monkeypatch.setattr(indexing, "catch_up", lambda wait: tries.append("catch_up") or catch_up(wait))
    rewrite(Entry.objects.get(pk=entries[0]), "墓地の話")
    with full(100):
        for _time in range(3):
            assert answered(search(SearchRequest(q="山札"))) == (entries[1:], ["degraded"])
    assert tries == ["catch_up"]
    monkeypatch.setattr(indexing, "_not_before", {})
    assert answered(search(SearchRequest(q="山札"))) == (entries[1:], [])


@pytest.mark.django_db
def test_what_killed_processes_left_is_cleared_away(own_index: Path) -> None:
    entries = lived_in()
    for number in range(20):
        (own_index / f"gen-{number}").mkdir()
        (own_index / f"gen-{number}" / "MAIN_1.trm").write_bytes(b"?" * 100)
        (own_index / f".CURRENT-{number}").write_text(f"gen-{number}")
    rewrite(Entry.objects.get(pk=entries[0]), "墓地の話")
    indexing.catch_up()
    assert len([path for path in own_index.iterdir() if path.name.startswith(("gen-", "."))]) == 1
    assert answered(search(SearchRequest(q="山札"))) == (entries[1:], [])


@pytest.mark.django_db
class TestAnotherDatabase:
    """A copy of yesterday put back under a site that runs: its changes bear the numbers that the index holds."""

    def test_it_has_as_many_changes(self, own_index: Path) -> None:
        entries = lived_in()
        assert found("山札") == entries
        self.put_back(entries)
        indexing.catch_up()  # as every save does
        assert found("山札") == entries[2:]
        assert indexed() == stored()

    def test_it_has_more_changes(self, own_index: Path) -> None:
        entries = lived_in()
        assert found("山札") == entries
        self.put_back(entries)
        other = make_section("301.1", body="手札")
        record(other)
        assert found("手札") == [other.pk]
        assert found("山札") == entries[2:]
        assert indexed() == stored()

    def put_back(self, entries: list[int]) -> None:
        Change.objects.update(at=timezone.now() - timedelta(days=1))
        for pk in entries[:2]:
            Entry.objects.get(pk=pk).revisions.update(body="墓地")


@pytest.mark.django_db
def test_the_clock_may_go_back(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = lived_in()
    real = indexing.time.time
    monkeypatch.setattr(indexing.time, "time", lambda: real() - 86_400)
    monkeypatch.setattr(indexing.time, "time_ns", lambda: int((real() - 86_400) * 1e9))
    for pk in entries[:3]:
        rewrite(Entry.objects.get(pk=pk), "墓地の話")
        assert pk in found("墓地")
    assert indexing.rebuild() == len(stored())
    assert found("山札") == entries[3:]
    assert indexed() == stored()
    assert indexing.verify() == []

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from rulings.models import Change, Entry
from rulings.search import SearchRequest, generations, indexing, search, whoosh_index
from rulings.search.documents import Headings, documents_of, for_index
from rulings.search.engine import IndexUnusable
from rulings.search.manifest import Manifest
from tests.makers import make_faq, make_section


def record(*entries: Entry, kind: str = "updated") -> None:
    with transaction.atomic():
        Change.objects.record([Change(kind=kind, entry_id=entry.pk) for entry in entries])


def found(q: str) -> list[int]:
    return [hit.entry.pk for hit in search(SearchRequest(q=q)).hits if hit.entry]


def rewrite(entry: Entry, body: str) -> None:
    entry.revisions.update(body=body)
    record(entry)


@pytest.mark.django_db
class TestFollowing:
    def test_catching_up_applies_each_change_once(self) -> None:
        first = make_section("101.1", body="山札")
        record(first, kind="created")
        assert indexing.is_behind()
        indexing.catch_up()
        assert not indexing.is_behind()
        second = make_section("101.2", body="山札")
        record(second)
        assert indexing.catch_up() == 1
        assert indexing.catch_up() == 0
        assert found("山札") == [first.pk, second.pk]

    def test_a_search_catches_up_by_itself(self) -> None:
        entry = make_section("101.1", body="山札")
        record(entry)
        assert found("山札") == [entry.pk]
        rewrite(entry, "墓地")
        assert found("山札") == []
        assert found("墓地") == [entry.pk]

    def test_a_search_never_waits_for_a_writer(self, own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        entry = make_section("101.1", body="山札")
        record(entry)
        assert found("山札") == [entry.pk]
        rewrite(entry, "墓地")
        monkeypatch.setattr(generations.time, "sleep", lambda _seconds: pytest.fail("a search waits"))
        with generations.writing(own_index, 0) as got:  # a build, or another's save
            assert got
            page = search(SearchRequest(q="山札"))
            assert [hit.entry for hit in page.hits] == [entry]  # the answer of a moment ago
            assert page.warnings == []
        assert found("山札") == []
        assert found("墓地") == [entry.pk]

    def test_what_stands_under_a_heading_follows_it(self) -> None:
        heading = make_section("301", level="chapter", title="城", body="")
        rule = make_section("301.1", body="要塞化する", parent=heading)
        record(heading, rule)
        assert found("ウエポン 要塞化") == [rule.pk]
        heading.revisions.update(title="ウエポン")
        record(heading)
        answer = indexing.ready()
        assert answer.doc_count() == 2
        assert rule.pk in found("ウエポン")

    def test_dead_documents_are_dropped_behind_a_search(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(whoosh_index, "WORTH_WHILE", 3)
        monkeypatch.setattr(whoosh_index, "LARGEST_MERGED", 0)  # large segments are not merged with new ones
        monkeypatch.setattr(indexing, "_work_behind", indexing._catch_up_or_rebuild)
        entries = [make_section(f"101.{number}", body="山札") for number in range(1, 9)]
        record(*entries)
        assert len(found("山札")) == 8
        for entry in entries[:4]:
            rewrite(entry, "墓地")
            found("墓地")
        engine = indexing.ready()
        engine.doc_count()
        assert not engine.is_wasteful()
        assert sum(engine._snapshot().dead()) == 0
        assert (len(found("山札")), len(found("墓地"))) == (4, 4)
        assert indexing.verify() == []
        assert not indexing.is_behind()

    def test_a_rebuild_gives_the_answers_of_the_live_index(self) -> None:
        entries = [make_section(f"101.{number}", body=f"山札の話{number}") for number in range(1, 9)]
        record(*entries)
        found("山札")
        for entry in entries[::2]:
            rewrite(entry, "墓地の話")
        live = found("山札"), found("墓地")
        assert indexing.rebuild() == 8
        assert (found("山札"), found("墓地")) == live

    def test_only_one_generation_stays(self, own_index: Path) -> None:
        make_section("101.1", body="山札")
        indexing.rebuild()
        indexing.rebuild()
        assert len(list(own_index.glob("gen-*"))) == 1


def damage_pointer(root: Path) -> None:
    (root / "CURRENT").write_text("gen-nowhere")


def damage_manifest(root: Path) -> None:
    next(root.glob("gen-*/manifest.json")).write_text("{")


def change_manifest(root: Path, **fields: Any) -> None:
    folder = next(root.glob("gen-*"))
    (folder / "manifest.json").write_text(replace(Manifest.read(folder), **fields).to_text())


def scribble_manifest(root: Path) -> None:
    path = next(root.glob("gen-*/manifest.json"))
    path.write_text(path.read_text().replace('"number": ', '"number": 1'))


def other_version(root: Path) -> None:
    change_manifest(root, format="0.1")


def other_database(root: Path) -> None:
    change_manifest(root, number=999)


def same_number_in_another_database(root: Path) -> None:
    Change.objects.update(at=timezone.now())


def empty_files(root: Path) -> None:
    for path in root.glob("gen-*/*"):
        if path.name != "manifest.json":
            path.write_bytes(b"")


def remove_all(root: Path) -> None:
    import shutil

    shutil.rmtree(root)


DAMAGES = [
    damage_pointer,
    damage_manifest,
    scribble_manifest,
    other_version,
    other_database,
    same_number_in_another_database,
    empty_files,
    remove_all,
]


@pytest.mark.django_db
@pytest.mark.parametrize("damage", DAMAGES)
class TestBroken:
    def test_a_small_index_is_built_on_the_spot(self, damage, own_index: Path) -> None:
        entry = make_section("101.1", body="山札")
        record(entry)
        assert found("山札") == [entry.pk]
        damage(own_index)
        indexing.forget()
        page = search(SearchRequest(q="山札"))
        assert [hit.entry for hit in page.hits] == [entry]
        assert page.warnings == []

    def test_meanwhile_the_database_answers(self, damage, own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        entry = make_section("101.1", body="山札")
        record(entry)
        found("山札")
        damage(own_index)
        indexing.forget()
        monkeypatch.setattr(indexing, "repair", lambda: False)
        page = search(SearchRequest(q="山札"))
        assert [hit.entry for hit in page.hits] == [entry]
        assert [warning.code for warning in page.warnings] == ["degraded"]

    def test_catching_up_mends_it(self, damage, own_index: Path) -> None:
        entry = make_section("101.1", body="山札")
        record(entry)
        found("山札")
        damage(own_index)
        indexing.forget()
        record(entry)
        indexing.catch_up()
        assert not indexing.is_behind()
        assert found("山札") == [entry.pk]


@pytest.mark.django_db
def test_an_index_that_cannot_be_had_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = make_faq("山札は？", "引く")

    def refuse(_query: object) -> None:
        raise IndexUnusable("no")

    monkeypatch.setattr(indexing, "ask", refuse)
    page = search(SearchRequest(q="山札"))
    assert [hit.entry.pk for hit in page.hits if hit.entry] == [entry.pk]


@pytest.mark.django_db(transaction=True)
def test_writers_at_once_leave_one_true_index() -> None:
    entries = [make_section(f"101.{number}", body="山札") for number in range(1, 13)]
    record(*entries)
    indexing.rebuild()
    errors: list[BaseException] = []

    def work(mine: list[Entry]) -> None:
        try:
            for entry in mine:
                rewrite(entry, "墓地")
                indexing.catch_up()
        except BaseException as error:  # noqa: BLE001 - told below
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(entries[start::3],)) for start in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(found("墓地")) == 12
    assert not indexing.is_behind()


@pytest.mark.django_db
def test_headings_are_read_level_by_level(django_assert_max_num_queries: Any) -> None:
    for chapter in range(1, 21):
        heading = make_section(f"{100 + chapter}", level="chapter", title=f"章{chapter}", body="")
        make_section(f"{100 + chapter}.1", body="山札", parent=heading)
    ids = list(Entry.objects.values_list("pk", flat=True))
    with django_assert_max_num_queries(12):
        documents = list(documents_of(for_index(ids), Headings()))
    assert len(documents) == 40
    assert sum("章" in document.texts.get("context", "") for document in documents) == 20

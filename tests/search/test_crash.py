"""Killed at any moment, the index loses nothing: it is back at once, and equal to the database.

RULINGS_LONG=1 kills a hundred times and lets writers and readers run for a minute; `make test-long` does.
"""

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import connection, connections

from rulings.models import Entry, Revision
from rulings.search import SearchRequest, generations, indexing, search
from rulings.text.fold import squeeze
from tests.makers import make_section
from tests.search.test_indexing import found, record, rewrite

LONG = bool(os.environ.get("RULINGS_LONG"))
KILLS, SECONDS = (100, 60) if LONG else (4, 4)
BACK_WITHIN = 5.0  # seconds


def indexed() -> dict[int, str]:
    """What the index holds: the body of each entry; each entry once."""
    arrays = indexing.current()[0]._snapshot()  # type: ignore[attr-defined]
    living = np.flatnonzero(arrays.alive).astype(np.int32)
    bodies = (texts["body"] for texts in arrays.texts(living))
    rows = list(zip(arrays.column("entry")[living].tolist(), bodies, strict=True))
    assert len(rows) == len(dict(rows))
    return dict(rows)


def stored() -> dict[int, str]:
    return {entry: squeeze(body).text for entry, body in Revision.objects.values_list("entry", "body")}


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(60 * KILLS)
def test_killed_at_any_moment(own_index: Path, settings: Any) -> None:
    data = own_index.parent / "data"
    settings.INDEX_DIR = data / "index"
    record(*(make_section(f"101.{number}", body=f"山札の話{number}") for number in range(1, 31)))
    indexing.catch_up()
    rng = random.Random(1)
    before = indexing.current()[1]
    for kill in range(KILLS):
        command = [sys.executable, "-m", "tests.search.crashing", connection.settings_dict["NAME"], data, str(kill)]
        with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE) as child:
            assert child.stdout
            assert child.stdout.readline() == b"ready\n"
            time.sleep(rng.uniform(0.05, 1.0))
            child.kill()
        began = time.monotonic()
        indexing.forget()
        some = rng.choice(list(stored().values()))
        page = search(SearchRequest(q=some))
        assert time.monotonic() - began < BACK_WITHIN
        assert page.hits
        assert [warning.code for warning in page.warnings if warning.code == "degraded"] == []
        indexing.catch_up()
        assert indexed() == stored()
        assert indexing.verify() == []
    assert indexing.current()[1] > before + KILLS


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(60 + 3 * SECONDS)
def test_writers_and_readers_at_once(own_index: Path) -> None:
    entries = [make_section(f"101.{number}", body="山札") for number in range(1, 41)]
    record(*entries)
    indexing.catch_up()
    errors: list[BaseException] = []
    until = time.monotonic() + SECONDS
    counts = {"saves": 0, "searches": 0}

    def repeat(name: str, work: Any, *args: Any) -> None:
        try:
            while time.monotonic() < until:
                work(*args)
                counts[name] += 1
        except BaseException as error:  # noqa: BLE001 - told below
            errors.append(error)
        finally:
            connections.close_all()

    def save(mine: list[Entry], rng: random.Random) -> None:
        rewrite(rng.choice(mine), f"墓地{rng.randrange(10**6)}")
        indexing.catch_up()

    def read() -> None:
        page = search(SearchRequest(q="山札"))
        assert [warning.code for warning in page.warnings] == []

    threads = [
        threading.Thread(target=repeat, args=("saves", save, entries[at::4], random.Random(at))) for at in range(4)
    ]
    threads += [threading.Thread(target=repeat, args=("searches", read)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert counts["saves"] > 4
    assert counts["searches"] > 8
    indexing.catch_up()
    assert indexed() == stored()
    last = entries[0]
    rewrite(last, "最後の墓地")
    began = time.monotonic()
    indexing.catch_up()
    assert found("最後の墓地")[0] == last.pk
    assert time.monotonic() - began < (1.0 if LONG else 3.0)  # a busy machine is slower than the promise


@pytest.mark.django_db
def test_another_analysis_is_built_beside_the_live_index(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = make_section("101.1", body="山札")
    record(entry)
    indexing.catch_up()
    old = generations.current_folder(own_index)
    monkeypatch.setattr(generations, "FORMAT", f"{generations.FORMAT}1")
    indexing.forget()
    asked = threading.Event()
    with monkeypatch.context() as patched:
        patched.setattr(indexing, "AT_ONCE", 0)
        patched.setattr(indexing, "_work_behind", asked.set)
        page = search(SearchRequest(q="山札"))
        assert [hit.entry for hit in page.hits] == [entry]
        assert page.warnings == []
        assert generations.current_folder(own_index) == old
    assert asked.is_set()
    assert indexing.is_behind()
    indexing.catch_up()
    assert generations.current_folder(own_index) != old
    assert not indexing.is_behind()
    assert found("山札") == [entry.pk]


@pytest.mark.django_db(transaction=True)
def test_another_analysis_under_load_is_no_downtime(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "AT_ONCE", 0)
    record(*(make_section(f"101.{number}", body=f"山札の話{number}") for number in range(1, 31)))
    indexing.catch_up()
    assert len(found("山札")) > 1
    old, stop = generations.current_folder(own_index), threading.Event()
    seen: list[tuple[int, list[str]]] = []
    errors: list[BaseException] = []

    def read() -> None:
        try:
            while not stop.is_set():
                page = search(SearchRequest(q="山札"))
                seen.append((page.count, [warning.code for warning in page.warnings]))
        except BaseException as error:  # noqa: BLE001 - told below
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        monkeypatch.setattr(generations, "FORMAT", f"{generations.FORMAT}1")
        end = time.monotonic() + 60
        while indexing.is_behind() and time.monotonic() < end:
            time.sleep(0.01)
        before, end = len(seen), time.monotonic() + 60
        while len(seen) < before + 8 and not errors and time.monotonic() < end:
            time.sleep(0.01)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert errors == []
    assert set(map(repr, seen)) == {repr((30, []))}
    assert generations.current_folder(own_index) != old
    assert not indexing.is_behind()
    assert indexed() == stored()

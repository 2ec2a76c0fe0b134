"""Mapped arrays: read as written, and given back before a process holds much of their files."""

import os
from pathlib import Path

import numpy as np
import pytest

from rulings.search import SearchRequest, search, sidecar
from tests.makers import make_section

SIZE = 32 << 20  # bytes


@pytest.fixture
def relief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sidecar, "_relief", sidecar._Relief())
    monkeypatch.setattr(sidecar, "MOST_MAPPED", SIZE // 2)


@pytest.mark.usefixtures("relief")
def test_pages_of_a_mapped_file_are_given_back_and_read_again(tmp_path: Path) -> None:
    sidecar.write(tmp_path / "arrays", {"numbers": np.arange(SIZE // 8)})
    numbers = sidecar.read(tmp_path / "arrays")["numbers"]
    sidecar.relieve()
    total, before = int(numbers.sum()), sidecar._mapped()
    sidecar.relieve()
    assert sidecar._mapped() < before - SIZE // 2
    assert int(numbers.sum()) == total == SIZE // 8 * (SIZE // 8 - 1) // 2


@pytest.mark.usefixtures("relief")
def test_what_the_first_search_mapped_is_given_back(tmp_path: Path) -> None:
    sidecar.write(tmp_path / "arrays", {"numbers": np.arange(SIZE // 8)})
    numbers = sidecar.read(tmp_path / "arrays")["numbers"]
    numbers.sum()
    before = sidecar._mapped()
    sidecar.relieve()
    assert sidecar._mapped() < before - SIZE // 2


@pytest.mark.usefixtures("relief")
def test_a_few_pages_are_kept(tmp_path: Path) -> None:
    sidecar.write(tmp_path / "arrays", {"numbers": np.arange(SIZE // 32)})
    numbers = sidecar.read(tmp_path / "arrays")["numbers"]
    sidecar.relieve()
    numbers.sum()
    before = sidecar._mapped()
    sidecar.relieve()
    assert sidecar._mapped() >= before


@pytest.mark.usefixtures("relief")
def test_where_nothing_tells_what_is_mapped_all_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sidecar, "_mapped", lambda: 0)
    sidecar.write(tmp_path / "arrays", {"numbers": np.arange(8)})
    numbers = sidecar.read(tmp_path / "arrays")["numbers"]
    sidecar.relieve()
    sidecar.relieve()
    assert numbers.tolist() == list(range(8))


@pytest.mark.django_db
def test_a_search_looks_whether_pages_are_to_be_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    make_section("101.1", body="墓地の話。")
    looks: list[int] = []
    monkeypatch.setattr(sidecar, "relieve", lambda: looks.append(1))
    assert search(SearchRequest(q="墓地")).count == 1
    assert looks


def test_a_piece_is_read_as_it_was_written(tmp_path: Path) -> None:
    sidecar.write(tmp_path / "arrays", {"numbers": np.arange(9), "texts": np.frombuffer(b"abcdef", np.uint8)})
    mapped = sidecar.read(tmp_path / "arrays")
    assert mapped.piece("texts", 2, 5) == b"cde"
    assert mapped.piece("texts", 3, 3) == b""


def test_a_piece_of_a_file_that_was_cut_short_is_told(tmp_path: Path) -> None:
    sidecar.write(tmp_path / "arrays", {"texts": np.frombuffer(b"x" * 100, np.uint8)})
    mapped = sidecar.read(tmp_path / "arrays")
    os.truncate(tmp_path / "arrays", 150)
    with pytest.raises(sidecar.NotASidecar):
        mapped.piece("texts", 0, 100)

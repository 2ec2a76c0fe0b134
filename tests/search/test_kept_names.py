"""The names in a file beside the index: the same as from the database, or not used."""

from pathlib import Path

import pytest

from rulings.models import Change, ChangeKind
from rulings.search import kept_names, names
from rulings.search.matching import match
from rulings.text.fold import fold_key
from tests.makers import make_card, make_section

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def kept(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Names that were read once, kept, and are in no process's memory."""
    monkeypatch.setattr(names, "WARMED", 0)
    monkeypatch.setattr(names, "start", lambda work: work())
    for name in ("デーモン・ハンド", "大迷宮亀 ワンダー・タートル", "零龍"):
        make_card(name, official_id="4027" if name == "零龍" else "")
    make_section("101.1", body="墓地の話。")
    names.table()
    names.forget()
    return own_index / kept_names.NAME


def no_database() -> None:
    raise AssertionError("read from the database")


@pytest.mark.parametrize("query", ["デモハン", "零龍", "だいめいきゅうがめ", "ワンダータートル", "デーモンハンド"])
def test_a_new_process_starts_with_what_was_kept(query: str, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = kept.read_bytes()
    kept.unlink()
    expected = match(fold_key(query), names.table())
    assert expected
    names.forget()
    kept.write_bytes(content)
    monkeypatch.setattr(names, "_fresh", no_database)
    table = names.table()
    assert match(fold_key(query), table) == expected
    assert table.is_vocabulary(fold_key("墓地"))
    assert list(table.numbers.values()) == [4027]


def test_after_a_change_of_a_card_it_is_not_used(kept: Path) -> None:
    card = make_card("新しい龍")
    Change.objects.record([Change(kind=ChangeKind.CREATED, card=card)])
    assert fold_key("新しい龍") in names.table().exact


@pytest.mark.parametrize("damage", [b"", b"x" * 100, None])
def test_damaged_it_is_not_used(kept: Path, damage: bytes | None) -> None:
    content = bytearray(kept.read_bytes())
    content[len(content) // 2] ^= 0x55
    kept.write_bytes(bytes(content) if damage is None else damage)
    assert fold_key("零龍") in names.table().exact


def test_where_it_cannot_be_written_the_names_are_still_known(
    kept: Path, tmp_path: Path, settings: pytest.FixtureRequest
) -> None:
    kept.unlink()
    blocked = tmp_path / "a file"
    blocked.write_text("no folder")
    settings.INDEX_DIR = blocked
    assert fold_key("零龍") in names.table().exact

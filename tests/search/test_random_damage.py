"""Damage at random places of random files: told, answered meanwhile, mended behind, equal to the database afterwards.

RULINGS_LONG=1 damages hundreds of times; `make test-long` does.
"""

import random
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from rulings.models import Entry
from rulings.search import SearchRequest, indexing, kept_names, names, search, tokens
from rulings.services.checks import check_content
from tests.makers import make_card, make_section
from tests.search.test_crash import LONG, indexed, stored
from tests.search.test_damage import close, flip, keep, lived_in, restore, told
from tests.search.test_indexing import (
    damage_manifest,
    damage_pointer,
    empty_files,
    found,
    record,
    remove_all,
    rewrite,
)
from tests.search.unprivileged import held_by_permissions

ROUNDS = 40 if LONG else 2  # of each kind of damage
UNTOLD = (tokens.NAME, kept_names.NAME)  # each row or file proves itself where it is used
Damage = Callable[[Path, random.Random, list[Path]], None]


def scatter(path: Path, rng: random.Random, _others: list[Path]) -> None:
    content = bytearray(path.read_bytes())
    for at in rng.sample(range(len(content)), min(len(content), rng.randint(1, 9))):
        content[at] ^= rng.randint(1, 255)
    path.write_bytes(content)


def blank(path: Path, rng: random.Random, _others: list[Path]) -> None:
    content = bytearray(path.read_bytes())
    start = rng.randrange(len(content))
    content[start : start + 4096] = bytes(len(content[start : start + 4096])) or b"\0"
    path.write_bytes(content if content != path.read_bytes() else content + b"\0")


def cut_somewhere(path: Path, rng: random.Random, _others: list[Path]) -> None:
    path.write_bytes(path.read_bytes()[: rng.randrange(path.stat().st_size)])


def add_garbage(path: Path, rng: random.Random, _others: list[Path]) -> None:
    with path.open("ab") as file:
        file.write(rng.randbytes(rng.randint(1, 5_000)))


def swap(path: Path, rng: random.Random, others: list[Path]) -> None:
    content = path.read_bytes()
    other = rng.choice([one for one in others if one.read_bytes() != content])
    path.write_bytes(other.read_bytes())
    other.write_bytes(content)


def put_a_folder(path: Path, rng: random.Random, _others: list[Path]) -> None:
    path.unlink()
    path.mkdir()
    if rng.random() < 0.5:
        (path / "something").write_bytes(b"?")


def lock_away(path: Path, _rng: random.Random, _others: list[Path]) -> None:
    path.chmod(0)


def remove(path: Path, _rng: random.Random, _others: list[Path]) -> None:
    path.unlink()


DAMAGES: list[Damage] = [scatter, blank, cut_somewhere, add_garbage, swap, put_a_folder, lock_away, remove]


def everything(root: Path) -> list[Path]:
    return [path for path in sorted(root.rglob("*")) if path.is_file()]


def is_told(path: Path) -> bool:
    """Whether damage to this file must be told: not to locks, and not to what proves itself where it is used."""
    return "LOCK" not in path.name.upper() and not path.name.startswith(UNTOLD)


def mended_behind() -> None:
    """Have what a search asked for done in the background, as on the site."""
    for thread in threading.enumerate():
        if thread.name in ("index-verify", "index-repair"):
            thread.join(30)


@pytest.fixture
def large(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index that is mended behind, of all kinds of files."""
    monkeypatch.setattr(names, "WARMED", 0)
    monkeypatch.setattr(names, "start", lambda work: work())
    make_card("沈む塔")
    names.table()
    lived_in()
    monkeypatch.setattr(indexing, "AT_ONCE", 0)
    assert found("山札")
    assert {path.name for path in everything(own_index)} > {tokens.NAME, kept_names.NAME, "CURRENT", "write.lock"}
    return own_index


def check_told(expected: list[int]) -> None:
    """Told by a comparison; then a search says so, the page of the state too, and the answer is right."""
    assert told()
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patched:
        patched.setattr(indexing, "_work_behind", lambda: None)
        page = search(SearchRequest(q="山札"))
        assert [hit.entry.pk for hit in page.hits if hit.entry] == expected
        assert [warning.code for warning in page.warnings] == ["degraded"]
        assert "index_unusable" in {finding.code for finding in check_content()}


def check_mended(expected: list[int]) -> None:
    found("山札")
    mended_behind()
    page = search(SearchRequest(q="山札"))
    assert [hit.entry.pk for hit in page.hits if hit.entry] == expected
    assert page.warnings == []
    assert indexed() == stored()
    assert not told()


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(60 * ROUNDS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_anywhere(damage: Damage, large: Path) -> None:
    expected, rng = found("山札"), random.Random(damage.__name__)
    kept = keep(large)
    paths = [path.relative_to(large) for path in everything(large) if path.stat().st_size]
    for place in rng.choices(paths, k=ROUNDS) + [path for path in paths if not str(path).startswith("gen-")]:
        restore(large, kept)
        others = [large / one for one in paths if one != place and is_told(large / one) == is_told(large / place)]
        damage(large / place, rng, others)
        names.forget()
        with held_by_permissions():
            if is_told(large / place):
                check_told(expected)
            close()
            check_mended(expected)
            indexing.rebuild()  # with what is kept, whatever it says now
            check_mended(expected)
            assert search(SearchRequest(q="沈む塔")).reading.kind == "card"
        assert not list(large.glob("names.bin.*")) + list(large.glob(".*"))


@pytest.mark.django_db(transaction=True)
def test_files_of_an_earlier_state(large: Path) -> None:
    older = keep(large)
    for number, body in ((201, "山札の話の続き"), (202, "墓地の話")):
        entry = make_section(f"{number}.1", body=body)
        record(entry)
        indexing.catch_up()
    make_card("登る塔")
    names.forget()
    names.table()
    rewrite(entry, "山札に戻る話")
    indexing.catch_up()
    expected, newer = found("山札"), shutil.copytree(large, large.with_name("newer"))
    assert entry.pk in expected
    for old in everything(older):
        name = old.relative_to(older)
        restore(large, newer)
        shutil.copyfile(old, large / name)
        names.forget()
        check_mended(expected)
        assert search(SearchRequest(q="登る塔")).reading.kind == "card", name


@pytest.mark.django_db(transaction=True)
def test_files_that_nobody_expects(large: Path) -> None:
    expected, kept, rng = found("山札"), keep(large), random.Random(4)
    folder = next(large.glob("gen-*"))
    tables = [path.name for path in folder.glob("*.toc")]
    for name in ("_MAIN_99.toc", "MAIN_zzzzzzzzzzzzzzzz.arr", "x", *(f"{name}.new" for name in tables)):
        restore(large, kept)
        (folder / name).write_bytes(rng.randbytes(500))
        (large / name).write_bytes(b"?")
        (large / "gen-of-a-crash").mkdir(exist_ok=True)
        check_mended(expected)
        rewrite(Entry.objects.get(pk=expected[0]), "山札の上")
        check_mended(expected)


@pytest.mark.django_db(transaction=True)
def test_damage_that_cannot_be_marked_is_remembered(large: Path) -> None:
    expected = found("山札")
    folder = next(large.glob("gen-*"))
    path = next(folder.glob("*.arr"))
    flip(path)
    for one in (folder, large):
        one.chmod(0o500)
    with held_by_permissions():
        check_told(expected)
        mended_behind()
        page = search(SearchRequest(q="山札"))
        assert [warning.code for warning in page.warnings] == ["degraded"]
        mended_behind()  # which fails here, and has searches rest a while
    for one in (folder, large):
        one.chmod(0o700)
    indexing.forget()  # that writing failed a moment ago
    check_mended(expected)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("damage", [damage_pointer, damage_manifest, remove_all, empty_files])
def test_damage_under_a_site_that_serves(damage: Callable[[Path], None], large: Path) -> None:
    expected = found("山札")  # open, and not opened anew for being told to
    damage(large)
    page = search(SearchRequest(q="山札"))
    assert [hit.entry.pk for hit in page.hits if hit.entry] == expected
    assert [warning.code for warning in page.warnings] == ["degraded"]
    mended_behind()
    check_mended(expected)

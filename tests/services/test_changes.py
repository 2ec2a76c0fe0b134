"""Change numbers: gapless and strictly increasing, also when two writers commit at once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import transaction

from rulings.models import Change, ChangeKind
from rulings.services import changes as changes_module
from rulings.services.changes import ChangeLog
from tests.makers import make_card, make_section

ROOT = Path(__file__).resolve().parents[2]
WRITER = """
import os, random, sys, time
import django
os.environ["DJANGO_SETTINGS_MODULE"] = "rulings.settings"
django.setup()
from django.db import transaction
from rulings.models import Card, Change, Game
seed = int(sys.argv[1])
random.seed(seed)
game = Game.objects.get_or_create(slug="dm", defaults={"name": "試験"})[0]
for turn in range(25):
    try:
        with transaction.atomic():
            cards = [Card.objects.create(game=game, name=f"{seed}-{turn}-{n}") for n in range(random.randint(1, 4))]
            time.sleep(random.random() / 300)
            Change.objects.record([Change(kind="created", card=card) for card in cards])
            if random.random() < 0.3:
                raise ArithmeticError
    except ArithmeticError:
        pass
"""
COUNT = """
import os
import django
os.environ["DJANGO_SETTINGS_MODULE"] = "rulings.settings"
django.setup()
from rulings.models import Card, Change
numbers = list(Change.objects.order_by("number").values_list("number", flat=True))
assert numbers == list(range(1, Card.objects.count() + 1)), numbers
print(len(numbers))
"""


@pytest.mark.django_db
def test_each_thing_is_recorded_once() -> None:
    log = ChangeLog()
    section, other, card = make_section("101.1"), make_section("101.2"), make_card()
    log.updated(section, card)
    log.created(section)
    log.updated(section)
    log.created(other)
    log.ended(other)
    with transaction.atomic():
        log.record()
    assert list(Change.objects.values_list("number", "kind", "entry", "card")) == [
        (1, ChangeKind.UPDATED, None, card.pk),
        (2, ChangeKind.CREATED, section.pk, None),
        (3, ChangeKind.ENDED, other.pk, None),
    ]


@pytest.mark.django_db
def test_nothing_touched_nothing_recorded() -> None:
    assert ChangeLog().record() == []
    assert not Change.objects.exists()


@pytest.mark.django_db
def test_a_rollback_leaves_no_gap() -> None:
    def write(fail: bool) -> None:
        with transaction.atomic():
            log = ChangeLog()
            log.created(make_card(f"札{Change.objects.count()}{fail}"))
            log.record()
            if fail:
                raise ArithmeticError

    write(fail=False)
    with pytest.raises(ArithmeticError):
        write(fail=True)
    write(fail=False)
    assert list(Change.objects.values_list("number", flat=True)) == [1, 2]


@pytest.mark.django_db
def test_a_broken_index_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: object, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> int:
        raise OSError("disk full")

    monkeypatch.setattr(changes_module, "catch_up", fail)
    warnings: list[str] = []
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():  # type: ignore[operator]
        log = ChangeLog()
        log.created(make_card())
        log.record(warnings.append)
    assert Change.objects.count() == 1
    assert "rebuild_index" in warnings[0]
    assert "disk full" in caplog.text


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    env = os.environ | {"RULINGS_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "rulings.settings"}
    env.pop("DATABASE_URL", None)
    manage = [sys.executable, "manage.py"]
    subprocess.run([*manage, "migrate", "-v0"], cwd=ROOT, env=env, check=True)
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(seed)], cwd=ROOT, env=env) for seed in (1, 2, 3)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    done = subprocess.run([sys.executable, "-c", COUNT], cwd=ROOT, env=env, check=True, capture_output=True, text=True)
    assert int(done.stdout.strip()) > 60

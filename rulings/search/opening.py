"""The index in use, opened once it is seen to be of this database and its files as long as they were written."""

import threading
from pathlib import Path

from django.conf import settings

from rulings.models import Change
from rulings.search import generations, manifest
from rulings.search.engine import Engine, IndexUnusable
from rulings.search.whoosh_index import open_engine

_opened: dict[Path, Engine] = {}
_checked: dict[Path, str] = {}  # generation → the mark up to which it was compared with database and files
_opening = threading.Lock()


def root() -> Path:
    """Return the folder of the index."""
    return Path(settings.INDEX_DIR)


def current() -> tuple[Engine, int]:
    """Return the engine in use and the last change it holds; raise IndexUnusable where there is none."""
    folder = generations.current_folder(root())
    found = generations.read_manifest(folder)
    if _checked.get(folder) != found.mark:
        if found.mark != mark_of(found.number):
            raise IndexUnusable(f"{folder}: built from another database")
        if wrong := manifest.wrong_sizes(folder, found):
            raise IndexUnusable(f"{folder}: not as they were written: {', '.join(wrong)}")
        _checked[folder] = found.mark
    with _opening:
        if folder not in _opened:
            engine = open_engine(folder)
            for other in [path for path in _opened if not path.exists()]:
                del _opened[other]
                _checked.pop(other, None)
            _opened[folder] = engine
        return _opened[folder], found.number


def is_stale() -> bool:
    """Whether the index in use was analysed in another way."""
    return generations.is_stale(generations.read_manifest(generations.current_folder(root())))


def mark_of(number: int) -> str:
    """Return what tells the change `number` of this database from that of another."""
    at = Change.objects.filter(number=number).values_list("at", flat=True).first()
    return f"{number} {at.isoformat() if at else 'none'}"


def forget() -> None:
    """Close what is open; the next use opens anew."""
    with _opening:
        _opened.clear()
        _checked.clear()


def doubt() -> None:
    """Have what is open compared anew: another database may have come under it meanwhile, restored from a copy."""
    _checked.clear()

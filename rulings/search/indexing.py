"""The index follows the change log: after a commit, before a search, and from nothing when it is unusable."""

import logging
import threading
import time
from pathlib import Path

from django.conf import settings
from django.db import connections

from rulings.models import Change, Entry
from rulings.search import generations
from rulings.search.documents import Headings, documents_of, for_index, touched_by
from rulings.search.engine import Engine, IndexUnusable
from rulings.search.whoosh_index import open_engine

logger = logging.getLogger(__name__)

WAIT = 2.0  # seconds for the write lock, after which the other writer may do the work
WAIT_FOR_REBUILD = 120.0
AT_ONCE = 300  # entries: an index of so few is built on the spot when it is missing
BATCH = 1_000  # changes applied in one commit

_opened: dict[Path, Engine] = {}
_opening = threading.Lock()
_repair = threading.Lock()


def _root() -> Path:
    return Path(settings.INDEX_DIR)


def current() -> tuple[Engine, int]:
    """Return the engine in use and the last change it holds; raise IndexUnusable where there is none."""
    folder = generations.current_folder(_root())
    number = generations.read_number(folder)
    with _opening:
        if folder not in _opened:
            engine = open_engine(folder)
            for other in [path for path in _opened if not path.exists()]:
                del _opened[other]
            _opened[folder] = engine
        return _opened[folder], number


def forget() -> None:
    """Close what is open; the next use opens anew."""
    with _opening:
        _opened.clear()


def is_behind() -> bool:
    """Whether the change log has changes that the index does not hold, or there is no index."""
    try:
        return current()[1] != Change.objects.latest_number()
    except IndexUnusable:
        return True


def catch_up() -> int:
    """Apply the changes that the index does not hold yet; return how many were applied.

    When another writer is at it and does not finish soon, the work is left to it: it applies these changes too.
    """
    with generations.writing(_root(), WAIT) as got:
        return _catch_up() if got else 0


def _catch_up() -> int:
    try:
        engine, number = current()
        latest = Change.objects.latest_number()
        if number > latest:
            raise IndexUnusable(f"the index holds change {number}, the log ends at {latest}")
        applied = 0
        while number < latest:
            number, count = _apply(engine, number)
            applied += count
            latest = Change.objects.latest_number()
        return applied
    except IndexUnusable as error:
        logger.warning("index rebuilt: %s", error)
        return _rebuild()


def _apply(engine: Engine, number: int) -> tuple[int, int]:
    """Apply the next changes; return the last number applied and how many there were."""
    rows = list(Change.objects.filter(number__gt=number).order_by("number").values_list("number", "entry")[:BATCH])
    changed = touched_by({entry for _number, entry in rows if entry})
    began = time.time()
    if changed:
        engine.update(sorted(changed), documents_of(for_index(changed), Headings()))
    folder = generations.current_folder(_root())
    generations.sync(folder, began)
    generations.write_number(folder, rows[-1][0])
    return rows[-1][0], len(rows)


def rebuild() -> int:
    """Build the index anew beside the live one and swap; return how many documents it holds."""
    with generations.writing(_root(), WAIT_FOR_REBUILD) as got:
        if not got:
            raise IndexUnusable("another process holds the index")
        return _rebuild()


def _rebuild() -> int:
    number = Change.objects.latest_number()
    folder = generations.new_folder(_root())
    ids = list(Entry.objects.values_list("pk", flat=True))
    engine = open_engine(folder, create=True)
    count = engine.build(documents_of(for_index(ids), Headings()))
    if open_engine(folder).doc_count() != count:
        raise IndexUnusable(f"{folder}: written and read counts differ")
    generations.write_number(folder, number)
    generations.put_in_use(_root(), folder)
    forget()
    logger.info("index built: %d documents, change %d", count, number)
    return count


def ready() -> Engine:
    """Return an engine for a search, brought up to date where that is quick.

    Raises IndexUnusable while the index is being built; a small one is built on the spot, another in the background.
    """
    try:
        engine, number = current()
        latest = Change.objects.latest_number()
        if number < latest:
            catch_up()
        elif number > latest:
            raise IndexUnusable("the index belongs to another database")
        return current()[0] if number != latest else engine
    except IndexUnusable:
        if not repair():
            raise
        return current()[0]


def repair() -> bool:
    """Have the index rebuilt; return whether it is ready now."""
    forget()
    if Entry.objects.count() <= AT_ONCE:
        with generations.writing(_root(), WAIT) as got:
            if got:
                _rebuild()
            return got
    if _repair.acquire(blocking=False):
        threading.Thread(target=_repair_behind, name="index-repair", daemon=True).start()
    return False


def _repair_behind() -> None:
    try:
        with generations.writing(_root(), 0) as got:
            if got:
                _catch_up_or_rebuild()
    except Exception:
        logger.exception("index not rebuilt")
    finally:
        connections.close_all()
        _repair.release()


def _catch_up_or_rebuild() -> None:
    try:
        engine, _number = current()
        engine.doc_count()
    except IndexUnusable:
        _rebuild()
    else:
        _catch_up()

"""The index follows the change log: after a commit, before a search, and from nothing when it is unusable."""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from django.db import connections

from rulings.models import Change, Entry
from rulings.search import generations, manifest
from rulings.search.documents import Headings, documents_of, for_index, touched_by
from rulings.search.engine import Engine, EngineFailedError, IndexMissing, IndexUnusable
from rulings.search.tokens import TokenStore
from rulings.search.whoosh_index import open_engine

logger = logging.getLogger(__name__)

WAIT = 2.0  # seconds for the write lock, after which the other writer may do the work
WAIT_FOR_REBUILD = 120.0
INLINE = 200  # changes that a search applies itself; more are left to the background
AT_ONCE = 300  # entries: an index of so few is built on the spot when it is missing
BATCH = 1_000  # changes applied in one commit
VERIFY_EVERY = 600.0  # seconds between two comparisons of all files with their checksums, in each process

T = TypeVar("T")

_opened: dict[Path, Engine] = {}
_checked: dict[Path, str] = {}  # generation → the mark up to which it was compared with database and files
_opening = threading.Lock()
_repair = threading.Lock()
_verifying = threading.Lock()
_next_check = [0.0]  # on the monotonic clock
_next_blame = [0.0]  # when an error of the engine has the files compared again


def _root() -> Path:
    return Path(settings.INDEX_DIR)


def current() -> tuple[Engine, int]:
    """Return the engine in use and the last change it holds; raise IndexUnusable where there is none."""
    folder = generations.current_folder(_root())
    found = generations.read_manifest(folder)
    if _checked.get(folder) != found.mark:
        if found.mark != _mark(found.number):
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


def _is_stale() -> bool:
    return generations.is_stale(generations.read_manifest(generations.current_folder(_root())))


def _mark(number: int) -> str:
    """Return what tells the change `number` of this database from that of another."""
    at = Change.objects.filter(number=number).values_list("at", flat=True).first()
    return f"{number} {at.isoformat() if at else 'none'}"


def forget() -> None:
    """Close what is open; the next use opens anew."""
    with _opening:
        _opened.clear()
        _checked.clear()
        _next_blame[0] = 0.0


def is_behind() -> bool:
    """Whether the change log has changes that the index does not hold, or there is no index."""
    try:
        return current()[1] != Change.objects.latest_number() or _is_stale()
    except IndexUnusable:
        return True


def catch_up(wait: float = WAIT) -> int:
    """Apply the changes that the index does not hold yet; return how many were applied.

    When another writer is at it and does not finish soon, the work is left to it: it applies these changes too.
    """
    with generations.writing(_root(), wait) as got:
        return _catch_up() if got else 0


def _catch_up() -> int:
    try:
        engine, number = current()
        if _is_stale():
            raise IndexUnusable("another version of the analysis")
        latest = Change.objects.latest_number()
        if number > latest:
            raise IndexUnusable(f"the index holds change {number}, the log ends at {latest}")
        applied = 0
        while number < latest:
            number, count = _apply(engine, number)
            applied += count
            latest = Change.objects.latest_number()
        return applied
    except IndexMissing:  # the first build of all
        return _rebuild()
    except IndexUnusable as error:
        logger.warning("検索索引を作り直します: %s", error)
        return _rebuild()


def _apply(engine: Engine, number: int) -> tuple[int, int]:
    """Apply the next changes; return the last number applied and how many there were."""
    rows = list(Change.objects.filter(number__gt=number).order_by("number").values_list("number", "entry")[:BATCH])
    changed = touched_by({entry for _number, entry in rows if entry})
    began = time.time()
    if changed:
        with TokenStore(_root()) as store:
            engine.update(sorted(changed), documents_of(for_index(changed), Headings(), store))
    generations.note(generations.current_folder(_root()), began, rows[-1][0], _mark(rows[-1][0]))
    return rows[-1][0], len(rows)


def rebuild() -> int:
    """Build the index anew beside the live one and swap; return how many documents it holds."""
    with generations.writing(_root(), WAIT_FOR_REBUILD) as got:
        if not got:
            raise IndexUnusable("ほかの処理が索引を書いています。")
        return _rebuild()


def _rebuild() -> int:
    number = Change.objects.latest_number()
    folder = generations.new_folder(_root())
    ids = list(Entry.objects.values_list("pk", flat=True))
    engine = open_engine(folder, create=True)
    with TokenStore(_root()) as store:
        count = engine.build(documents_of(for_index(ids), Headings(), store))
    if open_engine(folder).doc_count() != count:
        raise IndexUnusable(f"{folder}: written and read counts differ")
    generations.write_manifest(folder, number, _mark(number))
    generations.put_in_use(_root(), folder)
    forget()
    logger.info("検索索引を作りました（%d件、変更番号 %d まで）。", count, number)
    return count


def ask(question: Callable[[Engine], T]) -> T:
    """Return what `question` asks of the index, brought up to date where that is quick; it may be asked again.

    Raise IndexUnusable while the index is being built.
    """
    try:
        return _asked(question)
    except EngineFailedError:
        raise
    except IndexUnusable as error:
        logger.warning("検索索引を開き直します: %s", error)
        forget()
    try:
        return _asked(question)  # another process has swapped it
    except EngineFailedError:
        raise
    except IndexUnusable:
        if not repair():
            raise
        return _asked(question)


def _asked(question: Callable[[Engine], T]) -> T:
    """Ask the engine; what it raises is a fault of the index where a file is damaged, else one of the program."""
    engine = ready()
    try:
        return question(engine)
    except IndexUnusable:
        raise
    except Exception as error:
        if _verified_lately() or not verify():
            logger.exception("検索の誤りです（索引は壊れていません）。")
            if settings.SEARCH_ERRORS_RAISE:
                raise
            raise EngineFailedError(repr(error)) from error
        raise IndexUnusable(repr(error)) from error


def _verified_lately() -> bool:
    """Whether an error had the files compared a short while ago: a query that fails again must not read them again."""
    now = time.monotonic()
    if now < _next_blame[0]:
        return True
    _next_blame[0] = now + VERIFY_EVERY
    return False


def ready() -> Engine:
    """Return the engine in use, brought up to date where that is quick."""
    try:
        engine, number = current()
        lag = Change.objects.latest_number() - number
        if lag < 0:
            raise IndexUnusable("the index holds more changes than the log")
        if _is_stale():
            if Entry.objects.count() <= AT_ONCE and repair():
                return current()[0]
            _work_behind()
        elif 0 < lag <= INLINE:
            catch_up(0)  # where another writes, that one takes these changes too
        elif lag or engine.is_wasteful():
            _work_behind()
        _verify_now_and_then()
        return current()[0] if lag else engine
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
    _work_behind()
    return False


def verify() -> list[str]:
    """Compare every file of the index with its checksum; return those damaged, the generation then out of use.

    Raises IndexUnusable where there is no index to compare.
    """
    folder = generations.current_folder(_root())
    wrong = list(manifest.damaged(folder, generations.read_manifest(folder)))
    if wrong:
        logger.error("検索索引のファイルが壊れています: %s", ", ".join(wrong))
        generations.condemn(folder, "\n".join(wrong))
        forget()
    return wrong


def _verify_now_and_then() -> None:
    """Have the files compared in the background when that was long ago."""
    if time.monotonic() >= _next_check[0] and _verifying.acquire(blocking=False):
        _next_check[0] = time.monotonic() + VERIFY_EVERY
        threading.Thread(target=_verify_behind, name="index-verify", daemon=True).start()


def _verify_behind() -> None:
    try:
        if verify():
            _work_behind()
    except IndexUnusable as error:
        logger.warning("検索索引を確かめられません: %s", error)
    except Exception:
        logger.exception("検索索引を確かめられません。")
    finally:
        _verifying.release()


def _work_behind() -> None:
    """Have the index caught up or rebuilt in the background, once at a time."""
    if _repair.acquire(blocking=False):
        threading.Thread(target=_repair_behind, name="index-repair", daemon=True).start()


def _repair_behind() -> None:
    try:
        with generations.writing(_root(), 0) as got:
            if got:
                _catch_up_or_rebuild()
    except IndexUnusable as error:
        logger.error("検索索引を作り直せません: %s", error)
    except Exception:
        logger.exception("検索索引を作り直せません。")
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
        _tidy()


def _tidy() -> None:
    """Drop documents that were replaced where they have become many; saves wait meanwhile, searches do not."""

    engine, number = current()
    began = time.time()
    if dropped := engine.tidy():
        generations.note(generations.current_folder(_root()), began, number, _mark(number))
        logger.info("検索索引から古い文面 %d 件を除きました。", dropped)

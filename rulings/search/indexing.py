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
from rulings.search import applying, generations, manifest, opening, sidecar
from rulings.search.engine import Engine, EngineFailedError, IndexNotWritable, IndexUnusable
from rulings.search.opening import current, is_stale, root

logger = logging.getLogger(__name__)

WAIT = 2.0  # seconds for the write lock, after which the other writer may do the work
WAIT_FOR_REBUILD = 120.0
INLINE = 200  # changes that a search applies itself; more are left to the background
AT_ONCE = 300  # entries: an index of so few is built on the spot when it is missing
REST = 30.0  # seconds after writing failed in which no search tries again; a save does
VERIFY_EVERY = 600.0  # seconds between two comparisons of all files with their checksums, in each process

T = TypeVar("T")

_repair = threading.Lock()
_verifying = threading.Lock()
_next_check = [0.0]  # on the monotonic clock
_not_before: dict[Path, float] = {}  # when a search may write again, by the folder of the index
_next_blame = [0.0]  # when an error of the engine has the files compared again


def forget() -> None:
    """Close what is open, and forget what failed."""
    _reopen()
    _not_before.clear()


def _reopen() -> None:
    opening.forget()
    _next_blame[0] = 0.0


def is_unusable() -> bool:
    """Whether the database has to answer until the index is built anew."""
    try:
        current()
    except IndexUnusable:
        return True
    return False


def is_behind() -> bool:
    """Whether the change log has changes that the index does not hold, or there is no index."""
    try:
        return current()[1] != Change.objects.latest_number() or is_stale()
    except IndexUnusable:
        return True


def catch_up(wait: float = WAIT) -> int:
    """Apply the changes that the index does not hold yet; return how many were applied.

    When another writer is at it and does not finish soon, the work is left to it: it applies these changes too.
    """
    with generations.writing(root(), wait) as got:
        return applying.catch_up() if got else 0


def rebuild() -> int:
    """Build the index anew beside the live one and swap; return how many documents it holds."""
    with generations.writing(root(), WAIT_FOR_REBUILD) as got:
        if not got:
            raise IndexUnusable("ほかの処理が索引を書いています。")
        return applying.rebuild()


def ask(question: Callable[[Engine], T]) -> T:
    """Return what `question` asks of the index, brought up to date where that is quick; it may be asked again.

    Raise IndexUnusable while the index is being built.
    """
    answer = _asked_again(question)
    sidecar.relieve()
    return answer


def _asked_again(question: Callable[[Engine], T]) -> T:
    """Ask; where the index fails, ask what has taken its place."""
    try:
        return _asked(question)
    except (EngineFailedError, IndexNotWritable):
        raise
    except IndexUnusable as error:
        logger.warning("検索索引を開き直します: %s", error)
        _reopen()
    try:
        return _asked(question)  # another process has swapped it
    except (EngineFailedError, IndexNotWritable):
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
        if is_stale():
            if Entry.objects.count() <= AT_ONCE and repair():
                return current()[0]
            _work_behind()
        elif 0 < lag <= INLINE:
            _catch_up_at_once()
        elif lag or engine.is_wasteful():
            _work_behind()
        _verify_now_and_then()
        return current()[0] if lag else engine
    except IndexNotWritable:
        raise
    except IndexUnusable:
        if not repair():
            raise
        return current()[0]


def _catch_up_at_once() -> None:
    """Apply the changes; where another writes, that one takes these changes too."""
    if _is_resting():
        raise IndexNotWritable("not long ago nothing could be written")
    try:
        catch_up(0)
    except IndexNotWritable:
        _rest(root())
        raise


def _rest(folder: Path) -> None:
    _not_before[folder] = time.monotonic() + REST


def _is_resting() -> bool:
    """Whether writing failed a short while ago: searches would only make the machine busy by trying each time."""
    return time.monotonic() < _not_before.get(root(), 0.0)


def repair() -> bool:
    """Have the index rebuilt; return whether it is ready now."""
    _reopen()
    if Entry.objects.count() > AT_ONCE:
        _work_behind()
        return False
    try:
        with generations.writing(root(), WAIT) as got:
            if got and not _is_resting():
                applying.rebuild()
                return True
    except IndexNotWritable as error:
        logger.error("検索索引を作り直せません: %s", error)
        _rest(root())
    return False


def verify() -> list[str]:
    """Compare every file of the index with its checksum; return those damaged, the generation then out of use.

    Raises IndexUnusable where there is no index to compare.
    """
    folder = generations.current_folder(root())
    wrong = list(manifest.damaged(folder, generations.read_manifest(folder)))
    if wrong:
        logger.error("検索索引のファイルが壊れています: %s", ", ".join(wrong))
        generations.condemn(folder, "\n".join(wrong))
        _reopen()
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
    if not _is_resting() and _repair.acquire(blocking=False):
        threading.Thread(target=_repair_behind, args=[root()], name="index-repair", daemon=True).start()


def _repair_behind(folder: Path) -> None:
    try:
        with generations.writing(folder, 0) as got:
            if got:
                _catch_up_or_rebuild()
    except IndexUnusable as error:
        logger.error("検索索引を作り直せません: %s", error)
        if isinstance(error, IndexNotWritable):
            _rest(folder)
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
        applying.rebuild()
    else:
        applying.catch_up()
        applying.tidy()

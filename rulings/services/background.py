"""Who delivers webhooks: one process at a time, of the site itself or the command.

A process of the site starts a thread when there is something to deliver to: as it starts, after a commit, when a
subscription is made. The thread ends with the last subscription. Among processes a file lock decides, which the kernel
frees when its holder dies; the others stand by.
"""

import contextlib
import fcntl
import logging
import threading
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection

from rulings.models import Subscription
from rulings.services.delivering import deliver_due

logger = logging.getLogger(__name__)

LOOK_EVERY = 2.0  # seconds between two looks for what other processes have committed
AFTER_FAILURE = 30.0  # seconds, when the database did not answer
_starting = threading.Lock()
_woken = threading.Event()
_site = threading.Event()  # set in processes that serve the site
_thread: threading.Thread | None = None


@contextlib.contextmanager
def delivering_alone() -> Iterator[bool]:
    """Hold the lock of the deliverer; yield whether it was free."""
    with Path(settings.WEBHOOK_LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def serve_here() -> None:
    """Let this process deliver: it serves the site."""
    _site.set()
    if settings.WEBHOOKS == "auto":
        _start()


def wake() -> None:
    """Deliver now, if this process serves the site and anybody is to be told. Never fails: what was saved is saved."""
    if settings.WEBHOOKS != "auto" or not _site.is_set():
        return
    _woken.set()
    try:
        if (_thread is None or not _thread.is_alive()) and Subscription.objects.alive().exists():
            _start()
    except DatabaseError:
        logger.exception("通知の登録を調べられません。")


def _start() -> None:
    global _thread  # noqa: PLW0603 - one a process
    with _starting:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_run, name="webhooks", daemon=True)
            _thread.start()


def _run() -> None:
    try:
        deliver_while_any(threading.Event())
    except Exception:
        logger.exception("通知の配信を続けられません。")
    finally:
        connection.close()


def deliver_while_any(stop: threading.Event, *, forever: bool = False) -> None:
    """Deliver until nobody is subscribed any more (`forever`: also then), or until `stop` is set."""
    while not stop.is_set():
        with delivering_alone() as alone:
            while not stop.is_set():
                _woken.clear()
                if not _look(alone) and not forever:
                    return
                _woken.wait(LOOK_EVERY)
                if not alone:
                    break


def _look(alone: bool) -> bool:
    """Deliver what is due, where it is ours to deliver; return whether anybody is subscribed."""
    try:
        if alone:
            deliver_due()
        return Subscription.objects.alive().exists()
    except Exception:  # the database was away for a moment
        logger.exception("通知を配信できません。")
        _woken.wait(AFTER_FAILURE)
        return True
    finally:
        connection.close()


def interrupt(stop: threading.Event) -> None:
    """End `deliver_while_any` after what is under way."""
    stop.set()
    _woken.set()

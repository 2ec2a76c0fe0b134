"""A cache with a bound in bytes, for several threads."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any


class BoundedCache:
    """Keeps what was used last, up to a number of bytes; what is too large by itself is not kept."""

    def __init__(self, limit: int) -> None:
        self.limit, self.size = limit, 0
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Any], size: Callable[[Any], int]) -> Any:
        """Return what is kept under `key`, made first where nothing is."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found[0]
        value = make()
        self._put(key, value, size(value) + 500)
        return value

    def _put(self, key: Hashable, value: Any, size: int) -> None:
        if size > self.limit // 4:
            return
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = (value, size)
            self.size += size
            while self.size > self.limit:
                _key, (_value, freed) = self._kept.popitem(last=False)
                self.size -= freed

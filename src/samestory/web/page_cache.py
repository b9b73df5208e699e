"""Keeps the contents of recent pages while the archive does not change.

A page follows from the archive alone, and every change of what pages show appends to the log `changes` in the same
transaction: contents made at one position of the log are those at the same position later.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from samestory.archive import Archive, log
from samestory.database import Database

#: Pages in memory: the front page, and what many read at the same time.
MAX_PAGES = 128

T = TypeVar("T")


class PageCache:
    """The contents of recent pages of one database, by their parameters; all of one position of the log."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._position = -1
        self._pages: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, position: int, key: Hashable) -> Any:
        """Return the contents of a page at a position, or None."""
        with self._lock:
            if position != self._position or key not in self._pages:
                return None
            self._pages.move_to_end(key)
            return self._pages[key]

    def put(self, position: int, key: Hashable, contents: Any) -> None:
        """Keep the contents of a page; those of earlier positions are dropped."""
        with self._lock:
            if position < self._position:
                return
            if position > self._position:
                self._position = position
                self._pages.clear()
            self._pages[key] = contents
            if len(self._pages) > MAX_PAGES:
                self._pages.popitem(last=False)


_caches: WeakKeyDictionary[Database, PageCache] = WeakKeyDictionary()
_lock = threading.Lock()


def cached(archive: Archive, key: Hashable, make: Callable[[], T]) -> T:
    """Return the contents of a page, from memory if the archive has not changed since they were made.

    `key` has all parameters of the page. The contents must not be changed.
    """
    with _lock:
        cache = _caches.setdefault(archive.database, PageCache())
    with archive.database.read() as session:  # contents and position are of one snapshot
        position = log.end(session)
        known: T | None = cache.get(position, key)
        if known is None:
            known = make()
            cache.put(position, key, known)
        return known

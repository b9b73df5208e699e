"""Keeps the contents of recent pages while what they show does not change.

A page follows from the archive alone, and every change of what pages show appends to the log `changes` in the same
transaction: contents made at one position of the log are those at the same position later. New articles leave the pages
of the stories that they do not concern as they are: all but those that they join or have relations to.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from samestory.archive import Archive, log
from samestory.archive.columns import ADDITIONS
from samestory.database import Database, Session

#: Pages in memory: the front page, and what many read at the same time.
MAX_PAGES = 256
#: Log lines that are read to find out which stories have changed; after more of them, all pages are made anew.
MAX_LINES = 1000

T = TypeVar("T")


class PageCache:
    """The contents of recent pages of one database, by their parameters; all of one position of the log."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.position = -1
        self._pages: OrderedDict[Hashable, tuple[int | None, Any]] = OrderedDict()

    def get(self, position: int, key: Hashable) -> Any:
        """Return the contents of a page at a position, or None."""
        with self._lock:
            if position != self.position or key not in self._pages:
                return None
            self._pages.move_to_end(key)
            return self._pages[key][1]

    def put(self, position: int, key: Hashable, contents: Any, story: int | None = None) -> None:
        """Keep the contents of a page at the position of the cache; `story`: it depends on this story alone."""
        with self._lock:
            if position == self.position:
                self._pages[key] = story, contents
                if len(self._pages) > MAX_PAGES:
                    self._pages.popitem(last=False)

    def advance(self, start: int, position: int, changed: set[int] | None) -> None:
        """Move from one position to a later one; `changed`: the stories that changed between them, None for any."""
        with self._lock:
            if position <= self.position:
                return
            if changed is None or start != self.position:
                self._pages.clear()
            else:
                kept = ((key, page) for key, page in self._pages.items() if page[0] is not None)
                self._pages = OrderedDict((key, page) for key, page in kept if page[0] not in changed)
            self.position = position


_caches: WeakKeyDictionary[Database, PageCache] = WeakKeyDictionary()
_lock = threading.Lock()


def cached(archive: Archive, key: Hashable, make: Callable[[], T], story: int | None = None) -> T:
    """Return the contents of a page, from memory if what it shows has not changed since they were made.

    `key` has all parameters of the page; `story`: it depends on this story alone. The contents must not be changed.
    """
    with _lock:
        cache = _caches.setdefault(archive.database, PageCache())
    with archive.database.read() as session:  # contents and position are of one snapshot
        position, start = log.end(session), cache.position
        if start < position:
            cache.advance(start, position, changed_stories(session, start))
        known: T | None = cache.get(position, key)
        if known is None:
            known = make()
            cache.put(position, key, known, story)
        return known


def changed_stories(session: Session, since: int) -> set[int] | None:
    """Return the stories whose pages have changed since a position of the log; None if it may be any.

    Articles that were only added change the stories that they are in, and those of the articles they have relations to.
    """
    lines = log.lines(session, since, MAX_LINES) if since >= 0 else None
    if lines is None or not all(what in ADDITIONS for what, *_ in lines):
        return None
    ids = {id for _, _, articles, _ in lines for id in json.loads(articles or "[]")}
    rows = session.rows_among("SELECT number, story, revision FROM articles WHERE id IN ({})", sorted(ids))
    if len(rows) < len(ids) or any(revision > 1 for *_, revision in rows):
        return None  # a revision ends the relations of the version before it
    found = {story for _, story, _, _ in lines if story is not None} | {story for _, story, _ in rows}
    for own, other in (("left", "right"), ("right", "left")):
        related = (
            f"SELECT DISTINCT a.story FROM relations r JOIN articles a ON a.number = r.{other}_number"
            f" WHERE r.{own}_number IN ({{}})"
        )
        found |= {story for (story,) in session.rows_among(related, [number for number, *_ in rows])}
    return found

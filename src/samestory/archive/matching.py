"""Full-text matches in memory: the numbers of the articles that match an expression, and articles as results show them.

The words of an article never change: a revision has a new number. So the matches of an expression only grow, and are
completed by those among the articles that came since; numbers of removed articles stay and are skipped by the table.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samestory._core.search import parse_numbers
from samestory.database import Session

Numbers = NDArray[np.int64]

#: Numbers in memory, of 8 bytes each; and the cost of an expression, in numbers.
MAX_NUMBERS, NUMBERS_PER_EXPRESSION = 1 << 23, 64

#: Articles in memory as results show them, with a snippet of some hundred characters each.
MAX_HITS = 4096

_SQL = {
    # all numbers as one string: a row for each would take longer than the search
    "sqlite": "SELECT group_concat(rowid, ' ') FROM words WHERE words MATCH ? AND rowid > ?",
    "postgres": "SELECT string_agg(CAST(number AS text), ' ' ORDER BY number) FROM texts"
    " WHERE found @@ CAST(? AS tsquery) AND number > ?",
}


class _Matches:
    """Sorted numbers in an array with room for more: a view of the first of them never changes."""

    def __init__(self, numbers: Numbers, seq: int, last: int) -> None:
        self._array, self._count = numbers, len(numbers)
        self.seq, self.last = seq, last

    def view(self) -> Numbers:
        return self._array[: self._count]

    def room(self) -> int:
        return len(self._array)

    def append(self, numbers: Numbers) -> None:
        if not len(numbers):
            return
        end = self._count + len(numbers)
        if end > len(self._array):  # the first array has no room, and may be read-only
            larger = np.empty(end + end // 8, np.int64)
            larger[: self._count] = self.view()
            self._array = larger
        self._array[self._count : end] = numbers
        self._count = end


class MatchCache:
    """The matches of recent expressions in one database."""

    def __init__(self, kind: str) -> None:
        self._sql = _SQL[kind]
        self._lock = threading.Lock()
        self._known: OrderedDict[str, _Matches] = OrderedDict()
        self._size = 0

    def numbers(self, session: Session, expression: str, seq: int, last: int) -> Numbers:
        """Return the sorted numbers of the articles that match, as of this session.

        `seq`, `last`: the position of the log, and the highest number of an article. Numbers of articles that were
        removed may be among those returned.
        """
        with self._lock:
            known = self._known.get(expression)
            # matches that were found later may lack articles that this session still sees
            if known is not None and known.seq > seq:
                known = None
            if known is not None:
                self._known.move_to_end(expression)
                found, start = known.view(), known.last
        if known is None:
            found, start = np.empty(0, np.int64), -1
        elif start >= last:
            return found
        new = self._search(session, expression, start)
        with self._lock:
            if known is None:
                self._put(expression, _Matches(new, seq, last))
                return new
            if self._known.get(expression) is known and known.last == start:
                self._size -= known.room()
                known.append(new)
                known.seq, known.last = seq, last
                self._size += known.room()
                return known.view()
        return np.concatenate([found, new])

    def _search(self, session: Session, expression: str, start: int) -> Numbers:
        row = session.one(self._sql, (expression, start))
        return np.asarray(parse_numbers(row[0] if row and row[0] else ""))

    def _put(self, expression: str, matches: _Matches) -> None:
        before = self._known.get(expression)
        if before is not None and before.seq > matches.seq:
            return
        self._drop(expression)
        self._known[expression] = matches
        self._size += matches.room() + NUMBERS_PER_EXPRESSION
        while self._size > MAX_NUMBERS and self._known:
            self._drop(next(iter(self._known)))

    def _drop(self, expression: str) -> None:
        matches = self._known.pop(expression, None)
        if matches is not None:
            self._size -= matches.room() + NUMBERS_PER_EXPRESSION


class HitCache:
    """Articles as results show them, by number and query: neither the text nor the snippet of a number changes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hits: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable) -> Any:
        """Return an article, or None."""
        with self._lock:
            hit = self._hits.get(key)
            if hit is not None:
                self._hits.move_to_end(key)
            return hit

    def put(self, key: Hashable, hit: Any) -> None:
        """Keep an article."""
        with self._lock:
            self._hits[key] = hit
            while len(self._hits) > MAX_HITS:
                self._hits.popitem(last=False)

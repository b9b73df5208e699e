"""Incremental index of CoDet: a prefix tree in which every sentence is a path of words.

It has the methods `add`, `query`, `remove` and `expire` of `Index` and reports the same relations as
`Index(codet(…))`, in any order of arrival, unless a limit or a window removes articles. It also has the options of the
study: nodes with too many visits are deactivated (`codet(limit=…)`), articles that contain each other are merged
(`fold`), computed similarities are counted, and visitors can be counted as in the printed algorithm.
Varol (2012), CoDet, chapter 3. [varol2012]
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from samestory import _core
from samestory.errors import ParameterError
from samestory.index.index import About, directed, ids_of, microseconds_of, reach_of, relation, shown_index
from samestory.model import NO_TIME, Features, Kind, Overlap, Relation

if TYPE_CHECKING:
    from samestory.detectors.codet import CoDet


class CorpusTree:
    """Incremental index of CoDet: relates articles to those added before.

    `detector`: a fitted `CoDet` with the weight `idf`.
    `window`: the longest time between two related articles; articles older than the newest one by more than that are
    removed.
    `fold`: of articles that contain each other, only one is in the tree and represents the others. Their shares are
    those of the representative, which differ slightly from their own; near the threshold, so may the relations.
    `visitors`: `counts`, or `set` as in the printed algorithm, whose scores depend on the order of arrival.

    >>> from samestory import Article, prepare
    >>> from samestory.detectors import CoDet
    >>> news = prepare([Article("b", "Shares lose 2% today. Rain is near."), Article("c", "Shares lose 2% today.")])
    >>> tree = CorpusTree(CoDet(plus_one=True).fit([news]))
    >>> [(r.left, str(r.kind), r.right) for r in tree.add(news)]
    [('c', 'PART_OF', 'b')]
    """

    def __init__(
        self, detector: CoDet, window: timedelta | None = None, fold: bool = False, visitors: str = "counts"
    ) -> None:
        from samestory.detectors.codet import CoDet

        if not isinstance(detector, CoDet):
            raise ParameterError(f"corpus tree: expected a codet detector, got {detector}")
        if detector.weight != "idf":
            raise ParameterError(f"corpus tree: words must weigh the same in all articles, as with idf, got {detector}")
        self._reach = reach_of(window)
        if visitors not in ("counts", "set"):
            raise ParameterError(f"corpus tree: visitors must be 'counts' or 'set', got {visitors!r}")
        self.detector, self.window = detector, window
        self._tree = _core.engine.CorpusTree(detector.arguments(), detector.table().native, visitors, fold)
        self._numbers: dict[str, int] = {}
        self._about: dict[int, tuple[str, int, int]] = {}
        self._next = 0
        self._newest = NO_TIME
        # a heap by time, which may also contain removed articles
        self._ages: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return shown_index(self, self.detector, self.window)

    @property
    def nodes(self) -> int:
        """Number of nodes of the tree."""
        return self._tree.sizes[0]

    @property
    def computations(self) -> int:
        """Number of similarity values computed so far: one for each pair of articles that share a node."""
        return self._tree.computations

    def add(self, features: Features) -> list[Relation]:
        """Relates articles to indexed ones and to each other, and indexes them. A known id replaces its article."""
        out = []
        for id, source, published, text, language in self._rows(features):
            self.remove([id])
            number, self._next = self._next, self._next + 1
            self._numbers[id] = number
            self._about[number] = (id, source, published)
            if self.window is not None and published != NO_TIME:
                heappush(self._ages, (published, number))
            out += self._relations(number, self._about[number], self._tree.relate(text, language, number))
            self._remove_outdated(published)
        return out

    def query(self, features: Features) -> list[Relation]:
        """Relates articles to indexed ones without indexing them; an article is not related to its own id."""
        out = []
        for id, source, published, text, language in self._rows(features):
            mine = self._numbers.get(id, -1)
            out += self._relations(mine, (id, source, published), self._tree.relate(text, language))
        return out

    def remove(self, ids: Iterable[str]) -> int:
        """Removes articles; returns how many there were."""
        removed = 0
        for id in ids_of(ids):
            number = self._numbers.pop(id, None)
            if number is not None:
                with suppress(KeyError):  # an article without words is not in the tree
                    del self._tree[number]
                del self._about[number]
                removed += 1
        return removed

    def expire(self, before: datetime) -> int:
        """Removes articles published before a time (UTC if it has no zone); returns how many there were."""
        limit = microseconds_of(before)
        return self.remove([id for id, _, at in list(self._about.values()) if at != NO_TIME and at < limit])

    def _remove_outdated(self, published: int) -> None:
        """Removes the articles that are older than the newest one by more than the window."""
        self._newest = max(self._newest, published)
        if self._reach is None or self._newest == NO_TIME:
            return
        limit = self._newest - self._reach
        while self._ages and self._ages[0][0] < limit:
            _, number = heappop(self._ages)
            if number in self._about:
                self.remove([self._about[number][0]])

    def _rows(self, features: Features) -> Iterable[tuple[str, int, int, str, str]]:
        sources = (_core.detectors.source_hash(source or "") for source in features.sources)
        return zip(features.ids, sources, features.microseconds, features.compared, features.languages, strict=True)

    def _relations(
        self, mine: int, left: tuple[str, int, int], found: Iterable[tuple[int, float, float]]
    ) -> list[Relation]:
        threshold = self.detector.threshold
        pairs: list[tuple[About, About, Kind, Overlap]] = []
        for number, forward, backward in found:
            part, whole = forward > threshold, backward > threshold
            right = self._about[number]
            if number == mine or not (part or whole) or not self._within(left[2], right[2]):
                continue
            kind = Kind.NEAR if part and whole else Kind.PART_OF if part else Kind.HAS_PART
            pairs.append((left, right, kind, Overlap(forward, backward)))
        if not pairs:
            return []
        directions = zip(pairs, directed(pairs), strict=True)
        return [
            relation(left[0], right[0], kind, overlap, str(self.detector), overlap.share, is_reversed)
            for (_, right, _, overlap), (kind, is_reversed) in directions
        ]

    def _within(self, left: int, right: int) -> bool:
        if self._reach is None or NO_TIME in (left, right):
            return True
        return abs(left - right) <= self._reach

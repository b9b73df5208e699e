"""The corpus tree of CoDet: an index of its own, for streams, in which sentences are paths of words.

It has the four methods of `Index` and gives the same relations as `Index(codet(…))`, in any order of arrival, as long
as neither a limit nor a window lets it forget. Beside that it can do what the study describes: count how many
similarities were computed, let nodes that too many articles visit fall silent (`codet(limit=…)`), fold articles that
hold each other into one, and, for comparison, count visitors as the printed algorithm does.
Varol (2012), CoDet, chapter 3. [varol2012]
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from heapq import heappop, heappush

from samestory import _core
from samestory.detectors.codet import CoDet
from samestory.errors import ParameterError
from samestory.index.index import relation
from samestory.model import NO_TIME, Features, Kind, Overlap, Relation, shown


class CorpusTree:
    """Relates articles to those put into the tree before.

    `window`: how far apart in time two articles may be and still be related; what is older than the newest article by
    more than that is taken out of the tree. `fold`: of articles that hold each other, keep one in the tree and answer
    for all with it, in its words: near the threshold that may differ from their own. `visitors`: "counts", or "set" as
    printed, by which the score depends on the order of arrival.

    >>> from samestory import Article, prepare
    >>> news = prepare([Article("b", "Shares lose 2% today. Rain is near."), Article("c", "Shares lose 2% today.")])
    >>> tree = CorpusTree(CoDet(plus_one=True).fit([news]))
    >>> [(r.left, str(r.kind), r.right) for r in tree.add(news)]
    [('c', 'PART_OF', 'b')]
    """

    def __init__(
        self, detector: CoDet, window: timedelta | None = None, fold: bool = False, visitors: str = "counts"
    ) -> None:
        if not isinstance(detector, CoDet):
            raise ParameterError(f"corpus tree: a codet detector is wanted, got {detector}")
        if detector.weight != "idf":
            raise ParameterError(f"corpus tree: words must weigh the same in all articles, as with idf, got {detector}")
        if window is not None and (not isinstance(window, timedelta) or window < timedelta(0)):
            raise ParameterError(f"window: a timedelta of at least 0 is wanted, got {shown(window)}")
        if visitors not in ("counts", "set"):
            raise ParameterError(f"corpus tree: visitors must be 'counts' or 'set', got {visitors!r}")
        self.detector, self.window = detector, window
        self._tree = _core.CorpusTree(detector.arguments(), detector.table().native, visitors, fold)
        self._numbers: dict[str, int] = {}
        self._about: dict[int, tuple[str, int, int]] = {}
        self._next = 0
        self._newest = NO_TIME
        # by time, the oldest first; those removed meanwhile are passed over
        self._ages: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def nodes(self) -> int:
        """How many nodes the tree has."""
        return self._tree.sizes[0]

    @property
    def computations(self) -> int:
        """How often a similarity was increased so far."""
        return self._tree.computations

    def add(self, features: Features) -> list[Relation]:
        """Relates articles to what is in the tree and to each other, then puts them in. An id given again replaces."""
        out = []
        for id, source, published, text, language in self._rows(features):
            self.remove([id])
            number, self._next = self._next, self._next + 1
            self._numbers[id] = number
            self._about[number] = (id, source, published)
            if self.window is not None and published != NO_TIME:
                heappush(self._ages, (published, number))
            out += self._relations(number, self._about[number], self._tree.add(number, text, language))
            self._forget(published)
        return out

    def query(self, features: Features) -> list[Relation]:
        """Relates articles to what is in the tree, and puts nothing in; an article does not meet its own id."""
        out = []
        for id, source, published, text, language in self._rows(features):
            mine = self._numbers.get(id, -1)
            out += self._relations(mine, (id, source, published), self._tree.query(text, language))
        return out

    def remove(self, ids: Iterable[str]) -> int:
        """Forgets articles; gives how many there were."""
        gone = 0
        for id in ids:
            number = self._numbers.pop(id, None)
            if number is not None:
                gone += self._tree.remove(number)
                del self._about[number]
        return gone

    def expire(self, before: datetime) -> int:
        """Forgets what was published before a time; gives how many that were."""
        limit = round(before.timestamp() * 1e6)
        return self.remove([id for id, _, at in list(self._about.values()) if at != NO_TIME and at < limit])

    def _forget(self, published: int) -> None:
        """Takes out what the newest article has left behind."""
        self._newest = max(self._newest, published)
        if self.window is None or self._newest == NO_TIME:
            return
        limit = self._newest - self.window / timedelta(microseconds=1)
        while self._ages and self._ages[0][0] < limit:
            _, number = heappop(self._ages)
            if number in self._about:
                self.remove([self._about[number][0]])

    def _rows(self, features: Features) -> Iterable[tuple[str, int, int, str, str]]:
        sources = (_core.source_hash(source or "") for source in features.sources)
        return zip(features.ids, sources, features.microseconds, features.compared, features.languages, strict=True)

    def _relations(
        self, mine: int, left: tuple[str, int, int], found: Iterable[tuple[int, float, float]]
    ) -> list[Relation]:
        threshold, out = self.detector.threshold, []
        for number, forward, backward in found:
            part, whole = forward > threshold, backward > threshold
            right = self._about[number]
            if number == mine or not (part or whole) or not self._within(left[2], right[2]):
                continue
            kind = Kind.NEAR if part and whole else Kind.PART_OF if part else Kind.HAS_PART
            overlap = Overlap(forward, backward)
            out.append(relation(left, right, kind, overlap, str(self.detector), overlap.share))
        return out

    def _within(self, left: int, right: int) -> bool:
        if self.window is None or NO_TIME in (left, right):
            return True
        return abs(left - right) <= self.window / timedelta(microseconds=1)

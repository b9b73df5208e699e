"""The index: time, storage and memory, written once for all detectors.

Batch is one big `add`, streaming is many small ones; in any order and any chunking the relations are the same, up to
the side from which they are told.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from samestory import _core
from samestory.detectors import Detector
from samestory.errors import MismatchError, ParameterError
from samestory.index.memory import Memory
from samestory.index.store import Candidates, Entries, Store
from samestory.model import KINDS, NO_TIME, Features, Kind, Overlap, Overlaps, Pairs, Relation, shown
from samestory.text import PREPARATION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Kinds that become an update when both articles are of one source and of different times.
_DATED = {Kind.NEAR, Kind.PART_OF, Kind.HAS_PART}


#: A window wider than this reaches over all time; in microseconds.
FURTHEST = 2**62
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Index:
    """Relates articles to those filed before.

    `window`: how far apart in time two articles may be and still be related, both ways, since late articles happen.
    """

    def __init__(self, detector: Detector, store: Store | None = None, window: timedelta | None = None) -> None:
        self.detector = detector
        self.store: Store = Memory() if store is None else store
        self.window = window
        self._reach = reach_of(window)
        mine = f"{PREPARATION}/{detector.fingerprint()}"
        if not self.store.fingerprint:
            self.store.fingerprint = mine
        elif self.store.fingerprint != mine:
            raise MismatchError(
                f"the store was filled with another detector or preparation than {detector}",
                "use the detector it was made with, or fill a new store",
            )

    def add(self, features: Features) -> list[Relation]:
        """Relates articles to what is filed and to each other, then files them. An id given again replaces."""
        last = {id: row for row, id in enumerate(features.ids)}
        if len(last) < len(features):
            features = features.take(last.values())
        self.store.remove(features.ids)
        entries = self._entries(features)
        numbers = self.store.put(entries)
        place = {int(number): row for row, number in enumerate(numbers)}

        def earlier(row: int, entry: int) -> bool:
            # of two articles of one batch, the later one is asked about
            return place.get(entry, -1) < row

        return self._relate(entries, earlier)

    def query(self, features: Features) -> list[Relation]:
        """Relates articles to what is filed, and files nothing; an article does not meet its own id."""
        return self._relate(self._entries(features), lambda row, entry: True)

    def remove(self, ids: list[str]) -> int:
        """Forgets articles; gives how many there were."""
        return self.store.remove(ids_of(ids))

    def expire(self, before: datetime) -> int:
        """Forgets what was published before a time, which is UTC if it has no zone; gives how many that were."""
        return self.store.expire(microseconds_of(before))

    def _entries(self, features: Features) -> Entries:
        import numpy as np

        signatures = self.detector.sign(features)
        sources = [_core.source_hash(source or "") for source in features.sources]
        keys = self.detector.keys(signatures)
        return Entries(
            features.ids, np.array(features.microseconds, np.int64), np.array(sources, np.uint64), keys, signatures
        )

    def _windows(self, entries: Entries) -> tuple[NDArray[np.int64] | None, NDArray[np.int64] | None]:
        import numpy as np

        reach = self._reach
        if reach is None:
            return None, None
        known = entries.published != NO_TIME
        since = np.where(known, entries.published - np.where(known, reach, 0), np.iinfo(np.int64).min)
        until = np.where(known, entries.published + np.where(known, reach, 0), np.iinfo(np.int64).max)
        return since, until

    def _relate(self, asked: Entries, wanted: Callable[[int, int], bool]) -> list[Relation]:
        import numpy as np

        since, until = self._windows(asked)
        found = self.store.find(self.detector.probes(asked.signatures), since, until, self.detector.ceiling)
        if not len(found.rows):
            return []
        there = self.store.entries(found.entries.tolist())
        ids = asked.ids
        keep = np.array(
            [
                ids[row] != other and wanted(row, entry)
                for row, entry, other in zip(found.rows.tolist(), found.entries.tolist(), there.ids, strict=True)
            ],
            np.bool_,
        )
        pairs, overlaps = self._compare(asked, there, found, keep)
        out = []
        for row, at, forward, backward, kind, score in zip(
            pairs.left.tolist(),
            pairs.right.tolist(),
            overlaps.forward.tolist(),
            overlaps.backward.tolist(),
            overlaps.kinds.tolist(),
            overlaps.score.tolist(),
            strict=True,
        ):
            if kind:
                left = (ids[row], int(asked.sources[row]), int(asked.published[row]))
                right = (there.ids[at], int(there.sources[at]), int(there.published[at]))
                out.append(relation(left, right, KINDS[kind], Overlap(forward, backward), str(self.detector), score))
        return out

    def _compare(
        self, asked: Entries, there: Entries, found: Candidates, keep: NDArray[np.bool_]
    ) -> tuple[Pairs, Overlaps]:
        import numpy as np

        at = np.arange(len(found.rows))
        fewer = np.minimum(asked.keys.lengths()[found.rows], there.keys.lengths())
        keep = keep & (found.shared >= self.detector.quorum(fewer))
        pairs = Pairs(found.rows[keep], at[keep])
        worth = self.detector.admits(asked.signatures, there.signatures, pairs, found.shared[keep], fewer[keep])
        pairs = Pairs(pairs.left[worth], pairs.right[worth])
        return pairs, self.detector.compare(asked.signatures, there.signatures, pairs)


def reach_of(window: timedelta | None) -> int | None:
    """A window in microseconds, if there is one."""
    if window is None:
        return None
    if not isinstance(window, timedelta) or window < timedelta(0):
        raise ParameterError(f"window: a timedelta of at least 0 is wanted, got {shown(window)}")
    return min(window // timedelta(microseconds=1), FURTHEST)


def ids_of(ids: list[str]) -> list[str]:
    """A list of ids."""
    if isinstance(ids, str):
        # it would be a list of letters, some of which may well be ids
        raise ParameterError(f"ids: a list of ids is wanted, got one {shown(ids)}", "put it into a list")
    return list(ids)


def microseconds_of(before: datetime) -> int:
    """A time since 1970; UTC if it has no zone."""
    if not isinstance(before, datetime):
        raise ParameterError(f"before: a datetime is wanted, got {shown(before)}")
    at = before if before.tzinfo is not None else before.replace(tzinfo=UTC)
    return (at - EPOCH) // timedelta(microseconds=1)


def dated(
    left: tuple[str, str | None, str | None],
    right: tuple[str, str | None, str | None],
    kind: Kind,
    overlap: Overlap,
    detector: str,
    score: float,
) -> Relation:
    """The relation of two articles given as (id, source, date as text)."""

    def known(article: tuple[str, str | None, str | None]) -> tuple[str, int, int]:
        at = _core.microseconds(article[2]) if article[2] else None
        return article[0], _core.source_hash(article[1] or ""), NO_TIME if at is None else at

    return relation(known(left), known(right), kind, overlap, detector, score)


def relation(
    left: tuple[str, int, int], right: tuple[str, int, int], kind: Kind, overlap: Overlap, detector: str, score: float
) -> Relation:
    """Told from the side from which people read it: parts before wholes, new versions before old ones."""
    if kind in _DATED and _core.is_update(left[1:], right[1:], overlap.share):
        kind = Kind.UPDATE
    relation = Relation(left[0], right[0], kind, overlap, detector, score)
    turn = kind is Kind.HAS_PART or (kind is Kind.UPDATE and left[2] < right[2])
    return relation.flipped() if turn else relation

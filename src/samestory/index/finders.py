"""Who of those filed is related to whom that is asked about. All of it lies in memory, gone with the process.

Where the detector is native, all is done in the core, and copies are compared once. For the others the core finds who
shares a key, and the detector compares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from samestory import _core
from samestory.detectors import Detector, Native
from samestory.index.store import Entries
from samestory.model import KINDS, NO_TIME, Kind, Overlap, Overlaps, Pairs, Ragged, Signatures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Found(NamedTuple):
    """Rows of a question and the articles that each is related to, in columns; kinds are numbers into `KINDS`."""

    rows: list[int]
    ids: list[str]
    published: list[int]
    sources: list[int]
    forward: list[float]
    backward: list[float]
    kinds: list[int]
    scores: list[float]

    @classmethod
    def none(cls) -> Found:
        """Nobody."""
        return cls([], [], [], [], [], [], [], [])


class Finder(Protocol):
    """Files articles and finds those that are related to others."""

    def file(self, entries: Entries) -> None:
        """Files articles, and asks nothing."""
        ...

    def add(self, entries: Entries, every: bool) -> Found:
        """Files articles; gives whom each is related to of those before it. No id comes twice.

        With `every`, of copies all are told; else the first may stand for the others.
        """
        ...

    def query(self, entries: Entries, every: bool) -> Found:
        """The same for articles that are not filed; nobody meets their own id."""
        ...

    def forms(self, pairs: list[tuple[str, str]]) -> list[bool]:
        """For pairs of filed articles: are they of one form, with other facts?"""
        ...

    def compare(self, left: str, right: str) -> tuple[Kind, Overlap] | None:
        """What two filed articles have to do with each other; None where that is nothing, or every copy is told of."""
        ...

    def set_alone(self, ids: Sequence[str]) -> None:
        """Tells of these articles by themselves from now on, also where they are copies of others."""
        ...

    def remove(self, ids: Sequence[str]) -> int:
        """Forgets articles; gives how many there were."""
        ...

    def expire(self, before: int) -> int:
        """Forgets what was published before a time; articles without a time stay."""
        ...

    @property
    def skipped(self) -> int:
        """How many questions about keys were passed over because the key was too common."""
        ...

    @property
    def postings(self) -> int:
        """How many keys are filed: what removal must give back."""
        ...

    def __len__(self) -> int: ...


def finder(detector: Detector, reach: int | None) -> Finder:
    """The finder of a detector; `reach`: how far apart in time two articles may be, in microseconds."""
    return ByCore(detector, reach) if isinstance(detector, Native) else ByKeys(detector, reach)


class _InMemory:
    """What both finders do alike: their articles lie in the core."""

    _native: _core.Finder | _core.MemoryStore

    def remove(self, ids: Sequence[str]) -> int:
        """See the finder."""
        return self._native.remove(list(ids))

    def expire(self, before: int) -> int:
        """See the finder."""
        return self._native.expire(before)

    @property
    def skipped(self) -> int:
        """See the finder."""
        return self._native.skipped

    @property
    def postings(self) -> int:
        """See the finder."""
        return self._native.postings

    def __len__(self) -> int:
        return len(self._native)


class ByCore(_InMemory):
    """A finder whose detector is native."""

    _native: _core.Finder

    def __init__(self, detector: Native, reach: int | None) -> None:
        self._native = _core.Finder(detector.native, reach)

    def file(self, entries: Entries) -> None:
        """See the finder."""
        self._native.file(*_columns(entries))

    def add(self, entries: Entries, every: bool) -> Found:
        """See the finder."""
        return _found(*self._native.add(*_columns(entries), every))

    def query(self, entries: Entries, every: bool) -> Found:
        """See the finder."""
        return _found(*self._native.query(*_columns(entries), every))

    def forms(self, pairs: list[tuple[str, str]]) -> list[bool]:
        """See the finder."""
        return self._native.forms(pairs)

    def compare(self, left: str, right: str) -> tuple[Kind, Overlap] | None:
        """See the finder."""
        found = self._native.compare([(left, right)])[0]
        return None if found is None or not found[0] else (KINDS[found[0]], Overlap(*found[1:]))

    def set_alone(self, ids: Sequence[str]) -> None:
        """See the finder."""
        self._native.set_alone(list(ids))


def _columns(entries: Entries) -> tuple[list[str], tuple[list[int], list[int]], tuple[bytes, Any]]:
    return entries.ids, (entries.published.tolist(), entries.sources.tolist()), entries.signatures.columns


def _found(rows: bytes, ids: list[str], columns: list[bytes]) -> Found:
    import numpy as np

    kinds: tuple[Any, ...] = (np.int64, np.uint64, np.float64, np.float64, np.uint8, np.float64)
    lists = (np.frombuffer(column, kind).tolist() for column, kind in zip(columns, kinds, strict=True))
    return Found(np.frombuffer(rows, np.int64).tolist(), ids, *lists)


class ByKeys(_InMemory):
    """A finder for any detector: whoever shares keys is compared, copies too."""

    _native: _core.MemoryStore

    def __init__(self, detector: Detector, reach: int | None) -> None:
        self._detector, self._reach = detector, reach
        self._native = _core.MemoryStore()

    def file(self, entries: Entries) -> None:
        """See the finder."""
        self._put(entries)

    def add(self, entries: Entries, every: bool) -> Found:
        """See the finder."""
        import numpy as np

        place = {int(number): row for row, number in enumerate(np.frombuffer(self._put(entries), np.int64))}
        # of two articles of one batch, the later one is asked about
        return self._related(entries, lambda row, entry, _: place.get(entry, -1) < row)

    def query(self, entries: Entries, every: bool) -> Found:
        """See the finder."""
        return self._related(entries, lambda row, _, id: id != entries.ids[row])

    def forms(self, pairs: list[tuple[str, str]]) -> list[bool]:
        """See the finder; only native detectors know of forms."""
        return [False] * len(pairs)

    def compare(self, left: str, right: str) -> tuple[Kind, Overlap] | None:
        """See the finder; every copy has been told of."""
        return None

    def set_alone(self, ids: Sequence[str]) -> None:
        """See the finder; everybody is."""

    def _put(self, entries: Entries) -> bytes:
        keys = self._detector.keys(entries.signatures)
        about = (entries.published, entries.sources)
        return self._native.put(entries.ids, about, (keys.values, keys.offsets), entries.signatures.columns)

    def _windows(self, published: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        import numpy as np

        if self._reach is None:
            return None
        known = published != NO_TIME
        reach = np.where(known, self._reach, 0)
        since = np.where(known, published - reach, np.iinfo(np.int64).min)
        return since, np.where(known, published + reach, np.iinfo(np.int64).max)

    def _related(self, asked: Entries, wanted: Any) -> Found:
        import numpy as np

        probes = self._detector.probes(asked.signatures)
        columns = self._native.find(
            (probes.values, probes.offsets), self._windows(asked.published), self._detector.ceiling
        )
        rows, entries, shared = (np.frombuffer(column, np.int64) for column in columns)
        if not len(rows):
            return Found.none()
        numbers = entries.tolist()
        ids = self._native.ids(numbers)
        kept = [wanted(*each) for each in zip(rows.tolist(), numbers, ids, strict=True)]
        keys = self._detector.keys(asked.signatures)
        pairs, found = self._compared(asked, rows, numbers, shared, np.array(kept, np.bool_), keys)
        related = np.flatnonzero(found.kinds)
        at = pairs.right[related].tolist()
        about = self._native.about([numbers[each] for each in at])
        return Found(
            pairs.left[related].tolist(),
            [ids[each] for each in at],
            np.frombuffer(about[0], np.int64).tolist(),
            np.frombuffer(about[1], np.uint64).tolist(),
            np.asarray(found.forward)[related].tolist(),
            np.asarray(found.backward)[related].tolist(),
            found.kinds[related].tolist(),
            np.asarray(found.score)[related].tolist(),
        )

    def _compared(
        self,
        asked: Entries,
        rows: NDArray[np.int64],
        numbers: list[int],
        shared: NDArray[np.int64],
        keep: NDArray[np.bool_],
        keys: Ragged,
    ) -> tuple[Pairs, Overlaps]:
        import numpy as np

        counts = np.frombuffer(self._native.about(numbers)[2], np.int64)
        fewer = np.minimum(keys.lengths()[rows], counts)
        values, offsets = self._native.signatures(numbers)
        there = Signatures.of(values, np.frombuffer(offsets, np.int64))
        keep = keep & (shared >= self._detector.quorum(fewer))
        pairs = Pairs(rows[keep], np.arange(len(rows))[keep])
        worth = self._detector.admits(asked.signatures, there, pairs, shared[keep], fewer[keep])
        pairs = Pairs(pairs.left[worth], pairs.right[worth])
        return pairs, self._detector.compare(asked.signatures, there, pairs)

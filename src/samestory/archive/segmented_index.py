"""An index of an archive: the latest articles in memory, all others in segments on disk."""

from __future__ import annotations

from datetime import timedelta

from samestory.database import Session
from samestory.detectors import Detector
from samestory.index import Entries, Index
from samestory.index.durable import Durable
from samestory.index.index import SearchResult
from samestory.index.segments import MIN_ARTICLES, Segments
from samestory.index.store import Store


class SegmentedIndex(Index):
    """An index whose articles are written to segments, as they become many, if the detector has segments."""

    def __init__(
        self, detector: Detector, store: Durable, window: timedelta | None, writer: Session | None = None
    ) -> None:
        """`writer`: the transaction in which segments may be written, if there is one."""
        self._alone: set[str] = set()
        self._in_memory = 0
        self._durable = store
        self._writer = writer
        self._segments: Segments | None = None
        super().__init__(detector, store, window)

    def _load(self, store: Store) -> None:
        if self.detector.has_segments:
            self._segments = Segments(self._durable, self._durable.name, self._durable.fingerprint)
            outside = self._segments.attach(self._finder)
            self.follow(self._durable.some(outside))
            if self._writer is not None:
                self._segments.write_stored(self._writer, self._finder)
        self._writer = None
        for entries in self._durable.between(self._segments.last if self._segments else 0, 2**62):
            self.follow(entries)

    def follow(self, entries: Entries) -> None:
        """Index entries that the store has."""
        super().follow(entries)
        self._in_memory += len(entries)

    def search(self, entries: Entries, all_copies: bool = True) -> SearchResult:
        """The same as `relate`, with the sources of the related articles and the samples that were searched."""
        self._in_memory += len(entries)
        return super().search(entries, all_copies)

    def set_alone(self, ids: list[str]) -> None:
        """Report these articles individually from now on, even if they are copies of others."""
        super().set_alone(ids)
        if self._segments is not None and (new := sorted(set(ids) - self._alone)):
            # those of segments too are in memory from now on
            self._alone.update(new)
            self._finder.remove(new)
            self.follow(self._durable.some(new))

    def freeze(self, session: Session) -> bool:
        """Write the articles in memory to a segment, if they are many; return whether they are."""
        if self._segments is None or self._in_memory < MIN_ARTICLES + len(self._alone):
            return False
        self._segments.freeze(session, self._finder, sorted(self._alone))
        self._in_memory = len(self._alone)
        return True

"""The index: time, storage and memory, written once for all detectors.

Batch is one big `add`, streaming is many small ones; in any order and any chunking the relations are the same, up to
the side from which they are told.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from samestory import _core
from samestory.detectors import Detector, Native
from samestory.errors import MismatchError, ParameterError
from samestory.index.finders import Found, finder
from samestory.index.store import Entries, Store
from samestory.model import KINDS, NO_TIME, Article, Features, Kind, Overlap, Overlaps, Relation, shown
from samestory.text import PREPARATION

#: A window wider than this reaches over all time; in microseconds.
FURTHEST = 2**62
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Index:
    """Relates articles to those filed before.

    `window`: how far apart in time two articles may be and still be related, both ways, since late articles happen.
    `store`: where it is kept, beyond the memory of this process; what is there is filed again.
    """

    def __init__(self, detector: Detector, store: Store | None = None, window: timedelta | None = None) -> None:
        self.detector = detector
        self.store = store
        self.window = window
        self._finder = finder(detector, reach_of(window))
        if store is not None:
            claim(store, detector)
            for entries in store.batches():
                self._finder.file(entries)

    def add(self, features: Features, every: bool = True) -> list[Relation]:
        """Relates articles to what is filed and to each other, then files them. An id given again replaces.

        Without `every`, the first of copies stands for the others.
        """
        last = {id: row for row, id in enumerate(features.ids)}
        if len(last) < len(features):
            features = features.take(last.values())
        return self.relate(self.put(features), every)

    def put(self, features: Features) -> Entries:
        """The first half of adding: signs articles and puts them into the store. No id comes twice."""
        entries = self._entries(features)
        if self.store is not None:
            self.store.put(entries)
        return entries

    def relate(self, entries: Entries, every: bool = True) -> list[Relation]:
        """The other half: relates what was put to what is filed and to each other, and files it."""
        self._finder.remove(entries.ids)
        return self._told(entries, self._finder.add(entries, every))

    def query(self, features: Features, every: bool = True) -> list[Relation]:
        """Relates articles to what is filed, and files nothing; an article does not meet its own id."""
        entries = self._entries(features)
        return self._told(entries, self._finder.query(entries, every))

    def remove(self, ids: list[str]) -> int:
        """Forgets articles; gives how many there were."""
        ids = ids_of(ids)
        if self.store is not None:
            self.store.remove(ids)
        return self._finder.remove(ids)

    def expire(self, before: datetime) -> int:
        """Forgets what was published before a time, which is UTC if it has no zone; gives how many that were."""
        at = microseconds_of(before)
        if self.store is not None:
            self.store.expire(at)
        return self._finder.expire(at)

    def forms(self, pairs: list[tuple[str, str]]) -> list[bool]:
        """For pairs of filed articles: are they of one form, with other facts?"""
        return self._finder.forms(pairs)

    def compare(self, left: str, right: str) -> tuple[Kind, Overlap] | None:
        """What two filed articles have to do with each other, whoever published them; None where that is nothing."""
        return self._finder.compare(left, right)

    def set_alone(self, ids: list[str]) -> None:
        """Tells of these articles by themselves from now on, also where they are copies of others."""
        self._finder.set_alone(ids)

    def follow(self, entries: Entries) -> None:
        """Files what another process has put into the store."""
        self._finder.file(entries)

    def forget(self, ids: list[str]) -> None:
        """Forgets what another process has taken out of the store."""
        self._finder.remove(ids)

    @property
    def skipped(self) -> int:
        """How many questions about keys were passed over because the key was too common."""
        return self._finder.skipped

    @property
    def postings(self) -> int:
        """How many keys are filed."""
        return self._finder.postings

    def __len__(self) -> int:
        return len(self._finder)

    def _entries(self, features: Features) -> Entries:
        import numpy as np

        signatures = self.detector.sign(features)
        sources = [_core.source_hash(source or "") for source in features.sources]
        return Entries(
            features.ids, np.array(features.microseconds, np.int64), np.array(sources, np.uint64), signatures
        )

    def _told(self, asked: Entries, found: Found) -> list[Relation]:
        ids, sources, published, spec = asked.ids, asked.sources, asked.published, str(self.detector)
        out = []
        for row, id, at, source, forward, backward, kind, score in zip(*found, strict=True):
            left = (ids[row], int(sources[row]), int(published[row]))
            overlap = Overlap(forward, backward)
            out.append(relation(left, (id, source, at), KINDS[kind], overlap, spec, score))
        return out


def claim(store: Store, detector: Detector) -> None:
    """Marks a new store as filled by a detector; refuses one that another detector has filled."""
    mine = f"{PREPARATION}/{detector.fingerprint()}"
    if not store.fingerprint:
        store.fingerprint = mine
    elif store.fingerprint != mine:
        raise MismatchError(
            f"the store was filled with another detector or preparation than {detector}",
            "use the detector it was made with, or fill a new store",
        )


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


def dated(detector: Detector, found: Overlaps, left: Article, right: Article) -> Relation | None:
    """The relation of two articles, given the comparison of their texts; None where there is none.

    Days between the two are evidence for some detectors, and a new version of a source's own article is an update.
    """
    import numpy as np

    def known(article: Article) -> tuple[str, int, int]:
        at = _core.microseconds(article.published) if article.published else None
        return article.id, _core.source_hash(article.source or ""), NO_TIME if at is None else at

    def columns(article: tuple[str, int, int]) -> tuple[Any, Any]:
        return np.array([article[1]], np.uint64), np.array([article[2]], np.int64)

    one, other = known(left), known(right)
    native = detector.native if isinstance(detector, Native) else None
    kinds, scores, *_ = _core.dated(native, found.columns, columns(one), columns(other))
    kind, overlap = KINDS[kinds[0]], Overlap(float(found.forward[0]), float(found.backward[0]))
    if kind is Kind.NONE:
        return None
    return relation(one, other, kind, overlap, str(detector), float(np.frombuffer(scores, np.float64)[0]))


def relation(
    left: tuple[str, int, int], right: tuple[str, int, int], kind: Kind, overlap: Overlap, detector: str, score: float
) -> Relation:
    """From the side from which people read it: a part before its container, a new version before the old one."""
    number, is_reversed = _core.directed(KINDS.index(kind), left[1:], right[1:], *overlap)
    relation = Relation(left[0], right[0], KINDS[number], overlap, detector, score)
    return relation.flipped() if is_reversed else relation

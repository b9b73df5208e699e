"""The index of articles, for all detectors.

In any order and any chunking the relations are the same, up to their direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from samestory import _core
from samestory.detectors import Detector
from samestory.errors import MismatchError, ParameterError, StoreError
from samestory.index.finder import Finder, Hits
from samestory.index.store import Entries, Store
from samestory.model import KINDS, NO_TIME, Article, Features, Kind, Overlap, Overlaps, Relation, shown
from samestory.old_arguments import accept_old_arguments
from samestory.text import PREPARATION

#: The longest window, in microseconds.
MAX_WINDOW = 2**62
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

#: Id, hash of the source, and time of an article.
About = tuple[str, int, int]


class SearchResult(NamedTuple):
    """The relations of some articles to indexed ones."""

    relations: list[Relation]
    sources: list[int]
    """For every relation, the hash of the source of the indexed article."""
    samples: list[int | None]
    """For every relation that was found in a sample of articles: how many of one group the sample can have."""


class Index:
    """Relates articles to those added before.

    `window`: the longest time between two related articles, in both directions, since articles may arrive late.
    `store`: keeps the entries beyond this process; existing entries are indexed again.
    """

    def __init__(self, detector: Detector, store: Store | None = None, window: timedelta | None = None) -> None:
        self.detector = detector
        self._spec = str(detector)
        self.store = store
        self.window = window
        self._finder = Finder(detector, reach_of(window))
        if store is not None:
            claim(store, detector)
            self._load(store)

    def _load(self, store: Store) -> None:
        for entries in store.batches():
            self.follow(entries)

    def __repr__(self) -> str:
        return shown_index(self, self.detector, self.window)

    @accept_old_arguments(every="all_copies")
    def add(self, features: Features, all_copies: bool = True) -> list[Relation]:
        """Relates articles to indexed ones and to each other, then indexes them. A known id replaces its article.

        Without `all_copies`, the first of several copies represents the others.
        """
        last = {id: row for row, id in enumerate(features.ids)}
        if len(last) < len(features):
            features = features.take(last.values())
        return self.relate(self.put(features), all_copies)

    def put(self, features: Features) -> Entries:
        """The first half of `add`: signs articles and stores them. Ids are distinct."""
        entries = self._entries(features)
        if self.store is not None:
            self.store.put(entries)
        return entries

    @accept_old_arguments(every="all_copies")
    def relate(self, entries: Entries, all_copies: bool = True) -> list[Relation]:
        """The second half of `add`: relates stored entries to indexed ones and to each other, and indexes them."""
        return self.search(entries, all_copies).relations

    def search(self, entries: Entries, all_copies: bool = True) -> SearchResult:
        """The same as `relate`, with the sources of the related articles and the samples that were searched."""
        import numpy as np

        self._finder.remove(entries.ids)
        hits = self._finder.add(entries, all_copies)
        sampled = set(hits.sampled)
        samples = [hits.sample_size if row in sampled else None for row in np.asarray(hits.rows).tolist()]
        return SearchResult(self._relations(entries, hits), np.asarray(hits.sources).tolist(), samples)

    @accept_old_arguments(every="all_copies")
    def query(self, features: Features, all_copies: bool = True) -> list[Relation]:
        """Relates articles to indexed ones without indexing them; an article is not related to its own id."""
        entries = self._entries(features)
        return self._relations(entries, self._finder.query(entries, all_copies))

    def remove(self, ids: Iterable[str]) -> int:
        """Removes articles; returns how many there were."""
        ids = ids_of(ids)
        if self.store is not None:
            self.store.remove(ids)
        return self._finder.remove(ids)

    def expire(self, before: datetime) -> int:
        """Removes articles published before a time (UTC if it has no zone); returns how many there were."""
        at = microseconds_of(before)
        if self.store is not None:
            self.store.expire(at)
        return self._finder.expire(at)

    def forms(self, pairs: list[tuple[str, str]]) -> list[bool]:
        """Returns for pairs of indexed articles whether they share a template, with other facts."""
        return self._finder.forms(pairs)

    def compare(self, left: str, right: str) -> tuple[Kind, Overlap] | None:
        """Compares two indexed articles, whatever their sources; None if they are unrelated."""
        return self._finder.compare(left, right)

    def set_alone(self, ids: list[str]) -> None:
        """Reports these articles individually from now on, even if they are copies of others."""
        self._finder.set_alone(ids)

    def follow(self, entries: Entries) -> None:
        """Indexes entries that a store has; raises a StoreError that names the first whose signature is damaged."""
        if damaged := self._finder.file(entries):
            raise damaged_signature(damaged[0], getattr(self.store, "place", ""))

    def forget(self, ids: list[str]) -> None:
        """Removes articles that another process has removed from the store."""
        self._finder.remove(ids)

    @property
    def skipped(self) -> int:
        """Number of key lookups skipped because the key is too common."""
        return self._finder.skipped

    @property
    def postings(self) -> int:
        """Number of posting lists."""
        return self._finder.postings

    def __len__(self) -> int:
        return len(self._finder)

    @cached_property
    def _spec(self) -> str:
        return str(self.detector)

    def _entries(self, features: Features) -> Entries:
        import numpy as np

        signatures = self.detector.signature_rows(features)
        sources = [_core.detectors.source_hash(source or "") for source in features.sources]
        return Entries(
            features.ids, np.array(features.microseconds, np.int64), np.array(sources, np.uint64), signatures
        )

    def _relations(self, asked: Entries, found: Hits) -> list[Relation]:
        import numpy as np

        columns = (found.rows, found.kinds, found.forward, found.backward, found.scores, found.is_reversed)
        rows = zip(found.ids, *(np.asarray(column).tolist() for column in columns), strict=True)
        spec = self._spec
        return [
            relation(asked.ids[row], id, KINDS[kind], Overlap(forward, backward), spec, score, bool(is_reversed))
            for id, row, kind, forward, backward, score, is_reversed in rows
        ]


def shown_index(index: Sized, detector: Detector, window: timedelta | None) -> str:
    """Returns the repr of an index, as in `Index(reuse(), 3 articles, window=14 days)`."""
    articles = f"{len(index):,} article{'s' if len(index) != 1 else ''}"
    return f"{type(index).__name__}({detector}, {articles}, window={shown_window(window)})"


def shown_window(window: timedelta | None) -> str:
    """Returns a window in words.

    >>> shown_window(timedelta(days=14)), shown_window(timedelta(hours=36)), shown_window(None)
    ('14 days', '1 day, 12:00:00', 'None')
    """
    return str(window).removesuffix(", 0:00:00")


def damaged_signature(id: str, place: str) -> StoreError:
    """The error for a stored signature that cannot be one of its detector."""
    hint = "samestory index check --repair DB signs it again from its text"
    return StoreError(f"the signature of the article {shown(id)} is damaged", hint, place=place)


def claim(store: Store, detector: Detector) -> None:
    """Marks a new store as that of a detector; raises a MismatchError for the store of another one."""
    mine = f"{PREPARATION}/{detector.fingerprint()}"
    if not store.fingerprint:
        store.fingerprint = mine
    elif store.fingerprint != mine:
        raise MismatchError(
            f"the store was filled with another detector or preparation than {detector}",
            "use the detector it was made with, or fill a new store",
        )


def reach_of(window: timedelta | None) -> int | None:
    """The window in microseconds, if there is one."""
    if window is None:
        return None
    if not isinstance(window, timedelta) or window < timedelta(0):
        raise ParameterError(f"window: expected a timedelta of at least 0, got {shown(window)}")
    return min(window // timedelta(microseconds=1), MAX_WINDOW)


def ids_of(ids: Iterable[str]) -> list[str]:
    """Returns ids as a list; raises a ParameterError for a single id."""
    if isinstance(ids, str):
        # a text would be read as a list of letters
        raise ParameterError(f"ids: expected a list of ids, got one {shown(ids)}", "put it into a list")
    return list(ids)


def microseconds_of(before: datetime) -> int:
    """A time in microseconds since 1970; UTC if it has no zone."""
    if not isinstance(before, datetime):
        raise ParameterError(f"before: expected a datetime, got {shown(before)}")
    at = before if before.tzinfo is not None else before.replace(tzinfo=UTC)
    return (at - EPOCH) // timedelta(microseconds=1)


def dated(detector: Detector, found: Overlaps, left: Article, right: Article) -> Relation | None:
    """The relation of two articles, given the comparison of their texts; None if there is none.

    Days between the two are evidence for some detectors, and a new version of a source's own article is an update.
    """
    import numpy as np

    def about(article: Article) -> tuple[Any, Any]:
        at = _core.engine.microseconds(article.published) if article.published else None
        source = _core.detectors.source_hash(article.source or "")
        return np.array([source], np.uint64), np.array([NO_TIME if at is None else at], np.int64)

    dated = _core.detectors.dated(detector.native, found.columns, about(left), about(right))
    kind, score, is_reversed = (np.asarray(c)[0] for c in (dated.kinds, dated.scores, dated.is_reversed))
    overlap = Overlap(float(found.forward[0]), float(found.backward[0]))
    if not kind:
        return None
    return relation(left.id, right.id, KINDS[kind], overlap, str(detector), float(score), bool(is_reversed))


def directed(pairs: Sequence[tuple[About, About, Kind, Overlap]]) -> list[tuple[Kind, bool]]:
    """The kinds of relations between articles, and whether each is reported from its right side.

    A new version of a source's own article is an update.
    """
    import numpy as np

    def columns(side: int) -> tuple[Any, Any]:
        sources, times = ([pair[side][at] for pair in pairs] for at in (1, 2))
        return np.array(sources, np.uint64), np.array(times, np.int64)

    shares = np.array([overlap for *_, overlap in pairs], np.float64).reshape(-1, 2)
    kinds = np.array([KINDS.index(kind) for _, _, kind, _ in pairs], np.uint8)
    found = Overlaps(shares[:, 0], shares[:, 1], kinds)
    dated = _core.detectors.dated(None, found.columns, columns(0), columns(1))
    is_reversed = np.asarray(dated.is_reversed).astype(bool).tolist()
    return [(KINDS[kind], own) for kind, own in zip(np.asarray(dated.kinds).tolist(), is_reversed, strict=True)]


def relation(
    left: str, right: str, kind: Kind, overlap: Overlap, detector: str, score: float, is_reversed: bool
) -> Relation:
    """The relation in reading direction: a part before its container, a new version before the old one."""
    relation = Relation(left, right, kind, overlap, detector, score)
    return relation.flipped() if is_reversed else relation

"""Incremental grouping: articles are added one after the other, and groups keep their numbers.

    stream = Stream("event", window=timedelta(days=7))
    for change in stream.add(articles):
        print(change)                         # 12 opened by a; b joined 12; 15 became part of 12; …

The rule is that of the grouping `majority`: two groups are merged if more than half of the pairs between them are
related, the strongest first. It is applied whenever an article is added, so groups may differ from those of a batch run
over all articles. A copy, an article of the same day with the same signature, joins the group of its original. A merged
group keeps the older number. When an article is removed, the rest of its group may split: the part with the oldest
article keeps the number. Expired articles are removed from their groups, which do not change otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from samestory import _core
from samestory.detectors import Detector, parse
from samestory.errors import NotFittedError
from samestory.index import Index, Store, ids_of, microseconds_of, reach_of, shown_index
from samestory.index.strongest import MAX_RELATIONS, NewRelation, rows_for_groups, strongest
from samestory.model import JOINING, Article, Features, Kind
from samestory.readers import Doubt, warn
from samestory.readers import articles as read_articles
from samestory.text import prepare


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a group."""

    what: str
    """opened, joined, merged (into `group`), split (off `group`), left, or closed (it has no more articles)."""
    group: int
    articles: tuple[str, ...] = ()
    other: int | None = None
    """The group that was merged into this one, or split off it."""

    def __str__(self) -> str:
        names = ", ".join(self.articles)
        return {
            "opened": f"{names} opened group {self.group}",
            "joined": f"{names} joined group {self.group}",
            "merged": f"group {self.other} became part of group {self.group}",
            "split": f"{names} left group {self.group} as group {self.other}",
            "left": f"{names} left group {self.group}",
            "closed": f"group {self.group} is closed",
        }[self.what]


#: The number of different articles at which a stream calibrates its detector; again whenever they have doubled.
CALIBRATION_MINIMUM = 1000

#: Ids of more digits are not treated as numbers when ids are generated.
MAX_NUMERIC_ID_DIGITS = 15


class Stream:
    """Groups that grow with a stream of articles.

    `window` is the longest time between related articles, see `Index`. `store` is the store of the signatures, by
    default the memory of this process; articles that it already has are in no group.

    A detector whose decisions depend on the collection, such as `event`, is calibrated on the articles of the stream:
    at 1,000 different ones (before the first batch, if it has as many), and again whenever they have doubled. Earlier
    groups do not change. A detector that was fitted on older news keeps that calibration; with a store, only such a one
    is calibrated.
    """

    def __init__(self, detector: Detector | str = "event", store: Store | None = None, window: timedelta | None = None):
        self.detector = parse(detector) if isinstance(detector, str) else detector
        if not self.detector.fitted:
            raise NotFittedError(
                f"{self.detector.name}: needs word frequencies before the first article is added",
                "fit it on older news first: parse(…).fit([prepare(articles)])",
            )
        self._reach = reach_of(window)
        self.window = window
        self._last_number = 0
        calibrates = store is None and self.detector.calibrates and not self.detector.is_calibrated
        self._calibrate_at = CALIBRATION_MINIMUM if calibrates else None
        self._check_at = CALIBRATION_MINIMUM
        self._index: Index | None = None
        if store is None:
            self._native = _core.engine.Stream(self.detector.native, self._reach)
        else:
            # relations are found in the store; the native stream keeps the groups
            self._index = Index(self.detector, store, window)
            self._native = _core.engine.Stream()

    def add(self, articles: Iterable[Article | Mapping[str, Any] | str]) -> list[Change]:
        """Adds articles in order; an article with a known id is a new version and replaces the old one."""
        doubts: list[Doubt] = []
        is_first = not self._last_number
        # generated ids continue those of earlier batches, so that they name new articles and not new versions
        new = read_articles(articles, doubts=doubts, first=self._last_number + 1, with_metadata=False)
        # and they are greater than all numeric ids so far
        numbers = [
            int(article.id) for article in new if len(article.id) <= MAX_NUMERIC_ID_DIGITS and article.id.isdecimal()
        ]
        self._last_number = max(self._last_number + len(new), *numbers, 0)
        warn(doubts, 2)
        features = prepare(new)
        if self._index is not None:
            return changes_from_core(
                self._native.add(features.ids, features.microseconds, related=self._related(features))
            )
        if is_first and self._calibrate_at is not None and len(set(features.texts)) >= self._calibrate_at:
            # large enough to calibrate before any group is formed
            self.detector = self.detector.fit([features])
            self._native = _core.engine.Stream(self.detector.native, self._reach)
            self._calibrate_at = self._check_at = 2 * len(features)
        signatures = self.detector.signature_rows(features).columns
        changes = changes_from_core(
            self._native.add(features.ids, features.microseconds, sources=self._sources(features), rows=signatures)
        )
        if self._calibrate_at is not None and len(self) >= self._check_at:
            self._calibrate_if_doubled(self._calibrate_at)
        return changes

    def _calibrate_if_doubled(self, wanted: int) -> None:
        """Calibrates the detector if the stream has so many different articles; copies show nothing new."""
        different = self._native.sizes[1]
        if different >= wanted:
            self.detector = self.detector.restore(self._native.calibrate())
            wanted = self._calibrate_at = 2 * different
        # counting takes a while, and an article adds at most one
        self._check_at = len(self) + wanted - different

    def remove(self, ids: list[str]) -> list[Change]:
        """Removes articles; their groups may split."""
        ids = ids_of(ids)
        if self._index is not None:
            self._index.remove(ids)
        return changes_from_core(self._native.remove(ids))

    def expire(self, before: datetime) -> list[Change]:
        """Removes the articles published before a time, which is UTC if it has no zone."""
        if self._index is not None:
            self._index.expire(before)
        return changes_from_core(self._native.remove(before=microseconds_of(before)))

    def group_of(self, id: str) -> int | None:
        """Returns the number of the group of an article; None if it is in none."""
        try:
            return self._native[id]
        except KeyError:
            return None

    def groups(self) -> dict[int, tuple[str, ...]]:
        """Returns the articles of every group, in the order in which they were added."""
        return {number: tuple(members) for number, members in self._native.groups}

    def __len__(self) -> int:
        """Number of articles."""
        return len(self._native)

    def __repr__(self) -> str:
        return shown_index(self, self.detector, self.window)

    def _sources(self, features: Features) -> list[int]:
        """Returns the hashes of the sources; zeros if the detector does not distinguish revisions of a source."""
        if Kind.SHARES_TEXT not in self.detector.reports:
            return [0] * len(features)
        return [_core.detectors.source_hash(source or "") for source in features.sources]

    def _related(self, features: Features) -> list[list[_core.engine.RelatedRow]]:
        """Returns for every article the earlier ones of the same story, as the core wants them."""
        assert self._index is not None
        place = {id: at for at, id in enumerate(features.ids)}
        found: list[list[NewRelation]] = [[] for _ in place]
        for relation, source, sample in zip(*self._index.search(self._index.put(features)), strict=True):
            if relation.kind in JOINING:
                left, right = relation.left, relation.right
                # of two new articles, left is the later one
                if place.get(left, -1) < place.get(right, -1):
                    left, right = right, left
                found[place[left]].append(NewRelation(relation, right, source, sample))
        return [rows_for_groups(every, strongest(every, MAX_RELATIONS)) for every in found]


def changes_from_core(changes: Iterable[_core.engine.GroupChange]) -> list[Change]:
    """Converts the changes of the core."""
    return [Change(what, group, tuple(articles), other) for what, group, articles, other in changes]

"""Groups of a stream: articles come one after the other, and groups keep their numbers.

    stream = Stream("event", window=timedelta(days=7))
    for change in stream.add(articles):
        print(change)                         # 12 opened by a; b joined 12; 15 became part of 12; …

The rule is that of the grouping `majority`: two groups become one when more than half of the pairs between them are
related, the strongest first. Here it is asked whenever an article comes, so that a group may differ from the one that
a look at everything at once would give. A copy, an article of the same day with the same signature, goes where its like
is. Of two groups that become one, the older number stays. When an article is taken back, what is left of its group may
fall apart: the part with the oldest article keeps the number. What is forgotten because it is old changes no group but
by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from samestory import _core
from samestory.detectors import Detector, Native, parse
from samestory.errors import NotFittedError
from samestory.index import Index, Store, ids_of, microseconds_of, reach_of
from samestory.model import Article, Features, Kind
from samestory.readers import articles as take
from samestory.readers import warn
from samestory.text import prepare

#: The kinds that make one story of two articles.
JOINING = frozenset(Kind) - {Kind.NONE, Kind.SHARES_TEXT}


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to a group."""

    what: str
    """opened, joined, merged (into `group`), split (off `group`), left, or closed: its last article is gone."""
    group: int
    articles: tuple[str, ...] = ()
    other: int | None = None
    """The group that was merged into this one, or that was split off it."""

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


#: Ids of more digits are no numbers that anybody counts up to.
LONGEST_NUMBER = 15


class Stream:
    """Groups that grow as news comes in.

    `window`: how far apart in time two articles may be and still be related, see `Index`. `store`: where signatures are
    kept, if not in the memory of this process; what was in it before is in no group.
    """

    def __init__(self, detector: Detector | str = "event", store: Store | None = None, window: timedelta | None = None):
        self.detector = parse(detector) if isinstance(detector, str) else detector
        if not self.detector.fitted:
            raise NotFittedError(
                f"{self.detector.name}: needs to know how frequent words are before the first article comes",
                "fit it on older news first: parse(…).fit([prepare(articles)])",
            )
        reach = reach_of(window)
        self._taken = 0
        self._index: Index | None = None
        if isinstance(self.detector, Native) and store is None:
            self._native = _core.Stream(self.detector.native, reach)
        else:
            # who is related is found in the store, and remembered
            self._index = Index(self.detector, store, window)
            self._native = _core.Stream()

    def add(self, articles: Iterable[Article | Mapping[str, Any] | str]) -> list[Change]:
        """Takes articles in, in their order; an id that comes again is a new version and takes the old one's place."""
        doubts: list[str] = []
        # who has no id is numbered on: a second batch is no new version of the first
        new = take(articles, doubts=doubts, first=self._taken + 1)
        # nor does it get an id that somebody gave: all numbers that were ids are behind
        numbers = [int(article.id) for article in new if len(article.id) <= LONGEST_NUMBER and article.id.isdecimal()]
        self._taken = max(self._taken + len(new), *numbers, 0)
        warn(doubts, 2)
        features = prepare(new)
        if self._index is not None:
            return told(self._native.add_related(features.ids, features.microseconds, self._related(features)))
        signatures = self.detector.sign(features).columns
        return told(self._native.add(features.ids, features.microseconds, self._sources(features), signatures))

    def remove(self, ids: list[str]) -> list[Change]:
        """Takes articles back; their groups may fall apart."""
        ids = ids_of(ids)
        if self._index is not None:
            self._index.remove(ids)
        return told(self._native.remove(ids))

    def expire(self, before: datetime) -> list[Change]:
        """Forgets what was published before a time, which is UTC if it has no zone."""
        if self._index is not None:
            self._index.expire(before)
        return told(self._native.expire(microseconds_of(before)))

    def group_of(self, id: str) -> int | None:
        """The number of the group of an article."""
        return self._native.group_of(id)

    def groups(self) -> dict[int, tuple[str, ...]]:
        """The articles of every group, in the order in which they came."""
        return {number: tuple(members) for number, members in self._native.groups()}

    def __len__(self) -> int:
        """How many articles it holds."""
        return len(self._native)

    def _sources(self, features: Features) -> list[int]:
        """Sources as numbers, where anything depends on them: whether a text is a revision of its source's own."""
        if Kind.SHARES_TEXT not in self.detector.reports:
            return [0] * len(features)
        return [_core.source_hash(source or "") for source in features.sources]

    def _related(self, features: Features) -> list[list[tuple[str, float]]]:
        """Of every article, those before it that make one story with it, with their scores."""
        assert self._index is not None
        place = {id: at for at, id in enumerate(features.ids)}
        out: list[list[tuple[str, float]]] = [[] for _ in place]
        for relation in self._index.add(features):
            if relation.kind in JOINING:
                left, right = relation.left, relation.right
                # of two new ones, the later is related to the earlier
                if place.get(left, -1) < place.get(right, -1):
                    left, right = right, left
                out[place[left]].append((right, relation.score))
        return out


def told(changes: Iterable[_core.Told]) -> list[Change]:
    """Changes as the core tells them."""
    return [Change(what, group, tuple(articles), other) for what, group, articles, other in changes]

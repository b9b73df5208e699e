"""Groups of a stream: articles come one after the other, and groups keep their numbers.

    stream = Stream("event", window=timedelta(days=7))
    for change in stream.add(articles):
        print(change)                         # 12 opened by a; b joined 12; 15 became part of 12; …

The rule is that of the grouping `majority`: two groups become one when at least half of the pairs between them are
related, the strongest first. Here it is asked whenever an article comes, so that a group may differ from the one that
a look at everything at once would give. Of two groups that become one, the older number stays. When an article is
taken back, what is left of its group may fall apart: the part with the oldest article keeps the number.
What is forgotten because it is old changes no group but by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from samestory.detectors import Detector, parse
from samestory.errors import NotFittedError
from samestory.groups import Choice, group
from samestory.index import Index, Store, microseconds_of
from samestory.model import NO_TIME, Article, Kind, Overlap, Relation
from samestory.readers import articles as take
from samestory.text import prepare

#: The kinds that make one story of two articles.
JOINING = frozenset({Kind.IDENTICAL, Kind.NEAR, Kind.UPDATE, Kind.SAME_EVENT})


@dataclass(frozen=True)
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


@dataclass
class _Bond:
    """What is between two groups: how many pairs are related, and the sum of their scores."""

    pairs: int = 0
    total: float = 0.0

    def add(self, pairs: int, total: float) -> None:
        self.pairs += pairs
        self.total += total


@dataclass
class _Party:
    members: list[str]
    bonds: dict[int, _Bond] = field(default_factory=dict)


class Stream:
    """Groups that grow as news comes in.

    `window`: how far apart in time two articles may be and still be related, see `Index`.
    """

    def __init__(self, detector: Detector | str = "event", store: Store | None = None, window: timedelta | None = None):
        chosen = parse(detector) if isinstance(detector, str) else detector
        if not chosen.fitted:
            raise NotFittedError(
                f"{chosen.name}: needs to know how frequent words are before the first article comes",
                "fit it on older news first: parse(…).fit([prepare(articles)])",
            )
        self.index = Index(chosen, store, window)
        self._parties: dict[int, _Party] = {}
        self._group: dict[str, int] = {}
        self._scores: dict[str, dict[str, float]] = {}
        """Of every article that has any, the related ones with their scores."""
        self._published: dict[str, int] = {}
        """When, in microseconds, of the articles of which that is known."""
        self._next = 1

    def add(self, articles: Iterable[Article | Mapping[str, Any] | str]) -> list[Change]:
        """Takes articles in, in their order; an id that comes again is a new version and takes the old one's place."""
        new = list({article.id: article for article in take(articles)}.values())
        changes = list(self._forget([a.id for a in new if a.id in self._group], check=True))
        related: dict[str, dict[str, float]] = {article.id: {} for article in new}
        place = {article.id: at for at, article in enumerate(new)}
        features = prepare(new)
        for relation in self.index.add(features):
            if relation.kind not in JOINING:
                continue
            left, right = relation.left, relation.right
            # of two new ones, the later is related to the earlier
            if place.get(left, -1) < place.get(right, -1):
                left, right = right, left
            related[left][right] = relation.score
        times = zip(features.ids, features.microseconds, strict=True)
        self._published.update((id, time) for id, time in times if time != NO_TIME)
        for article in new:
            changes.extend(self._settle(article.id, related[article.id]))
        return changes

    def remove(self, ids: list[str]) -> list[Change]:
        """Takes articles back; their groups may fall apart."""
        self.index.remove(ids)
        return list(self._forget([id for id in dict.fromkeys(ids) if id in self._group], check=True))

    def expire(self, before: datetime) -> list[Change]:
        """Forgets what was published before a time, which is UTC if it has no zone."""
        self.index.expire(before)
        limit = microseconds_of(before)
        return list(self._forget([id for id, time in self._published.items() if time < limit], check=False))

    def group_of(self, id: str) -> int | None:
        """The number of the group of an article."""
        return self._group.get(id)

    def groups(self) -> dict[int, tuple[str, ...]]:
        """The articles of every group, in the order in which they came."""
        return {number: tuple(party.members) for number, party in self._parties.items()}

    def _settle(self, id: str, related: Mapping[str, float]) -> Iterator[Change]:
        number = self._open([id])
        for other, score in related.items():
            self._scores.setdefault(id, {})[other] = score
            self._scores.setdefault(other, {})[id] = score
            self._bind(number, self._group[other], 1, score)
        first, joined = number, False
        while (best := self._best(number)) is not None:
            kept, gone = min(number, best), max(number, best)
            self._merge(kept, gone)
            if gone == first and not joined:
                yield Change("joined", kept, (id,))
            else:
                yield Change("merged", kept, other=gone)
            number, joined = kept, True
        if not joined:
            yield Change("opened", number, (id,))

    def _open(self, members: list[str]) -> int:
        number = self._next
        self._next += 1
        self._parties[number] = _Party(members)
        self._group.update(dict.fromkeys(members, number))
        return number

    def _bind(self, one: int, other: int, pairs: int, total: float) -> None:
        for here, there in ((one, other), (other, one)):
            self._parties[here].bonds.setdefault(there, _Bond()).add(pairs, total)

    def _best(self, number: int) -> int | None:
        """The group that this one should join, if any: the greatest mean of those with a majority, the older first."""
        own = self._parties[number]
        offers = []
        for other, bond in own.bonds.items():
            pairs = len(own.members) * len(self._parties[other].members)
            if 2 * bond.pairs >= pairs:
                offers.append((bond.total / pairs, -other))
        return -max(offers)[1] if offers else None

    def _merge(self, kept: int, gone: int) -> None:
        party = self._parties.pop(gone)
        own = self._parties[kept]
        own.members.extend(party.members)
        self._group.update(dict.fromkeys(party.members, kept))
        own.bonds.pop(gone, None)
        for other, bond in party.bonds.items():
            if other != kept:
                del self._parties[other].bonds[gone]
                self._bind(kept, other, bond.pairs, bond.total)

    def _forget(self, ids: list[str], check: bool) -> Iterator[Change]:
        touched = []
        for id in ids:
            number = self._group.pop(id)
            self._published.pop(id, None)
            party = self._parties[number]
            party.members.remove(id)
            for other, score in self._scores.pop(id, {}).items():
                del self._scores[other][id]
                there = self._group.get(other)
                if there is not None and there != number:
                    self._bind(number, there, -1, -score)
                    self._drop_empty(number, there)
            if party.members:
                touched.append(number)
                yield Change("left", number, (id,))
            else:
                for neighbour in party.bonds:
                    del self._parties[neighbour].bonds[number]
                del self._parties[number]
                yield Change("closed", number, (id,))
        for number in dict.fromkeys(touched) if check else ():
            if number in self._parties:
                yield from self._split(number)

    def _drop_empty(self, one: int, other: int) -> None:
        if self._parties[one].bonds[other].pairs <= 0:
            del self._parties[one].bonds[other], self._parties[other].bonds[one]

    def _split(self, number: int) -> Iterator[Change]:
        """Looks at what is left of a group, all at once."""
        members = self._parties[number].members
        inside = [
            Relation(a, b, Kind.NEAR, Overlap(s, s), "", s)
            for a in members
            for b, s in self._scores.get(a, {}).items()
            if a < b and self._group.get(b) == number
        ]
        known = group(inside, Choice("majority"), [Article(id, "") for id in members])
        if len(known) < 2:
            return
        order = {id: at for at, id in enumerate(members)}
        parts = sorted((sorted(part.members, key=order.__getitem__) for part in known), key=lambda part: order[part[0]])
        for other in self._parties[number].bonds:
            del self._parties[other].bonds[number]
        self._parties[number] = _Party(parts[0])
        numbers = [number, *(self._open(part) for part in parts[1:])]
        for a in members:
            for b, score in self._scores.get(a, {}).items():
                here, there = self._group[a], self._group[b]
                # what lies between two of the parts is met from both sides
                if here != there and (there not in numbers or a < b):
                    self._bind(here, there, 1, score)
        yield from (Change("split", number, tuple(self._parties[n].members), other=n) for n in numbers[1:])

"""Groups of a stream the slow way: every related pair is kept, and every two groups are looked at again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from samestory import Article, Index, prepare
from samestory.detectors import Detector
from samestory.index import microseconds_of
from samestory.model import JOINING, NO_TIME, Kind
from samestory.stream import Change
from tests.reference.groups import are_one_topic, majority

#: Scores are added up in steps of this size, so that no sum depends on its order.
STEP = Fraction(1, 2**24)
DAY = 24 * 3600 * 10**6


class SlowStream:
    """The rule of `samestory.Stream`: an article is asked about the groups in which it has a majority itself.

    `copies`: do copies go where their like is, and is what comes again as it was nothing new?
    """

    def __init__(self, detector: Detector, window: timedelta | None = None, copies: bool = True) -> None:
        self.index, self.detector = Index(detector, None, window), detector
        self.stretch = DAY if window is None else max(1, min(DAY, window // timedelta(microseconds=1)))
        self.copies = copies
        self.members: dict[int, list[str]] = {}
        self.scores: dict[frozenset[str], Fraction] = {}
        self.likes: dict[str, Any] = {}
        self.known: dict[str, Any] = {}
        self.times: dict[str, int] = {}
        self.last = 0

    def groups(self) -> dict[int, tuple[str, ...]]:
        return {number: tuple(self.members[number]) for number in sorted(self.members)}

    def between(self, one: int, other: int) -> list[Fraction]:
        """The scores of the related pairs between two groups."""
        pairs = (frozenset({a, b}) for a in self.members[one] for b in self.members[other])
        return [self.scores[pair] for pair in pairs if pair in self.scores]

    def add(self, articles: Sequence[Article]) -> list[Change]:
        if self.copies:
            articles = [article for article in articles if self.known.get(article.id) != self._about(article)]
        self.known |= {article.id: self._about(article) for article in articles}
        homes = {
            id: number
            for number, members in self.members.items()
            for id in members
            if any(article.id == id for article in articles)
        }
        changes = list(self._forget([a.id for a in articles if a.id in self.times], check=True))
        closed = {change.group for change in changes if change.what == "closed"}
        if not articles:
            return changes
        features = prepare(articles)
        for relation in self.index.add(features):
            if relation.kind in JOINING:
                pair = frozenset({relation.left, relation.right})
                self.scores[pair] = round(Fraction(relation.score) / STEP) * STEP
        signatures = self.detector.sign(features)
        keys = self.detector.keys(signatures).lengths().tolist()
        for at, id in enumerate(features.ids):
            time = features.microseconds[at]
            start = time if time == NO_TIME else time // self.stretch
            like = (signatures[at], start) if self.copies and keys[at] else id
            changes.extend(self._settle(id, time, like))
            if changes[-1].what == "opened" and homes.get(id) in closed:
                # a group all of whose articles have new versions is the same group
                closed.remove(homes[id])
                self.members[homes[id]] = self.members.pop(changes[-1].group)
                changes[-1] = Change("opened", homes[id], (id,))
        return changes

    def _about(self, article: Article) -> Any:
        """What an article is to the stream."""
        features = prepare([article])
        source = (article.source or "").strip().lower() if Kind.SHARES_TEXT in self.detector.reports else ""
        return self.detector.sign(features)[0], source, features.microseconds[0]

    def remove(self, ids: list[str]) -> list[Change]:
        self.index.remove(ids)
        self.known = {id: about for id, about in self.known.items() if id not in ids}
        return list(self._forget([id for id in dict.fromkeys(ids) if id in self.times], check=True))

    def expire(self, before: datetime) -> list[Change]:
        self.index.expire(before)
        limit = microseconds_of(before)
        self.known = {id: about for id, about in self.known.items() if not NO_TIME != about[2] < limit}
        every = (id for members in self.groups().values() for id in members)
        return list(self._forget([id for id in every if NO_TIME != self.times[id] < limit], check=False))

    def _settle(self, id: str, time: int, like: Any) -> Iterator[Change]:
        self.last += 1
        number, first = self.last, True
        for known, members in self.members.items():
            if any(self.likes[member] == like for member in members):
                self.last -= 1
                number, first = known, False
        own = {
            other for other, members in self.members.items() if other != number and self._has_majority([id], members)
        }
        self.members.setdefault(number, []).append(id)
        self.likes[id], self.times[id] = like, time
        if not first:
            yield Change("joined", number, (id,))
        while (best := self._best(number, own & self.members.keys())) is not None:
            kept, gone = min(number, best), max(number, best)
            self.members[kept].extend(self.members.pop(gone))
            yield Change("joined", kept, (id,)) if first else Change("merged", kept, other=gone)
            number, first = kept, False
        if first:
            yield Change("opened", number, (id,))

    def _has_majority(self, one: list[str], other: list[str]) -> bool:
        related = [frozenset({a, b}) in self.scores for a in one for b in other]
        return 2 * sum(related) > len(related)

    def _is_topic(self, one: int, other: int) -> bool:
        def score(a: str, b: str) -> float | None:
            found = self.scores.get(frozenset({a, b}))
            return 1.0 if self.likes[a] == self.likes[b] else None if found is None else float(found)

        both = self.members[one], self.members[other]
        large = min(len({self.likes[id] for id in members}) for members in both) >= 4
        return large and are_one_topic(*both, score)

    def _best(self, number: int, others: set[int]) -> int | None:
        offers = []
        for other in others - {number}:
            if self._has_majority(self.members[number], self.members[other]) and not self._is_topic(number, other):
                pairs = len(self.members[number]) * len(self.members[other])
                offers.append((sum(self.between(number, other), Fraction()) / pairs, -other))
        return -max(offers)[1] if offers else None

    def _forget(self, ids: list[str], check: bool) -> Iterator[Change]:
        touched = []
        for id in ids:
            number = next(number for number, members in self.members.items() if id in members)
            self.members[number].remove(id)
            del self.likes[id], self.times[id]
            self.scores = {pair: score for pair, score in self.scores.items() if id not in pair}
            yield Change("left" if self.members[number] else "closed", number, (id,))
            touched.append(number)
            if not self.members[number]:
                del self.members[number]
        for number in dict.fromkeys(touched):
            if check and number in self.members:
                yield from self._split(number)

    def _split(self, number: int) -> Iterator[Change]:
        members = self.members[number]
        lots: dict[Any, set[str]] = {}
        for id in members:
            lots.setdefault(self.likes[id], set()).add(id)
        joined: dict[str, dict[str, float]] = {id: {} for id in members}
        for a in members:
            joined[a] = {b: float(s) for b in members if (s := self.scores.get(frozenset({a, b}))) is not None}
        whole = majority(
            sorted(members), joined, [frozenset(lot) for lot in lots.values()], like=self.likes.__getitem__
        )
        found = whole.values()
        parts = sorted(
            (sorted(part, key=members.index) for part in found),
            key=lambda part: min((self.times[id], id) for id in part),
        )
        self.members[number] = parts[0]
        for part in parts[1:]:
            self.last += 1
            self.members[self.last] = part
            yield Change("split", number, tuple(part), other=self.last)

"""Dropped articles: what a run groups, and the relation of every member to the representative of its group.

Relations and groups come from one fitted run over the whole collection, never from comparing two articles alone: a
detector may weigh a pair by statistics of the collection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samestory.detectors import Detector, Native
from samestory.groups import Choice
from samestory.index import relate_batch
from samestory.jobs import grouped, run_on
from samestory.model import KINDS, Article, Kind
from samestory.text import prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The kind of a member that has no relation to its representative, only to other members of the group.
INDIRECT = "indirect"


@dataclass(frozen=True, slots=True)
class Drop:
    """An article that deduplication would drop, and the representative for which it would."""

    article: str
    representative: str
    kind: str
    """Of the article to its representative; `indirect` where they are not related to each other."""
    forward: float | None
    """The share of the article found in its representative."""
    backward: float | None
    score: float | None
    words: int
    representative_words: int
    members: int
    """Articles in the group."""
    days_apart: int | None
    """Days between the two; None where a date is missing."""
    false: bool | None
    """Is it presumed false, its representative lying in another block? None where there are no blocks."""

    @property
    def share(self) -> float | None:
        """The larger of the two shares."""
        return None if self.forward is None or self.backward is None else max(self.forward, self.backward)

    @property
    def length_ratio(self) -> float:
        """The words of the longer of the two, in words of the shorter one."""
        longer, shorter = max(self.words, self.representative_words), min(self.words, self.representative_words)
        return longer / max(shorter, 1)

    def as_dict(self) -> dict[str, Any]:
        """The drop as it stands in a line of JSON."""
        return {
            "article": self.article,
            "representative": self.representative,
            "kind": self.kind,
            "forward": None if self.forward is None else round(self.forward, 4),
            "backward": None if self.backward is None else round(self.backward, 4),
            "words": [self.words, self.representative_words],
            "members": self.members,
            "days_apart": self.days_apart,
            "presumed_false": self.false,
        }


@dataclass(frozen=True, slots=True)
class DropGroup:
    """A group of two or more: its blocks, and every member but the representative."""

    blocks: int
    """Blocks that its members lie in; 0 where there are none."""
    drops: tuple[Drop, ...]

    @property
    def members(self) -> int:
        """Articles in it."""
        return len(self.drops) + 1

    @property
    def false(self) -> int:
        """Its drops that are presumed false."""
        return sum(bool(drop.false) for drop in self.drops)


@dataclass(frozen=True, eq=False)
class _Findings:
    """Groups of two or more as rows of numbers, the representative first, and relations in columns."""

    ids: Sequence[str]
    words: Sequence[int]
    groups: list[list[int]]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    shares: NDArray[np.float64]
    """Forward, backward and score."""


def find_drops(
    articles: Sequence[Article],
    detector: Detector,
    choice: Choice,
    blocks: Mapping[str, int],
    days: Mapping[str, int],
    threads: int = 0,
) -> list[DropGroup]:
    """The groups of two or more that a detector finds, each with its dropped articles.

    `blocks` and `days` are those of the dates, whether or not the detector may see these.
    """
    found = _native(articles, detector, choice, threads) if isinstance(detector, Native) else None
    found = found or _in_python(articles, detector, choice)
    relations = _Lookup(found)
    out = []
    for representative, *members in found.groups:
        ids = [found.ids[each] for each in (representative, *members)]
        home = blocks.get(ids[0])
        drops = []
        for member, id in zip(members, ids[1:], strict=True):
            kind, forward, backward, score = relations.of(member, representative)
            apart = abs(days[id] - days[ids[0]]) if id in days and ids[0] in days else None
            false = None if home is None or id not in blocks else blocks[id] != home
            words = found.words[member], found.words[representative]
            drops.append(Drop(id, ids[0], kind, forward, backward, score, *words, len(ids), apart, false))
        out.append(DropGroup(len({blocks[id] for id in ids if id in blocks}), tuple(drops)))
    return out


class _Lookup:
    """The relation of two articles, by binary search over the sorted keys of all related pairs."""

    def __init__(self, found: _Findings) -> None:
        import numpy as np

        self._count = len(found.ids)
        keys = np.minimum(found.left, found.right) * self._count + np.maximum(found.left, found.right)
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        self._found = found

    def of(self, article: int, representative: int) -> tuple[str, float | None, float | None, float | None]:
        """Kind, forward, backward and score, the article being left."""
        key = min(article, representative) * self._count + max(article, representative)
        at = int(self._keys.searchsorted(key))
        if at == len(self._keys) or self._keys[at] != key:
            return INDIRECT, None, None, None
        row = int(self._order[at])
        kind = KINDS[int(self._found.kinds[row])]
        forward, backward, score = self._found.shares[row].tolist()
        if int(self._found.left[row]) != article:
            kind, forward, backward = kind.flipped, backward, forward
        return str(kind), forward, backward, score


def _native(articles: Sequence[Article], detector: Native, choice: Choice, threads: int) -> _Findings:
    import numpy as np

    run = run_on(articles, detector, threads=threads)
    left, right, kinds, *shares = run.relations().columns()
    groups = [
        [representative, *(member for member in members if member != representative)]
        for representative, members, *_ in run.groups(choice).rows(2)
    ]
    return _Findings(
        run.corpus.ids(),
        np.frombuffer(run.corpus.words(), np.uint32).tolist(),
        groups,
        np.frombuffer(left, np.uint32).astype(np.int64),
        np.frombuffer(right, np.uint32).astype(np.int64),
        np.frombuffer(kinds, np.uint8),
        np.stack([np.frombuffer(column, np.float64) for column in shares], axis=1),
    )


def _in_python(articles: Sequence[Article], detector: Detector, choice: Choice) -> _Findings:
    import numpy as np

    features = prepare(articles)
    relations, batch = relate_batch(detector, prepare([]), features)
    ids = [article.id for article in articles]
    number = {id: at for at, id in enumerate(ids)}
    groups = [
        [number[each.representative], *(number[id] for id in each.members if id != each.representative)]
        for each in grouped(relations, batch, choice, articles, [])
        if len(each.members) > 1
    ]
    return _Findings(
        ids,
        features.tokens.lengths().tolist(),
        groups,
        np.array([number[each.left] for each in relations], np.int64),
        np.array([number[each.right] for each in relations], np.int64),
        np.array([KINDS.index(Kind(each.kind)) for each in relations], np.uint8),
        np.array([(*each.overlap, each.score) for each in relations], np.float64).reshape(-1, 3),
    )

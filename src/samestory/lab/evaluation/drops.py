"""Dropped articles: the groups of a run, and the relation of every member to its representative.

Relations and groups are computed by one fitted run over the whole collection, never by comparing two articles alone: a
detector may weight a pair by statistics of the collection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samestory.detectors import Detector
from samestory.groups import GroupingOptions
from samestory.index import Columns
from samestory.model import KINDS, Article
from samestory.run import run_on

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The kind of a member that has no relation to its representative, only to other members of the group.
INDIRECT = "indirect"


@dataclass(frozen=True, slots=True)
class Drop:
    """An article that deduplication would drop, and the representative that is kept."""

    article: str
    representative: str
    kind: str
    """Kind of the relation from the article to its representative; `indirect` where the two are not related."""
    forward: float | None
    """The share of the article that is also in its representative."""
    backward: float | None
    score: float | None
    words: int
    representative_words: int
    members: int
    """Articles in the group."""
    days_apart: int | None
    """Days between the two; None where a date is missing."""
    false: bool | None
    """Whether it is presumed false: its representative is in another block. None where there are no blocks."""

    @property
    def share(self) -> float | None:
        """The larger of the two shares."""
        return None if self.forward is None or self.backward is None else max(self.forward, self.backward)

    @property
    def length_ratio(self) -> float:
        """Word count of the longer article divided by that of the shorter one."""
        longer, shorter = max(self.words, self.representative_words), min(self.words, self.representative_words)
        return longer / max(shorter, 1)

    def to_dict(self) -> dict[str, Any]:
        """Return the drop as a JSON object."""
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
    """A group of two or more: its number of blocks, and every member but the representative."""

    blocks: int
    """Number of blocks that its members are in; 0 where there are none."""
    drops: tuple[Drop, ...]

    @property
    def members(self) -> int:
        """Number of articles in the group."""
        return len(self.drops) + 1

    @property
    def false(self) -> int:
        """Number of drops presumed false."""
        return sum(bool(drop.false) for drop in self.drops)


@dataclass(frozen=True, eq=False)
class _Grouping:
    """Groups of two or more as lists of article numbers, the representative first, and relations as columns."""

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
    options: GroupingOptions,
    blocks: Mapping[str, int],
    days: Mapping[str, int],
    threads: int = 0,
) -> list[DropGroup]:
    """Return the groups of two or more that a detector makes, each with its dropped articles.

    `blocks` and `days` are derived from the dates, whether or not the detector may use these.
    """
    grouping = _grouping(articles, detector, options, threads)
    relations = _RelationLookup(grouping)
    out = []
    for representative, *members in grouping.groups:
        ids = [grouping.ids[each] for each in (representative, *members)]
        kept_block = blocks.get(ids[0])
        drops = []
        for member, id in zip(members, ids[1:], strict=True):
            kind, forward, backward, score = relations.find(member, representative)
            apart = abs(days[id] - days[ids[0]]) if id in days and ids[0] in days else None
            false = None if kept_block is None or id not in blocks else blocks[id] != kept_block
            words = grouping.words[member], grouping.words[representative]
            drops.append(Drop(id, ids[0], kind, forward, backward, score, *words, len(ids), apart, false))
        out.append(DropGroup(len({blocks[id] for id in ids if id in blocks}), tuple(drops)))
    return out


class _RelationLookup:
    """Relation of two articles, by binary search over the sorted keys of all related pairs."""

    def __init__(self, grouping: _Grouping) -> None:
        import numpy as np

        self._count = len(grouping.ids)
        keys = np.minimum(grouping.left, grouping.right) * self._count + np.maximum(grouping.left, grouping.right)
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        self._grouping = grouping

    def find(self, article: int, representative: int) -> tuple[str, float | None, float | None, float | None]:
        """Return kind, forward, backward and score, with the article on the left."""
        key = min(article, representative) * self._count + max(article, representative)
        at = int(self._keys.searchsorted(key))
        if at == len(self._keys) or self._keys[at] != key:
            return INDIRECT, None, None, None
        row = int(self._order[at])
        kind = KINDS[int(self._grouping.kinds[row])]
        forward, backward, score = self._grouping.shares[row].tolist()
        if int(self._grouping.left[row]) != article:
            kind, forward, backward = kind.flipped, backward, forward
        return str(kind), forward, backward, score


def _grouping(articles: Sequence[Article], detector: Detector, options: GroupingOptions, threads: int) -> _Grouping:
    import numpy as np

    run = run_on(articles, detector, threads=threads)
    found = Columns.from_core(run.relations())
    groups = [
        [row.representative, *(member for member in row.members if member != row.representative)]
        for row in run.groups(options)
        if len(row.members) > 1
    ]
    read = run.corpus.articles()
    return _Grouping(
        read.ids,
        np.asarray(read.words).tolist(),
        groups,
        *found[:3],
        np.stack([found.forward, found.backward, found.scores], axis=1),
    )

"""Resemblance of all pairs that a gold standard tells about, and how well it tells duplicates from others.

    r = |A ∩ B| / |A ∪ B|

over sets of word shingles, counted exactly. Judged pairs are compared as they stand; of groups all pairs are, save
that of more than `MOST` pairs across groups so many are drawn: the area is a mean over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from samestory.detectors import Detector
from samestory.detectors.cedar import Cedar
from samestory.errors import InputError
from samestory.experiments.collection import Collection
from samestory.lab import GoldGroups, GoldPairs
from samestory.measures import JudgedPairs
from samestory.measures.roc_area import RocArea
from samestory.model import Article, Features, Pairs
from samestory.text import prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Pairs across groups that are compared at most, drawn with this seed.
MOST, SEED = 1_000_000, 2007


@dataclass(frozen=True, eq=False)
class Compared:
    """The pairs of a collection, as rows of its features, and which of them are duplicates."""

    features: Features
    pairs: Pairs
    gold: NDArray[np.bool_]
    others: int
    """How many pairs are no duplicates, of which those in `pairs` may be a sample."""

    @property
    def note(self) -> str:
        """What was compared."""
        positives = int(self.gold.sum())
        drawn = len(self.gold) - positives
        sample = f"{drawn:,} drawn of " if drawn < self.others else ""
        return f"{positives:,} duplicate pairs, {sample}{self.others:,} others"

    def of(self, articles: Sequence[Article]) -> Compared:
        """The same pairs with other texts of the same articles, in the same order."""
        return replace(self, features=prepare(articles))

    def area(self, shingle: int, frequent: float = 0.0) -> tuple[float, float]:
        """The area under the ROC curve with shingles of so many words, and the error of Hanley and McNeil.

        `frequent` percent of the shingles are left out, those that stand in most articles.
        """
        return self.area_of(Cedar(shingle=shingle, threshold=0.0, frequent=frequent))

    def area_of(self, detector: Detector) -> tuple[float, float]:
        """The same by what a detector says, which should say something of every pair: its threshold should be 0."""
        signatures = (detector := detector.fit([self.features])).sign(self.features)
        data = JudgedPairs(self.gold, score=detector.compare(signatures, signatures, self.pairs).score)
        area, error = RocArea().point(data), RocArea().standard_error(data)
        assert area is not None and error is not None  # there are pairs of both kinds
        return area, error


def compared(collection: Collection, articles: Sequence[Article] | None = None) -> Compared:
    """The pairs that the gold of a collection tells about; the articles are those of its files, or others."""
    gold = collection.gold
    assert gold is not None
    articles = collection.articles() if articles is None else articles
    number = {article.id: at for at, article in enumerate(articles)}
    for name, row in gold.ids():
        if name not in number:
            raise InputError(f"{gold.path}:{gold.lines[row]}: no article has the id {name!r}")
    left, right, labels, others = _judged(gold, number) if isinstance(gold, GoldPairs) else _grouped(gold, number)
    if labels.all() or not labels.any():
        raise InputError(f"{gold.path}: an area wants duplicate pairs and others, and there is one kind only")
    collection.tell("preparing articles")
    return Compared(prepare(articles), Pairs(left, right), labels, others)


_Found = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.bool_]", int]


def _judged(gold: GoldPairs, number: dict[str, int]) -> _Found:
    import numpy as np

    left, right = (np.array([number[name] for name in side], np.int64) for side in (gold.left, gold.right))
    return left, right, gold.labels, int((~gold.labels).sum())


def _grouped(gold: GoldGroups, number: dict[str, int]) -> _Found:
    import numpy as np

    rows = np.array([number[name] for name in gold.articles], np.int64)
    labels = np.unique(np.array(gold.groups), return_inverse=True)[1]
    count = len(rows)
    ends = np.cumsum(np.bincount(labels))[:-1]
    inside = [_all(members) for members in np.split(np.argsort(labels, kind="stable"), ends)]
    left, right = (np.concatenate([pair[side] for pair in inside]) for side in (0, 1))
    others = count * (count - 1) // 2 - len(left)
    first, second = _all(np.arange(count)) if others <= MOST else _drawn(count)
    across = labels[first] != labels[second]
    left, right = np.concatenate([left, first[across]]), np.concatenate([right, second[across]])
    return rows[left], rows[right], labels[left] == labels[right], others


def _all(members: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    import numpy as np

    one, other = np.triu_indices(len(members), 1)
    return members[one], members[other]


def _drawn(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    import numpy as np

    picked = np.random.default_rng(SEED).integers(0, count, (2, MOST))
    return picked[0], picked[1]

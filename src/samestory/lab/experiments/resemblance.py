"""Resemblance of the pairs of a gold standard, and how well it separates duplicates from other pairs.

    r = |A ∩ B| / |A ∪ B|

over sets of word shingles, computed exactly. Judged pairs are compared as given; of groups, all pairs inside them, and
at most `MAX_NEGATIVE_PAIRS` random pairs across them, since the area is a mean over these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from samestory.detectors import Detector
from samestory.detectors.cedar import Cedar
from samestory.errors import InputError
from samestory.lab.evaluation import GoldGroups, GoldPairs
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.measures import JudgedPairs
from samestory.lab.measures.roc_area import RocArea
from samestory.model import Article, Features, Pairs
from samestory.text import prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The most pairs across groups that are compared, and the seed of their sample.
MAX_NEGATIVE_PAIRS, SEED = 1_000_000, 2007


@dataclass(frozen=True, eq=False)
class LabelledPairs:
    """The pairs of a collection, as rows of its features, and which of them are duplicates."""

    features: Features
    pairs: Pairs
    gold: NDArray[np.bool_]
    others: int
    """Number of pairs that are no duplicates; those in `pairs` may be a sample."""

    @property
    def note(self) -> str:
        """What was compared."""
        positives = int(self.gold.sum())
        drawn = len(self.gold) - positives
        sample = f"{drawn:,} drawn of " if drawn < self.others else ""
        return f"{positives:,} duplicate pairs, {sample}{self.others:,} others"

    def with_texts(self, articles: Sequence[Article]) -> LabelledPairs:
        """Return the same pairs with other texts of the same articles, in the same order."""
        return replace(self, features=prepare(articles))

    def area(self, shingle: int, frequent: float = 0.0) -> tuple[float, float]:
        """Compute the ROC area with shingles of this many words, and the error of Hanley and McNeil.

        `frequent` percent of the shingles, those with the highest document frequency, are left out.
        """
        return self.area_of(Cedar(shingle=shingle, threshold=0.0, frequent=frequent))

    def area_of(self, detector: Detector) -> tuple[float, float]:
        """Compute the same by the scores of a detector, which should have threshold 0 to score every pair."""
        signatures = (detector := detector.fit([self.features])).sign(self.features)
        data = JudgedPairs(self.gold, score=detector.compare(signatures, signatures, self.pairs).score)
        area, error = RocArea().point(data), RocArea().standard_error(data)
        assert area is not None and error is not None  # there are pairs of both kinds
        return area, error


def labelled_pairs(collection: ExperimentInput, articles: Sequence[Article] | None = None) -> LabelledPairs:
    """Return the pairs of the gold of a collection; the articles are those of its files, or the given ones."""
    gold = collection.gold
    assert gold is not None
    articles = collection.articles() if articles is None else articles
    number = {article.id: at for at, article in enumerate(articles)}
    for name, row in gold.ids():
        if name not in number:
            raise InputError(f"{gold.path}:{gold.lines[row]}: no article has the id {name!r}")
    left, right, labels, others = _judged(gold, number) if isinstance(gold, GoldPairs) else _grouped(gold, number)
    if labels.all() or not labels.any():
        raise InputError("an area needs both duplicate and other pairs, but there is only one kind", place=gold.path)
    collection.progress("preparing articles")
    return LabelledPairs(prepare(articles), Pairs(left, right), labels, others)


_PairColumns = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.bool_]", int]


def _judged(gold: GoldPairs, number: dict[str, int]) -> _PairColumns:
    import numpy as np

    left, right = (np.array([number[name] for name in side], np.int64) for side in (gold.left, gold.right))
    return left, right, gold.labels, int((~gold.labels).sum())


def _grouped(gold: GoldGroups, number: dict[str, int]) -> _PairColumns:
    import numpy as np

    rows = np.array([number[name] for name in gold.articles], np.int64)
    labels = np.unique(np.array(gold.groups), return_inverse=True)[1]
    count = len(rows)
    ends = np.cumsum(np.bincount(labels))[:-1]
    inside = [_all_pairs(members) for members in np.split(np.argsort(labels, kind="stable"), ends)]
    left, right = (np.concatenate([pair[side] for pair in inside]) for side in (0, 1))
    others = count * (count - 1) // 2 - len(left)
    first, second = _all_pairs(np.arange(count)) if others <= MAX_NEGATIVE_PAIRS else _random_pairs(count)
    across = labels[first] != labels[second]
    left, right = np.concatenate([left, first[across]]), np.concatenate([right, second[across]])
    return rows[left], rows[right], labels[left] == labels[right], others


def _all_pairs(members: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    import numpy as np

    one, other = np.triu_indices(len(members), 1)
    return members[one], members[other]


def _random_pairs(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    import numpy as np

    picked = np.random.default_rng(SEED).integers(0, count, (2, MAX_NEGATIVE_PAIRS))
    return picked[0], picked[1]

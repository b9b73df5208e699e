"""Area under the ROC curve: the probability that a random duplicate pair scores above a random other pair.

    A = (pairs of pairs with s₊ > s₋, ties half) / (n₊ n₋)

Pairs never compared have score 0 and are included, as ties among themselves. The standard error of Hanley and McNeil

    SE² = [A (1 − A) + (n₊ − 1) (Q₁ − A²) + (n₋ − 1) (Q₂ − A²)] / (n₊ n₋),  Q₁ = A / (2 − A),  Q₂ = 2 A² / (1 + A)

assumes independent pairs, which pairs that share articles are not; the interval of a figure does not assume it.
Hanley and McNeil (1982), as used by (Gibson 2007). [hanley1982, gibson2007]
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from samestory.errors import ParameterError
from samestory.lab.measures.data import JudgedPairs
from samestory.lab.measures.data.base import Flags, Floats, Integers, sums
from samestory.lab.measures.extra import scipy
from samestory.lab.measures.measure import Measure, WeightedValue, share
from samestory.lab.measures.pairs import UNIT, unit_of_pairs

#: Cells (rounds × steps) computed at a time.
MAX_CELLS = 2**22


@dataclass(frozen=True)
class RocArea(Measure[JudgedPairs]):
    """`roc_area()`: how well scores separate duplicates from other pairs, over all thresholds; 0.5 for chance.

    >>> pairs = JudgedPairs([1, 1, 1, 0, 0, 0, 0], score=[0.9, 0.8, 0.4, 0.7, 0.3, 0.2, 0.1])
    >>> round(RocArea().point(pairs), 6), round(RocArea().standard_error(pairs), 6)
    (0.916667, 0.128369)
    """

    name: ClassVar[str] = "roc_area"
    unit: ClassVar[str] = UNIT
    formula: ClassVar[str] = "P(s₊ > s₋) + P(s₊ = s₋) / 2"
    source: ClassVar[str] = "hanley1982, gibson2007"
    needs = (JudgedPairs,)

    def unit_in(self, data: JudgedPairs) -> str:
        return unit_of_pairs(data)

    def on(self, data: JudgedPairs) -> WeightedValue:
        # sorted once; a round then needs the weight of duplicates and of others on every step
        steps, gold, units = _steps(data)
        count = int(steps.max(initial=-1)) + 1

        def on_steps(rows: Flags) -> Any:
            places = (steps[rows], units[rows])
            return scipy("sparse").csr_array((np.ones(int(rows.sum())), places), shape=(count, data.count))

        matrices = on_steps(gold), on_steps(~gold)

        def area(weights: Floats) -> Floats:
            columns = np.ascontiguousarray(weights.T)
            duplicates, others = (matrix @ columns for matrix in matrices)
            below = np.cumsum(others, axis=0) - others / 2
            return share((duplicates * below).sum(axis=0), duplicates.sum(axis=0) * others.sum(axis=0))

        def weighted(weights: Floats) -> Floats:
            at_once = max(1, MAX_CELLS // max(count, 1))
            return np.concatenate([area(weights[row : row + at_once]) for row in range(0, len(weights), at_once)])

        return weighted

    def standard_error(self, data: JudgedPairs) -> float | None:
        """Return the standard error of Hanley and McNeil; None where the area is undefined."""
        area = self.point(data)
        positives = int(data.gold.sum())
        return None if area is None else hanley_mcneil(area, positives, int(data.judged.sum()) - positives)


def _steps(data: JudgedPairs) -> tuple[Integers, Flags, Integers]:
    """Return the judged pairs in ascending order of score: the step of each, whether it is a duplicate, its unit.

    Pairs of one score share a step, and so do neighbours of one kind: their order does not matter.
    """
    scores = data.scores()[data.judged]
    order = np.argsort(scores, kind="stable")
    gold, units = data.gold[data.judged][order], data.units[data.judged][order]
    level = np.concatenate([[0], np.cumsum(np.diff(scores[order]) != 0)]) if len(order) else order
    height = np.bincount(level)
    duplicates = sums(level, gold, len(height))
    kind = np.where(duplicates == 0, 0, np.where(duplicates == height, 1, 2))  # others, duplicates, both
    starts = np.concatenate([[True], (np.diff(kind) != 0) | (kind[1:] == 2)]) if len(kind) else kind == 0
    return (np.cumsum(starts) - 1)[level], gold, units


def hanley_mcneil(area: float, positives: int, negatives: int) -> float:
    """Return the standard error of an area, from the numbers of duplicate and other pairs.

    >>> round(hanley_mcneil(0.91076, 4_815, 1_308_195), 6)
    0.002837
    """
    if not 0 <= area <= 1 or positives < 1 or negatives < 1:
        raise ParameterError(
            f"hanley_mcneil: expected an area in [0, 1] and pairs of both kinds, got {area}, {positives}, {negatives}"
        )
    square = area**2
    first, second = area / (2 - area) - square, 2 * square / (1 + area) - square
    return sqrt((area * (1 - area) + (positives - 1) * first + (negatives - 1) * second) / (positives * negatives))

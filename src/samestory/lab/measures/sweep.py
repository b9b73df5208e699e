"""Threshold sweeps: every measure of pairs at every threshold, from one sort.

A detector scores pairs once. With pairs in descending order of score and the first m accepted, the counts are running
sums, and a measure is its formula on each row of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from samestory.errors import ParameterError
from samestory.lab.measures.data import JudgedPairs
from samestory.lab.measures.data.base import Floats, numbers
from samestory.lab.measures.measure import Measure, SumMeasure, share
from samestory.lab.measures.spec import parse


@dataclass(frozen=True, eq=False)
class Sweep:
    """Counts at thresholds, from the strictest to the laxest.

    A threshold accepts the pairs whose score reaches it. The first, infinity, accepts nothing; pairs never
    compared (score 0) are never accepted.
    """

    thresholds: Floats
    totals: Floats

    def values(self, measure: Measure[Any] | str) -> Floats:
        """Return the measure at every threshold, nan where undefined.

        >>> swept = sweep(JudgedPairs([1, 0, 1], score=[0.9, 0.5, 0.3]))
        >>> swept.values("pair_recall").tolist()
        [0.0, 0.5, 0.5, 1.0]
        """
        measure = parse(measure) if isinstance(measure, str) else measure
        if JudgedPairs not in measure.needs or not isinstance(measure, SumMeasure):
            raise ParameterError(f"sweep: expected a measure of accepted pairs, got {measure}")
        return measure.value(self.totals)

    def best(self, measure: Measure[Any] | str) -> tuple[float, float] | None:
        """Return the strictest threshold with the best value, and that value; None if undefined everywhere."""
        measure = parse(measure) if isinstance(measure, str) else measure
        values = self.values(measure)
        if np.isnan(values).all():
            return None
        place = int(np.nanargmin(np.abs(values - measure.best)))
        return float(self.thresholds[place]), float(values[place])

    def at(self, thresholds: ArrayLike) -> Sweep:
        """Return the counts at these thresholds, in the order given."""
        wanted = numbers(thresholds, "sweep: thresholds")
        # thresholds descend: use the last one that is at least the chosen threshold
        places = np.searchsorted(-self.thresholds, -wanted, side="right") - 1
        return Sweep(wanted, self.totals[places])

    def roc(self) -> tuple[Floats, Floats]:
        """Return the ROC curve of the judged pairs: false-alarm rates and recalls, from (0, 0) to (1, 1)."""
        hits, accepted, gold, _, judged, _ = np.moveaxis(self.totals, -1, 0)
        false_alarms, recalls = share(accepted - hits, judged - gold), share(hits, gold)
        # the last step also accepts pairs never compared
        return np.append(false_alarms, 1.0), np.append(recalls, 1.0)


def sweep(data: JudgedPairs) -> Sweep:
    """Return the counts at every distinct score."""
    scores = data.scores()
    compared = scores > 0
    order = np.flatnonzero(compared)[np.argsort(-scores[compared], kind="stable")]
    falling = scores[order]
    last = np.flatnonzero(np.append(np.diff(falling) != 0, True)) if len(order) else np.zeros(0, np.int64)
    gold, judged = data.gold[order], data.judged[order]
    running = [np.concatenate([[0], np.cumsum(column)[last]]) for column in (gold, judged, ~judged)]
    hits, accepted, unjudged = running
    all_gold, all_judged = np.full(len(hits), data.gold.sum()), np.full(len(hits), data.judged.sum())
    totals = np.stack([hits, accepted, all_gold, unjudged, all_judged, np.zeros(len(hits))], axis=1)
    return Sweep(np.concatenate([[np.inf], falling[last]]), totals.astype(np.float64))

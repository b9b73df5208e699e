"""Adjusted mutual information of two groupings, corrected for chance.

    AMI = (MI − E) / (norm(H_gold, H_found) − E)
    MI  = Σ_ij (n_ij / n) ln(n n_ij / (a_i b_j))
    E   = the mean MI of random groupings with groups of the same sizes

with natural logarithms; a_i and b_j are the sizes of the groups, n_ij the articles in both. `norm` is the larger
entropy ('max', as in the study's library) or the mean of both ('arithmetic', as in current libraries).

Why not scikit-learn: it sums E over pairs of groups, this module over pairs of sizes (see `expected_information`), of
which tens of thousands of groups have a few dozen; and an interval needs E a thousand times.
Undefined where both groupings are all singletons, or one group.
Vinh, Epps and Bailey (2010), as used by (Fomin 2017). [vinh2010, fomin2017]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.lab.measures.data import GroupedArticles
from samestory.lab.measures.data.base import Floats, Integers, sums
from samestory.lab.measures.expected_information import GroupSizes
from samestory.lab.measures.measure import Measure, WeightedValue, share
from samestory.specs import parameter


@dataclass(frozen=True)
class Ami(Measure[GroupedArticles]):
    """`ami(norm='max')`: mutual information of found and gold groups, 0 for chance and 1 for the same groups."""

    name: ClassVar[str] = "ami"
    unit: ClassVar[str] = "document"
    formula: ClassVar[str] = "(MI − E[MI]) / (norm(H_gold, H_found) − E[MI])"
    source: ClassVar[str] = "vinh2010, fomin2017"
    needs = (GroupedArticles,)

    norm: str = parameter("max", "the normaliser of the two entropies", ("max", "arithmetic"))

    def on(self, data: GroupedArticles) -> WeightedValue:
        # all but E is a formula over sums; for E the sizes are recounted in every round
        tally = _tally(data)
        gold_sizes, gold_counts = _sizes(data.gold_units, data.gold_sizes)
        found_sizes, found_counts = _sizes(data.found_units, data.found_sizes)
        sizes = GroupSizes(gold_sizes, found_sizes, len(data))

        def weighted(weights: Floats) -> Floats:
            articles, gold_groups, found_groups, joint, gold_log, found_log = np.moveaxis(weights @ tally, -1, 0)
            expected = sizes.expected(articles, _times(weights, gold_counts), _times(weights, found_counts))
            with np.errstate(divide="ignore", invalid="ignore"):
                log = np.log(articles)
                # Σ n_ij ln n_ij and the like are sums over units; ln n is common to them
                information = log + (joint - gold_log - found_log) / articles
                entropies = log - gold_log / articles, log - found_log / articles
            norm = np.maximum(*entropies) if self.norm == "max" else (entropies[0] + entropies[1]) / 2
            trivial = (gold_groups == found_groups) & ((gold_groups <= 1) | (gold_groups == articles))
            return share(information - expected, np.where(trivial, 0.0, norm - expected))

        return weighted


def _tally(data: GroupedArticles) -> Floats:
    gold, _, both = data.cells
    columns = [
        data.per_unit(data.gold_units, data.gold_sizes),
        data.per_unit(data.gold_units, np.ones(len(data.gold_sizes))),
        data.per_unit(data.found_units, np.ones(len(data.found_sizes))),
        data.per_unit(data.gold_units[gold], both * np.log(both)),
        data.per_unit(data.gold_units, data.gold_sizes * np.log(data.gold_sizes)),
        data.per_unit(data.found_units, data.found_sizes * np.log(data.found_sizes)),
    ]
    return np.stack(columns, axis=1)


SparseCounts = tuple[Integers, Integers, int]


def _sizes(units: Integers, sizes: Integers) -> tuple[Integers, SparseCounts]:
    """Return the distinct sizes, and for every group its unit and the index of its size."""
    distinct, places = np.unique(sizes, return_inverse=True)
    return distinct, (units, places, len(distinct))


def _times(weights: Floats, counts: SparseCounts) -> Floats:
    """Return the number of groups of every size, one row per round."""
    units, places, sizes = counts
    return np.stack([sums(places, row[units], sizes) for row in weights])

"""Adjusted mutual information: what one grouping tells about the other, over what chance would tell.

    AMI = (MI − E) / (norm(H_gold, H_found) − E)
    MI  = Σ_ij (n_ij / n) ln(n n_ij / (a_i b_j))
    E   = the mean MI of random groupings with groups of the same sizes

natural logarithms; a_i and b_j are the sizes of the groups, n_ij the articles in both. `norm` is the larger entropy
('max', what the study's library did) or the mean of both ('arithmetic', what libraries do today).

Why not scikit-learn's: it sums E over pairs of groups, we over pairs of sizes (see `expected_information`), of which
tens of thousands of groups have a few dozen; and an interval needs E a thousand times.
Undefined where both groupings put every article alone, or all into one group.
Vinh, Epps and Bailey (2010), as used by (Fomin 2017). [vinh2010, fomin2017]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.measures.data import Grouped
from samestory.measures.data.base import Floats, Integers, sums
from samestory.measures.expected_information import Sizes
from samestory.measures.measure import Measure, Weighted, share


@dataclass(frozen=True)
class Ami(Measure[Grouped]):
    """`ami(norm='max')`: what the groups found tell about the gold groups, 0 for chance and 1 for the same."""

    name: ClassVar[str] = "ami"
    unit: ClassVar[str] = "document"
    formula: ClassVar[str] = "(MI − E[MI]) / (norm(H_gold, H_found) − E[MI])"
    source: ClassVar[str] = "vinh2010, fomin2017"
    needs = (Grouped,)

    norm: str = "max"

    def __post_init__(self) -> None:
        self._check_choice("norm", "max", "arithmetic")

    def on(self, data: Grouped) -> Weighted:
        """See the base. All but E is a formula over sums; for E the sizes are counted again in every round."""
        tally = _tally(data)
        gold_sizes, gold_counts = _sizes(data.gold_units, data.gold_sizes)
        found_sizes, found_counts = _sizes(data.found_units, data.found_sizes)
        sizes = Sizes(gold_sizes, found_sizes, len(data))

        def weighted(weights: Floats) -> Floats:
            articles, gold_groups, found_groups, joint, gold_log, found_log = np.moveaxis(weights @ tally, -1, 0)
            expected = sizes.expected(articles, _times(weights, gold_counts), _times(weights, found_counts))
            with np.errstate(divide="ignore", invalid="ignore"):
                log = np.log(articles)
                # Σ n_ij ln n_ij and its like are sums over units; ln n is what they have in common
                information = log + (joint - gold_log - found_log) / articles
                entropies = log - gold_log / articles, log - found_log / articles
            norm = np.maximum(*entropies) if self.norm == "max" else (entropies[0] + entropies[1]) / 2
            trivial = (gold_groups == found_groups) & ((gold_groups <= 1) | (gold_groups == articles))
            return share(information - expected, np.where(trivial, 0.0, norm - expected))

        return weighted


def _tally(data: Grouped) -> Floats:
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
    """The sizes there are, and of every group its unit and the place of its size among them."""
    distinct, places = np.unique(sizes, return_inverse=True)
    return distinct, (units, places, len(distinct))


def _times(weights: Floats, counts: SparseCounts) -> Floats:
    """How many groups of every size there are, a row a round."""
    units, places, sizes = counts
    return np.stack([sums(places, row[units], sizes) for row in weights])

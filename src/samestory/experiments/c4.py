"""C4: what DDD should do with short articles."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="C4",
    title="DDD: short articles compared as they are, cut, or padded",
    study="conrad2006",
    relation="fuzzy80",
    key="padding is best; under 20 terms nothing is reliable",
    published=(
        Published("best", "padding, with amendments"),
        Published("unreliable under", 20, "terms"),
    ),
    docs="must",
    gold="must",
    methods={"DDD": "ddd"},
    unpublished="what the amendments were",
)

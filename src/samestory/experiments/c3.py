"""C3: a narrower window of dates for DDD."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="C3",
    title="DDD: window of dates, 12 weeks and 6",
    study="conrad2006",
    relation="fuzzy80",
    key="three false sets vanish, none is lost",
    published=(
        Published("false sets that vanish", 3, "count"),
        Published("true sets lost", 0, "count"),
    ),
    docs="must",
    gold="must",
    methods={"DDD": "ddd"},
)

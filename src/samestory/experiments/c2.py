"""C2: DDD against the sets that assessors named."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="C2",
    title="DDD on training and test queries, by sets of duplicates",
    study="conrad2006",
    place="Table 7",
    relation="fuzzy80",
    key="recall 86/88 and 79/82, precision 86/89 and 79/81",
    published=(
        Published("training, recall", 86 / 88, "share", "printed as 98.0 %"),
        Published("test, recall", 79 / 82, "share", "printed as 96.0 %"),
        Published("training, precision", 86 / 89, "share", "printed as 96.5 %"),
        Published(
            "test, precision", 79 / 81, "share", "without six false sets, removed after the fact; with them 79/87"
        ),
    ),
    docs="must",
    gold="must",
    methods={"DDD": "ddd"},
    unpublished="when a found set counts as right",
)

"""F5: r predicted by a small neural network, a day left out at a time."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.f1 import METHODS
from samestory.experiments.prediction import beside, on_days
from samestory.experiments.r_models import study_network
from samestory.experiments.short_days import merged_days
from samestory.experiments.values import Published, Row


def run(collection: Collection) -> Iterator[Row]:
    """The errors of the printed predictions; then of networks of your days, chosen without the day left out."""
    yield from beside(EXPERIMENT, "mlp_r")
    if collection.gold is not None:
        days = merged_days(collection)
        collection.tell("choosing and training networks")
        yield from on_days("network", study_network(), days)


EXPERIMENT = Experiment(
    name="F5",
    title="neural network for r, leave-one-out",
    study="fomin2017",
    relation="semantic",
    key="mean absolute error 0.114",
    published=(
        Published("mean absolute error", 0.114, "r"),
        Published("root mean square error", 0.204, "r"),
        Published("largest error", 0.767, "r"),
        Published("R² of predictions", 0.854, "share"),
    ),
    docs="may",
    gold="may",
    shape="groups",
    sets=True,
    also=("same",),
    methods=METHODS,
    unpublished="p2 to p7 of every day, and how each day's network was chosen",
    run=run,
)

"""F7: how many components to keep."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="F7",
    title="share of principal components kept, 0.02 to 0.1",
    study="fomin2017",
    relation="semantic",
    key="almost flat, 0.03 chosen",
    published=(
        Published("quality with more components", "almost flat"),
        Published("share chosen", 0.03, "share"),
    ),
    docs="must",
    gold="must",
    shape="groups",
    also=("same",),
    methods={"single linkage": "semshort"},
)

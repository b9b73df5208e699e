"""V1: CoDet with and without stemming."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="V1",
    title="CoDet with and without stemming",
    study="varol2012",
    relation="contains",
    key="F1 0.74 without, 0.76 with the first five letters",
    published=(
        Published("no stemming, F1", 0.74, "share"),
        Published("first five letters, F1", 0.76, "share"),
    ),
    docs="must",
    gold="must",
    shape="pairs",
    methods={"CoDet": "codet"},
)

"""V2: CoDet with and without stop words."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="V2",
    title="CoDet with and without stop words",
    study="varol2012",
    relation="contains",
    key="F1 0.76 both ways; the tree is 1 % smaller without them",
    published=(
        Published("with stop words, F1", 0.76, "share"),
        Published("without stop words, F1", 0.76, "share"),
        Published("tree smaller by", 1, "%"),
    ),
    docs="must",
    gold="must",
    shape="pairs",
    methods={"CoDet": "codet"},
)

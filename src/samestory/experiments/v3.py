"""V3: which weight of words CoDet should use."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="V3",
    title="CoDet with idf, tf and tf·idf",
    study="varol2012",
    relation="contains",
    key="idf is best",
    published=(Published("best weight", "idf"),),
    docs="must",
    gold="must",
    shape="pairs",
    methods={"CoDet": "codet"},
    unpublished="numbers",
)

"""V4: how many suffixes of a sentence CoDet should process."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="V4",
    title="CoDet: processed suffixes of a sentence",
    study="varol2012",
    relation="contains",
    key="F1 almost flat, space grows",
    published=(
        Published("F1 with more suffixes", "almost flat"),
        Published("space with more suffixes", "grows"),
    ),
    docs="must",
    gold="must",
    shape="pairs",
    methods={"CoDet": "codet"},
    unpublished="numbers behind the figure",
)

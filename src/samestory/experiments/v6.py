"""V6: how many similarities CoDet computes."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="V6",
    title="CoDet: similarity values for an article, words sorted or not",
    study="varol2012",
    relation="contains",
    key="341 fall to 3.53 with sorting",
    published=(
        Published("words not sorted", 341, "similarities an article"),
        Published("words sorted", 3.53, "similarities an article"),
    ),
    docs="must",
    methods={"CoDet": "codet"},
)

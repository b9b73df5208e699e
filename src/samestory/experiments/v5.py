"""V5: how many words of a sentence CoDet should process, sorted or not."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="V5",
    title="CoDet: depth threshold, words sorted or not",
    study="varol2012",
    relation="contains",
    key="best at 5 with sorting; sorting is better",
    published=(
        Published("best depth, words sorted", 5, "words", '"six" in another place of the study'),
        Published("words not sorted", "clearly worse at small depths"),
    ),
    docs="must",
    gold="must",
    shape="pairs",
    methods={"CoDet": "codet"},
    unpublished="numbers behind the figure",
)

"""G2: how many of the most frequent shingles to leave out."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="G2",
    title="most frequent shingles left out, 0 to 10 %",
    study="gibson2007",
    place="Figure 4",
    relation="near",
    key="a larger gain than G1",
    published=(Published("area with more left out", "gains more than in G1"),),
    docs="must",
    gold="must",
    methods={"CEDAR": "cedar"},
    unpublished="numbers behind the figure",
)

"""G1: how small a block of a page may be."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="G1",
    title="smallest block of a page that counts, 1 to 20 words",
    study="gibson2007",
    place="Figure 3",
    relation="near",
    key="the area rises to 10, is flat, falls from 17",
    published=(Published("area with larger least blocks", "rises to 10, flat, falls from 17"),),
    docs="must",
    gold="must",
    methods={"CEDAR": "cedar"},
    components=("html",),
    unpublished="numbers behind the figure",
)

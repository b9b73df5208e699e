"""G7: how well blocks of pages are told to be content."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="G7",
    title="extraction of content, by blocks and by whole pages",
    study="gibson2007",
    relation="near",
    key="CRF: precision 97.9, recall 99.5, 80 % of pages without an error",
    published=(
        Published("CE-SIMPLE, block precision in %", 96.0, "%"),
        Published("CE-SIMPLE, block recall in %", 98.1, "%"),
        Published("CE-SIMPLE, pages without an error in %", 58, "%"),
        Published("CE-BEST, block precision in %", 97.9, "%"),
        Published("CE-BEST, block recall in %", 99.5, "%"),
        Published("CE-BEST, pages without an error in %", 80, "%"),
    ),
    docs="must",
    components=("html",),
)

"""Published experiments, each in a file of its own, that run by name on any collection."""

from samestory.experiments import (
    c1,
    c2,
    c3,
    c4,
    c5,
    f1,
    f2,
    f3,
    f4,
    f5,
    f6,
    f7,
    g1,
    g2,
    g3,
    g4,
    g5,
    g6,
    g7,
    u1,
    u2,
    u3,
    u4,
    u5,
    u6,
    v1,
    v2,
    v3,
    v4,
    v5,
    v6,
    v7,
    v8,
    v9,
    v10,
    x1,
    x2,
)
from samestory.experiments.collection import BESIDE, Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.reproduce import about, experiment, reproduce
from samestory.experiments.studies import STUDIES
from samestory.experiments.values import Published, Row

#: Every experiment under its name.
EXPERIMENTS: dict[str, Experiment] = {
    module.EXPERIMENT.name: module.EXPERIMENT
    for module in (
        *(u1, u2, u3, u4, u5, u6),
        *(v1, v2, v3, v4, v5, v6, v7, v8, v9, v10),
        *(g1, g2, g3, g4, g5, g6, g7),
        *(c1, c2, c3, c4, c5),
        *(f1, f2, f3, f4, f5, f6, f7),
        *(x1, x2),
    )
}

__all__ = [
    "BESIDE",
    "EXPERIMENTS",
    "STUDIES",
    "Collection",
    "Experiment",
    "Published",
    "Row",
    "about",
    "experiment",
    "reproduce",
]

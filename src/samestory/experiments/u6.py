"""U6: a pair that only Tweezer finds, and one that only I-Match finds."""

from __future__ import annotations

from samestory.experiments.documents import METHODS
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

EXPERIMENT = Experiment(
    name="U6",
    title="what only one of Tweezer and I-Match finds",
    study="uyar2009",
    relation="near",
    key="a new sentence without entities: Tweezer only; new numbers beside entities: I-Match only",
    published=(
        Published("a first sentence more, without entities", "found by Tweezer only"),
        Published("other numbers right after entities", "found by I-Match only"),
    ),
    methods=METHODS,
    components=("entities",),
)

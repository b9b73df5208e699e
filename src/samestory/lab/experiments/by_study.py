"""What the experiments of each study have in common; an experiment states only what is different."""

from __future__ import annotations

from functools import partial

from samestory.lab.experiments.experiment import Experiment

conrad = partial(
    Experiment,
    study="conrad2006",
    relation="fuzzy80",
    docs="must",
    gold="must",
    also=("near", "same"),
    methods={"DDD": "ddd"},
)
fomin = partial(
    Experiment,
    study="fomin2017",
    relation="semantic",
    docs="may",
    gold="may",
    shape="groups",
    sets=True,
    also=("same",),
    methods={"single linkage": "semshort"},
)
gibson = partial(
    Experiment,
    study="gibson2007",
    relation="near",
    docs="must",
    gold="must",
    also=("identical", "same"),
    components=("html",),
)
uyar = partial(
    Experiment,
    study="uyar2009",
    relation="near",
    docs="may",
)
varol = partial(
    Experiment,
    study="varol2012",
    relation="contains",
    docs="must",
    gold="must",
    shape="pairs",
    methods={"CoDet": "codet"},
)

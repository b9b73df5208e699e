"""V8: five methods on judged containments."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors import DETECTORS
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published, Row
from samestory.lab.evaluate import result, subjects
from samestory.measures import parse

METHODS = {
    "FFP": "ffp",
    "CoDet": "codet",
    "I-Match": "imatch_top10",
    "SimHash": "simhash",
    "DSC": "dsc_varol",
}
#: Method: precision, recall, F1.
FOUND = {
    "FFP": (0.82, 0.88, 0.85),
    "CoDet": (0.75, 0.76, 0.76),
    "I-Match": (0.72, 0.33, 0.45),
    "SimHash": (0.53, 0.30, 0.39),
    "DSC": (0.22, 0.45, 0.30),
}
#: Every pair of the study's methods was judged. A method from outside the pool reports pairs that nobody judged: they
#: are left out, and counted as wrong in a row of their own.
MEASURES = {
    "precision": "pair_precision(unjudged='out')",
    "recall": "pair_recall()",
    "F1": "pair_f(unjudged='out')",
    "F1, unjudged wrong": "pair_f(unjudged='wrong')",
}


def run(collection: Collection) -> Iterator[Row]:
    """What is missing of the published row; then every method that there is, and ours."""
    assert collection.gold is not None
    for label, name in METHODS.items():
        if name not in DETECTORS:
            for value in EXPERIMENT.published:
                if value.what.startswith(f"{label},"):
                    yield value.lacking(f"needs detector {name}")
    labelled = list(collection.detectors(METHODS))
    beside = subjects(collection.gold, [collection.score(detector) for _, detector in labelled], collection.grouping)
    for (label, _), subject in zip(labelled, beside, strict=True):
        found = result(subject, [parse(spec) for spec in MEASURES.values()], rounds=collection.rounds)
        for name, figure in zip(MEASURES, found.figures, strict=True):
            note = f"{found.unjudged:,} reported pairs unjudged" if name.startswith("F1") else ""
            printed = next((v for v in EXPERIMENT.published if v.what == f"{label}, {name}"), None)
            yield printed.figure(figure, note) if printed else Row.of(f"{label}, {name}", figure, note)


EXPERIMENT = Experiment(
    name="V8",
    title="five methods on judged containments",
    study="varol2012",
    relation="contains",
    key="F1: FFP .85, CoDet .76, I-Match .45, SimHash .39, DSC .30",
    published=tuple(
        Published(f"{method}, {what}", value, "share")
        for method, values in FOUND.items()
        for what, value in zip(MEASURES, values, strict=False)
    ),
    docs="must",
    gold="must",
    shape="pairs",
    methods=METHODS,
    run=run,
)

"""C5: the interval of an error rate."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.evaluation.evaluate import subjects
from samestory.lab.experiments.by_study import conrad
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.measures import JudgedPairs, error_interval

#: (errors, articles): half-width of the 95 % interval, in %.
HALF_WIDTHS = {(5, 1_000): 0.44, (10, 2_000): 0.31}
_PRINTED_HALF_WIDTHS = {(5, 1_000): 0.22, (10, 2_000): 0.16}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Recompute the two intervals; then count the errors of detectors on the user's judged pairs."""
    for errors, trials in HALF_WIDTHS:
        found = error_interval(errors, trials, method="normal")
        value = EXPERIMENT.value(f"{errors} errors in {trials:,}: ± %")
        yield value.with_measured(100 * (found.high - found.rate), _wilson(errors, trials))
    if collection.gold is None:
        return
    labelled = list(collection.detectors({}))
    joined = subjects(collection.gold, [collection.score(detector) for _, detector in labelled])
    for (label, _), subject in zip(labelled, joined, strict=True):
        data = subject.at(subject.scored.threshold)
        assert isinstance(data, JudgedPairs)
        errors, trials = int(((data.accepts() != data.gold) & data.judged).sum()), int(data.judged.sum())
        found = error_interval(errors, trials, method="normal")
        low, high = 100 * found.low, 100 * found.high
        note = f"{errors:,} errors in {trials:,} judged pairs; {_wilson(errors, trials)}"
        yield ReportRow(f"{label}, errors in %", None, 100 * found.rate, low, high, YOURS, note, ".3f")


def _wilson(errors: int, trials: int) -> str:
    found = error_interval(errors, trials)
    return f"Wilson {100 * max(found.low, 0.0):.2f} to {100 * found.high:.2f} %"


EXPERIMENT = conrad(
    name="C5",
    title="interval of an error rate of 0.5 %",
    key="0.50 % ± 0.44 % and ± 0.31 % (printed ± 0.22 and ± 0.16 are one σ)",
    published=tuple(
        PublishedValue(
            f"{errors} errors in {trials:,}: ± %",
            half,
            "%",
            f"printed as ± {_PRINTED_HALF_WIDTHS[errors, trials]}, which is one σ",
        )
        for (errors, trials), half in HALF_WIDTHS.items()
    ),
    docs="may",
    gold="may",
    shape="pairs",
    any_relation=True,
    run=run,
    also=(),
    methods={},
)

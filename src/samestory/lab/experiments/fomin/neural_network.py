"""F5: r predicted by a small neural network, leaving out one day at a time."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.experiments.by_study import fomin
from samestory.lab.experiments.fomin.prediction import on_days, printed_errors
from samestory.lab.experiments.fomin.r_models import study_network
from samestory.lab.experiments.fomin.short_days import merged_days
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import PublishedValue, ReportRow


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compute the errors of the printed predictions; then of networks of the user's days."""
    yield from printed_errors(EXPERIMENT, "mlp_r")
    if collection.gold is not None:
        days = merged_days(collection)
        collection.progress("choosing and training networks")
        yield from on_days("network", study_network(), days)


EXPERIMENT = fomin(
    name="F5",
    title="neural network for r, leave-one-out",
    key="mean absolute error 0.114",
    published=(
        PublishedValue("mean absolute error", 0.114, "r"),
        PublishedValue("root mean square error", 0.204, "r"),
        PublishedValue("largest error", 0.767, "r"),
        PublishedValue("R² of predictions", 0.854, "share"),
    ),
    unpublished="p2 to p7 of every day, and how each day's network was chosen",
    run=run,
)

"""F7: number of principal components kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from samestory.lab.experiments.by_study import fomin
from samestory.lab.experiments.fomin.short_days import ROWS, merge_day, merged_days
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.sets import Mean
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow

#: Shares of the columns.
COLUMN_SHARES = (0.02, 0.03, 0.05, 0.1)


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compute the best F of every day for each share; without a minimum number of components, which would hide it."""
    days = [found.day for found in merged_days(collection)]
    means: dict[float, float] = {}
    for m in COLUMN_SHARES:
        detector, found, kept = replace(ROWS, m=m, least=1), [], []
        for day in days:
            collection.progress(f"{m} of the columns: {day.name}")
            each = merge_day(day, detector)
            kept.append(each.detector.fitted_day().components.shape[1])
            found.append(float(each.curve().f.max(initial=0.0)))
        mean = Mean.from_values(found)
        means[m] = mean.value or 0.0
        note = f"mean over {len(days)} days, each at its best r; {min(kept)} to {max(kept)} components"
        yield ReportRow(f"best F with {m} of the columns", None, mean.value, mean.low, mean.high, YOURS, note, ".4f")
    chosen = max(means, key=lambda m: (means[m], -m))
    apart = max(means.values()) - min(means.values())
    yield EXPERIMENT.value("quality with more components").with_measured(apart, "largest minus smallest mean F", YOURS)
    yield EXPERIMENT.value("share chosen").with_measured(chosen, "the share with the highest mean F", YOURS)


EXPERIMENT = fomin(
    name="F7",
    title="share of principal components kept, 0.02 to 0.1",
    key="almost flat, 0.03 chosen",
    published=(
        PublishedValue("quality with more components", "almost flat"),
        PublishedValue("share chosen", 0.03, "share"),
    ),
    docs="must",
    gold="must",
    run=run,
)

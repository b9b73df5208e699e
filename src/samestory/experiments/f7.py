"""F7: how many components to keep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.f1 import METHODS
from samestory.experiments.sets import Mean
from samestory.experiments.short_days import ROWS, merged, merged_days
from samestory.experiments.values import YOURS, Published, Row

#: Shares of the columns.
SHARES = (0.02, 0.03, 0.05, 0.1)


def run(collection: Collection) -> Iterator[Row]:
    """The best F of every day with more and more components; without a least number of them, which would hide it."""
    days = [found.day for found in merged_days(collection)]
    means: dict[float, float] = {}
    for m in SHARES:
        detector, found, kept = replace(ROWS, m=m, least=1), [], []
        for day in days:
            collection.tell(f"{m} of the columns: {day.name}")
            each = merged(day, detector)
            kept.append(each.detector.fitted_day().components.shape[1])
            found.append(float(each.curve().f.max(initial=0.0)))
        mean = Mean.of(found)
        means[m] = mean.value or 0.0
        note = f"mean over {len(days)} days, each at its best r; {min(kept)} to {max(kept)} components"
        yield Row(f"best F with {m} of the columns", None, mean.value, mean.low, mean.high, YOURS, note, ".4f")
    chosen = max(means, key=lambda m: (means[m], -m))
    apart = max(means.values()) - min(means.values())
    yield EXPERIMENT.value("quality with more components").beside(apart, "largest less smallest mean F", YOURS)
    yield EXPERIMENT.value("share chosen").beside(chosen, "the share with the highest mean F", YOURS)


EXPERIMENT = Experiment(
    name="F7",
    title="share of principal components kept, 0.02 to 0.1",
    study="fomin2017",
    relation="semantic",
    key="almost flat, 0.03 chosen",
    published=(
        Published("quality with more components", "almost flat"),
        Published("share chosen", 0.03, "share"),
    ),
    docs="must",
    gold="must",
    shape="groups",
    sets=True,
    also=("same",),
    methods=METHODS,
    run=run,
)

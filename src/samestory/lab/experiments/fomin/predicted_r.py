"""F6: quality with a predicted r."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.experiments.by_study import fomin
from samestory.lab.experiments.fomin.best_threshold import NAMES
from samestory.lab.experiments.fomin.r_models import RPredictor, left_out, linear, log_items, study_network
from samestory.lab.experiments.fomin.short_days import MIN_DAYS, MergedDay, merged_days, table, too_few
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.sets import Mean
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow

#: Printed means of precision, recall, F, ARI, AMI.
PRINTED_MEANS = {
    "best r": (0.77, 0.73, 0.75, 0.74, 0.79),
    "linear model": (0.68, 0.71, 0.67, 0.67, 0.77),
    "neural network": (0.72, 0.74, 0.73, 0.72, 0.79),
}
_SCRAMBLED = "the five means of this row are printed out of order; this is the likeliest one"

#: The models of r; the last one is not from the study.
MODELS: dict[str, RPredictor] = {
    "linear model": linear,
    "neural network": study_network(),
    "ln of the items": log_items,
}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compute the quality at the best r of every day, and at the r predicted from the other days."""
    days = merged_days(collection)
    features, best = table(days)
    yield from _means("best r", days, best.tolist(), "each day at its best r")
    for name, model in MODELS.items():
        if len(days) < MIN_DAYS:
            yield too_few(f"{name}, F, mean", len(days))
            continue
        collection.progress(f"predicting r: {name}")
        predicted = left_out(model, features, best).tolist()
        yield from _means(name, days, predicted, f"{len(days)} days, r predicted from the others")


def _means(model: str, days: list[MergedDay], r: list[float], note: str) -> Iterator[ReportRow]:
    values = [day.measured(at) for day, at in zip(days, r, strict=True)]
    printed = {value.what: value for value in EXPERIMENT.published}
    for field, name in NAMES.items():
        mean, what = Mean.from_values([value[field] for value in values], least=-1.0), f"{model}, {name}, mean"
        text = note if mean.value is not None else f"{note}; undefined on every day"
        shown = printed[what].value if what in printed else None
        erratum = f"; {printed[what].erratum}" if what in printed and printed[what].erratum else ""
        yield ReportRow(what, shown, mean.value, mean.low, mean.high, YOURS, text + erratum, ".4f")


EXPERIMENT = fomin(
    name="F6",
    title="quality with r predicted",
    place="Table 8",
    key="mean F .75 with the best r, .67 linear, .73 by network",
    published=tuple(
        PublishedValue(f"{model}, {what}, mean", value, "share", _SCRAMBLED if model == "neural network" else "")
        for model, values in PRINTED_MEANS.items()
        for what, value in zip(("precision", "recall", "F", "ARI", "AMI"), values, strict=True)
    ),
    docs="must",
    gold="must",
    unpublished="p2 to p7 of every day",
    run=run,
)

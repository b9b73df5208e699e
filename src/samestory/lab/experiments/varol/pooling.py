"""V10: the pool of nominated pairs, and the agreement of two assessors on it."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.evaluation import GoldPairs
from samestory.lab.experiments.agreement import read_votes
from samestory.lab.experiments.by_study import varol
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.measures import Ratings, band, figure
from samestory.lab.measures.cohen_kappa import CohenKappa

#: The worked example: pairs judged a containment by both, only the second, only the first, neither.
EXAMPLE = (("yes", "yes"),) * 40 + (("no", "yes"),) * 10 + (("yes", "no"),) * 20 + (("no", "no"),) * 30


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Recompute the worked example; then measure the user's judgements."""
    yield EXPERIMENT.value("κ of the worked example").with_measured(CohenKappa().point(Ratings(EXAMPLE)))
    gold = collection.gold
    if not isinstance(gold, GoldPairs):
        return
    yes = {line for line, label in zip(gold.lines, gold.labels.tolist(), strict=True) if label}
    yield EXPERIMENT.value("pairs judged").with_measured(len(set(gold.lines)), basis=YOURS)
    yield EXPERIMENT.value("judged containments").with_measured(len(yes), f"judged {gold.meaning.name}", YOURS)
    votes = read_votes(gold, ("group",))
    mean = figure(CohenKappa(over="mean"), votes.ratings, rounds=collection.rounds)
    strength = "" if mean.value is None else f"{band(mean.value)}; "
    yield EXPERIMENT.value("Cohen's κ, mean of groups").with_figure(mean, strength + votes.note)
    yield ReportRow.from_figure("Cohen's κ, pooled", figure(CohenKappa(), votes.ratings, rounds=collection.rounds))


EXPERIMENT = varol(
    name="V10",
    title="pool and agreement of two assessors",
    key="4,727 pairs, 2,875 containments, κ 0.73",
    published=(
        PublishedValue(
            "κ of the worked example", 0.40, "κ", "the print multiplies 0.4 by 0.5 to 0.3 where 0.6 by 0.5 is meant"
        ),
        PublishedValue("pairs judged", 4727, "count"),
        PublishedValue("judged containments", 2875, "count"),
        PublishedValue("Cohen's κ, mean of groups", 0.73, "κ"),
    ),
    docs="no",
    gold="may",
    any_relation=True,
    run=run,
    methods={},
)

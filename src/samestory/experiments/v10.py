"""V10: the pool of nominated pairs, and how far two assessors agree about it."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.agreement import votes
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import YOURS, Published, Row
from samestory.lab import GoldPairs
from samestory.measures import Ratings, band, figure
from samestory.measures.cohen_kappa import CohenKappa

#: The worked example: pairs that both call a containment, only the second, only the first, neither.
EXAMPLE = (("yes", "yes"),) * 40 + (("no", "yes"),) * 10 + (("yes", "no"),) * 20 + (("no", "no"),) * 30


def run(collection: Collection) -> Iterator[Row]:
    """The worked example again; then the user's judgements."""
    yield EXPERIMENT.value("κ of the worked example").beside(CohenKappa().point(Ratings(EXAMPLE)))
    gold = collection.gold
    if not isinstance(gold, GoldPairs):
        return
    yes = {line for line, label in zip(gold.lines, gold.labels.tolist(), strict=True) if label}
    yield EXPERIMENT.value("pairs judged").beside(len(set(gold.lines)), basis=YOURS)
    yield EXPERIMENT.value("judged containments").beside(len(yes), f"judged {gold.meaning.name}", YOURS)
    said = votes(gold, ("group",))
    mean = figure(CohenKappa(over="mean"), said.ratings, rounds=collection.rounds)
    strength = "" if mean.value is None else f"{band(mean.value)}; "
    yield EXPERIMENT.value("Cohen's κ, mean of groups").figure(mean, strength + said.note)
    yield Row.of("Cohen's κ, pooled", figure(CohenKappa(), said.ratings, rounds=collection.rounds))


EXPERIMENT = Experiment(
    name="V10",
    title="pool and agreement of two assessors",
    study="varol2012",
    relation="contains",
    key="4,727 pairs, 2,875 containments, κ 0.73",
    published=(
        Published(
            "κ of the worked example", 0.40, "κ", "the print multiplies 0.4 by 0.5 to 0.3 where 0.6 by 0.5 is meant"
        ),
        Published("pairs judged", 4727, "count"),
        Published("judged containments", 2875, "count"),
        Published("Cohen's κ, mean of groups", 0.73, "κ"),
    ),
    gold="may",
    shape="pairs",
    any_relation=True,
    run=run,
)

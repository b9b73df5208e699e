"""C1: how far two assessors agree, query by query."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from samestory.experiments.agreement import votes
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import TABLE, Published, Row
from samestory.measures import figure
from samestory.measures.siegel_kappa import SiegelKappa

#: κ pooled over the queries of a team, and its printed z.
TEAMS = {"team A": (0.8443, 1.965), "team B": (0.7304, 1.842)}
#: Duplicate sets that assessors named in 100 result lists, by the number of their articles.
SETS = {2: 68 + 64, 3: 12 + 12, 4: 8 + 2, 5: 3, 6: 1}
#: Result lists in all and of a team; pairs in a list of 20 articles.
LISTS, TEAM, PAIRS = 100, 50, 190
#: What the printed z should have been.
_RIGHT = {"team A": 15, "team B": 13}


def expected(pairs: float) -> float:
    """The agreement that chance gives, P(E), where so many pairs of a list are duplicates."""
    share = pairs / PAIRS
    return share**2 + (1 - share) ** 2


def significance(kappa: float, pairs: float, items: int) -> float:
    """z of a kappa of two raters over so many items, so many pairs of a list being duplicates.

    >>> round(significance(0.8443, 2.67, 190), 2)
    1.96
    """
    chance = expected(pairs)
    return kappa / sqrt(chance / ((1 - chance) * items))


def implied(kappa: float, z: float, items: int) -> float:
    """How many duplicate pairs of a list this z stands for."""
    chance = kappa**2 * items / (z**2 + kappa**2 * items)
    return PAIRS * (1 - sqrt(2 * chance - 1)) / 2


def run(collection: Collection) -> Iterator[Row]:
    """What the printed z imply, and what they should have been; then the user's judgements."""
    pairs = sum(count * size * (size - 1) // 2 for size, count in SETS.items())
    yield EXPERIMENT.value("sets of duplicates").beside(sum(SETS.values()))
    yield EXPERIMENT.value("articles in sets").beside(sum(size * count for size, count in SETS.items()))
    yield Row("duplicate pairs in a list", None, pairs / LISTS, basis=TABLE, note="from the sizes of the sets")
    for team, (kappa, z) in TEAMS.items():
        yield EXPERIMENT.value(f"{team}, z").beside(significance(kappa, pairs / LISTS, PAIRS * TEAM))
        what = f"{team}, duplicate pairs in a list if the printed z were right"
        yield Row(what, None, implied(kappa, z, PAIRS), basis=TABLE)
    if collection.gold is not None:
        yield from _yours(collection)


def _yours(collection: Collection) -> Iterator[Row]:
    assert collection.gold is not None
    said = votes(collection.gold, ("query", "group"))
    pooled = figure(SiegelKappa(), said.ratings, rounds=collection.rounds)
    test = SiegelKappa().test(said.ratings)
    told = "" if test is None else f"{test.band}, z = {test.z:.3g}, p = {test.p:.2g}; "
    yield EXPERIMENT.value("κ, pooled").figure(pooled, told + said.note)
    mean = figure(SiegelKappa(over="mean"), said.ratings, rounds=collection.rounds)
    yield EXPERIMENT.value("κ, mean of queries").figure(mean, f"mean over every {said.by}")


EXPERIMENT = Experiment(
    name="C1",
    title="agreement of two assessors over 100 result lists",
    study="conrad2006",
    place="Tables 4 and 5",
    relation="fuzzy80",
    key="κ 0.7829 pooled, 0.7784 mean of queries",
    published=(
        Published("sets of duplicates", 170, "count"),
        Published("articles in sets", 397, "count"),
        *(
            Published(
                f"{team}, z",
                _RIGHT[team],
                "z",
                f"printed as {z}, from the 190 pairs of one list in the place of all 50",
            )
            for team, (_, z) in TEAMS.items()
        ),
        *(Published(f"{team}, κ, pooled", kappa, "κ") for team, (kappa, _) in TEAMS.items()),
        Published("κ, pooled", 0.7829, "κ", 'called "macro" in the study'),
        Published("κ, mean of queries", 0.7784, "κ", 'called "micro" in the study'),
    ),
    gold="may",
    any_relation=True,
    run=run,
)

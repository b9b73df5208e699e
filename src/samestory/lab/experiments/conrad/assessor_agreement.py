"""C1: agreement of two assessors per query."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from samestory.lab.experiments.agreement import read_votes
from samestory.lab.experiments.by_study import conrad
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import TABLE, PublishedValue, ReportRow
from samestory.lab.measures import figure
from samestory.lab.measures.siegel_kappa import SiegelKappa

#: κ pooled over the queries of a team, and its printed z.
TEAMS = {"team A": (0.8443, 1.965), "team B": (0.7304, 1.842)}
#: Duplicate sets of the assessors in 100 result lists, by their number of articles.
SETS = {2: 68 + 64, 3: 12 + 12, 4: 8 + 2, 5: 3, 6: 1}
#: Result lists in all and of a team; pairs in a list of 20 articles.
LISTS, TEAM, PAIRS = 100, 50, 190
#: The correct z, where the print is wrong.
_CORRECT_Z = {"team A": 15, "team B": 13}


def expected(pairs: float) -> float:
    """Return the chance agreement P(E) for this number of duplicate pairs per list."""
    share = pairs / PAIRS
    return share**2 + (1 - share) ** 2


def significance(kappa: float, pairs: float, items: int) -> float:
    """Return z of a kappa of two raters over `items`, with `pairs` duplicate pairs per list.

    >>> round(significance(0.8443, 2.67, 190), 2)
    1.96
    """
    chance = expected(pairs)
    return kappa / sqrt(chance / ((1 - chance) * items))


def implied(kappa: float, z: float, items: int) -> float:
    """Return the number of duplicate pairs per list that this z implies."""
    chance = kappa**2 * items / (z**2 + kappa**2 * items)
    return PAIRS * (1 - sqrt(2 * chance - 1)) / 2


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Recompute what the printed z imply and the correct z; then measure the user's judgements."""
    pairs = sum(count * size * (size - 1) // 2 for size, count in SETS.items())
    yield EXPERIMENT.value("sets of duplicates").with_measured(sum(SETS.values()))
    yield EXPERIMENT.value("articles in sets").with_measured(sum(size * count for size, count in SETS.items()))
    yield ReportRow("duplicate pairs in a list", None, pairs / LISTS, basis=TABLE, note="from the sizes of the sets")
    for team, (kappa, z) in TEAMS.items():
        yield EXPERIMENT.value(f"{team}, z").with_measured(significance(kappa, pairs / LISTS, PAIRS * TEAM))
        what = f"{team}, duplicate pairs in a list if the printed z were right"
        yield ReportRow(what, None, implied(kappa, z, PAIRS), basis=TABLE)
    if collection.gold is not None:
        yield from _user_rows(collection)


def _user_rows(collection: ExperimentInput) -> Iterator[ReportRow]:
    assert collection.gold is not None
    votes = read_votes(collection.gold, ("query", "group"))
    pooled = figure(SiegelKappa(), votes.ratings, rounds=collection.rounds)
    test = SiegelKappa().test(votes.ratings)
    prefix = "" if test is None else f"{test.band}, z = {test.z:.3g}, p = {test.p:.2g}; "
    yield EXPERIMENT.value("κ, pooled").with_figure(pooled, prefix + votes.note)
    mean = figure(SiegelKappa(over="mean"), votes.ratings, rounds=collection.rounds)
    yield EXPERIMENT.value("κ, mean of queries").with_figure(mean, f"mean over every {votes.by}")


EXPERIMENT = conrad(
    name="C1",
    title="agreement of two assessors over 100 result lists",
    place="Tables 4 and 5",
    key="κ 0.7829 pooled, 0.7784 mean of queries",
    published=(
        PublishedValue("sets of duplicates", 170, "count"),
        PublishedValue("articles in sets", 397, "count"),
        *(
            PublishedValue(
                f"{team}, z",
                _CORRECT_Z[team],
                "z",
                f"printed as {z}, from the 190 pairs of one list in the place of all 50",
            )
            for team, (_, z) in TEAMS.items()
        ),
        *(PublishedValue(f"{team}, κ, pooled", kappa, "κ") for team, (kappa, _) in TEAMS.items()),
        PublishedValue("κ, pooled", 0.7829, "κ", 'called "macro" in the study'),
        PublishedValue("κ, mean of queries", 0.7784, "κ", 'called "micro" in the study'),
    ),
    docs="no",
    gold="may",
    any_relation=True,
    run=run,
    also=(),
    methods={},
)

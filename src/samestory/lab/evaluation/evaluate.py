"""Evaluation of detectors against gold: figures with intervals, at one threshold or many.

A detector runs once, at the lowest threshold requested; every other threshold is a cut through its scores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from samestory.errors import InputError, ParameterError
from samestory.lab.evaluation.gold import GoldGroups, GoldPairs
from samestory.lab.evaluation.scored import ScoredRun
from samestory.lab.measures import (
    MEASURES,
    Difference,
    Figure,
    FlaggedArticles,
    GroupedArticles,
    JudgedPairs,
    Measure,
    SumMeasure,
    difference,
    figure,
    parse,
    sweep,
)
from samestory.lab.measures.c_dup import CDup, PairCDup
from samestory.lab.measures.units import components
from samestory.model import KINDS, Kind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

JudgedData = JudgedPairs | GroupedArticles

#: Rounds of the bootstrap behind every interval.
ROUNDS = 1000
#: The most pairs of grouped articles that are enumerated.
MAX_GROUPED_PAIRS = 5_000_000

#: Default measures; the first is the main one, by which thresholds are chosen.
FOR_PAIRS = ("pair_f(unjudged='out')", "pair_precision(unjudged='out')", "pair_recall()")
FOR_GROUPS = ("b_cubed()", "pair_f()", "pair_precision()", "pair_recall()", "ari()", "doc_f()", "c_dup()")


@dataclass(frozen=True, eq=False)
class Subject:
    """A run joined with the gold: the data of the measures at any threshold."""

    scored: ScoredRun
    cut: Callable[[Sequence[float], bool], list[JudgedData]]
    """The data at each of these thresholds; as one sampling unit (faster) where no interval is computed."""
    scores: JudgedPairs | None
    """Judged pairs with their scores; None for groups."""

    @property
    def name(self) -> str:
        """The detector, or the file of a run."""
        return self.scored.name

    def at(self, threshold: float | None) -> JudgedData:
        """Return the data at a threshold; without one, everything reported."""
        (data,) = self.cut([0.0 if threshold is None else threshold], False)
        return data


@dataclass(frozen=True)
class Result:
    """The figures of a detector at a threshold: its own, the best or the cheapest of those tried."""

    detector: str
    threshold: float | None
    chosen: str
    figures: tuple[Figure, ...]
    unjudged: int
    """Reported pairs without a judgement."""
    seconds: float | None


def measures_for(gold: GoldPairs | GoldGroups, names: Sequence[str] = ()) -> list[Measure[Any]]:
    """Return the measures of these names, or the default ones for this gold."""
    default = FOR_PAIRS if isinstance(gold, GoldPairs) else FOR_GROUPS
    out = [parse(name) for name in names or default]
    data = JudgedPairs if isinstance(gold, GoldPairs) else GroupedArticles
    usable = (data,) if data is JudgedPairs else (GroupedArticles, FlaggedArticles)
    for measure in out:
        if not set(usable) & set(measure.needs):
            fit = ", ".join(sorted(name for name, cls in MEASURES.items() if set(usable) & set(cls.needs)))
            raise ParameterError(f"{measure}: does not apply to {data.what}; these measures do: {fit}")
    return out


def subjects(gold: GoldPairs | GoldGroups, runs: Sequence[ScoredRun], grouping: str | None = None) -> list[Subject]:
    """Join every run with the gold, all over the same rows, so that they can be compared.

    Groups are made by `grouping`; without it, by the method of each detector.
    """
    for run in runs:
        _check(gold, run)
    if isinstance(gold, GoldGroups):
        return [_of_groups(gold, run, grouping or run.grouping) for run in runs]
    return _of_pairs(gold, runs)


def _check(gold: GoldPairs | GoldGroups, run: ScoredRun) -> None:
    """Raise for gold about unknown articles, or about a relation that the detector cannot report."""
    known = set(run.ids)
    for article, row in gold.ids():
        if article not in known:
            raise InputError(f"{gold.path}:{gold.lines[row]}: no article has the id {article!r}")
    if not run.reports & gold.meaning.kinds:
        reported = ", ".join(sorted(map(str, run.reports)))
        wanted = ", ".join(sorted(map(str, gold.meaning.kinds)))
        raise InputError(
            f"the gold is about {gold.meaning.name} ({wanted}), which {run.name} does not report: it "
            f"reports {reported}",
            place=gold.path,
        )
    if run.groups is not None and isinstance(gold, GoldPairs) and gold.ordered:
        raise InputError("groups have no direction, but the gold needs one", place=run.name)


def _of_groups(gold: GoldGroups, run: ScoredRun, grouping: str) -> Subject:
    import numpy as np

    number = {article: at for at, article in enumerate(run.ids)}
    rows = np.array([number[article] for article in gold.articles], np.int64)
    names = np.unique(np.array(gold.groups), return_inverse=True)[1]

    whole = np.zeros(len(rows), np.int64)

    def cut(thresholds: Sequence[float], one_unit: bool) -> list[JudgedData]:
        found = run.grouped(thresholds, gold.meaning.kinds, grouping)
        return [GroupedArticles(names, labels[rows], whole if one_unit else None) for labels in found]

    return Subject(run, cut, None)


def _of_pairs(gold: GoldPairs, runs: Sequence[ScoredRun]) -> list[Subject]:
    import numpy as np

    if not runs:
        return []
    ids = list(runs[0].ids)
    number = {article: at for at, article in enumerate(ids)}
    count = len(ids)
    left = np.array([number[article] for article in gold.left], np.int64)
    right = np.array([number[article] for article in gold.right], np.int64)
    judged = _key(left, right, count, gold.ordered)
    reported = [_reported_pairs(gold, run, number, count) for run in runs]
    there = ((number.get(a), number.get(b)) for a, b in gold.aside)
    aside = np.array([pair for pair in there if None not in pair], np.int64).reshape(-1, 2)
    known = np.concatenate([judged, _key(aside[:, 0], aside[:, 1], count, gold.ordered)])
    others = _without(np.concatenate([keys for keys, _ in reported]), known)
    keys = np.concatenate([judged, others])
    labels = np.concatenate([gold.labels, np.zeros(len(others), np.bool_)])
    is_judged = np.arange(len(keys)) < len(judged)
    lefts, rights = np.concatenate([left, others // count]), np.concatenate([right, others % count])
    units = _units(left, right, lefts[len(judged) :], rights[len(judged) :], count)
    out = []
    for run, (found, scores) in zip(runs, reported, strict=True):
        data = JudgedPairs(labels, _look_up(keys, found, scores), judged=is_judged, units=units, ordered=gold.ordered)
        out.append(Subject(run, partial(_cuts, data), data))
    return out


def _units(
    left: NDArray[np.int64], right: NDArray[np.int64], lefts: NDArray[np.int64], rights: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    """Return the sampling units: components of judged pairs. An unjudged pair joins the unit of its articles.

    As units of their own, unjudged pairs would add observations to figures that leave them out. Those without a
    judged article form one unit.
    """
    import numpy as np

    judged = components(left, right)
    unjudged_unit = int(judged.max(initial=-1)) + 1
    of_article = np.full(count, unjudged_unit, np.int64)
    of_article[left], of_article[right] = judged, judged
    return np.concatenate([judged, np.minimum(of_article[lefts], of_article[rights])])


def _cuts(data: JudgedPairs, thresholds: Sequence[float], _: bool) -> list[JudgedData]:
    return [data.cut(threshold) for threshold in thresholds]


def _key(left: NDArray[np.int64], right: NDArray[np.int64], count: int, ordered: bool) -> NDArray[np.int64]:
    import numpy as np

    return left * count + right if ordered else np.minimum(left, right) * count + np.maximum(left, right)


def _without(keys: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the keys that are not known, deduplicated, by sorting: many times faster than hashing millions."""
    import numpy as np

    keys, known = np.sort(keys), np.sort(known)
    if len(keys):
        keys = keys[np.append(True, keys[1:] != keys[:-1])]
    if not len(known):
        return keys
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    out: NDArray[np.int64] = keys[known[at] != keys]
    return out


def _reported_pairs(
    gold: GoldPairs, run: ScoredRun, number: dict[str, int], count: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the pairs that a run reports under the gold's relation, as sorted keys, with their scores."""
    import numpy as np

    if run.groups is not None:
        left, right = _pairs_inside(run)
        kinds, scores = np.full(len(left), KINDS.index(Kind.NEAR)), np.ones(len(left))
    else:
        keep, scores = run.sense(gold.meaning.kinds)
        keep = keep & (run.left != run.right)  # an external run may relate an article to itself
        left, right, kinds, scores = run.left[keep], run.right[keep], run.kinds[keep], scores[keep]
    place = np.array([number[article] for article in run.ids], np.int64)
    left, right = place[left], place[right]
    if gold.ordered and run.groups is None and run.threshold_per_share:
        scores = np.concatenate([run.forward[keep], run.backward[keep]])
        left, right = np.concatenate([left, right]), np.concatenate([right, left])
        reached = run.reaches(scores, run.lowest)
        left, right, scores = left[reached], right[reached], scores[reached]
    elif gold.ordered:
        # (contained, container); symmetric kinds count in both directions
        part, whole = (kinds == KINDS.index(kind) for kind in (Kind.PART_OF, Kind.HAS_PART))
        alike = ~part & ~whole
        left, right, scores = (
            np.concatenate([left[part], right[whole], left[alike], right[alike]]),
            np.concatenate([right[part], left[whole], right[alike], left[alike]]),
            np.concatenate([scores[part], scores[whole], scores[alike], scores[alike]]),
        )
    keys = _key(left, right, count, gold.ordered)
    order = np.argsort(keys, kind="stable")
    # a pair with score 0 is still reported: 0 would mean not reported
    return keys[order], np.maximum(scores[order], np.finfo(np.float64).tiny)


def _pairs_inside(run: ScoredRun) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all pairs inside the groups of a run, judged or not."""
    import numpy as np

    groups = run.groups if run.groups is not None else np.zeros(0, np.int64)
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.append(True, groups[order][1:] != groups[order][:-1])) if len(order) else order
    sizes = np.diff(np.append(starts, len(order)))
    total = int((sizes * (sizes - 1) // 2).sum())
    if total > MAX_GROUPED_PAIRS:
        raise InputError(
            f"its groups contain {total:,} pairs, more than the {MAX_GROUPED_PAIRS:,} that can be compared "
            "with judged pairs",
            "use gold of groups (id, cluster), which needs no list of pairs",
            place=run.name,
        )
    left, right = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for start, size in zip(starts[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        one, other = np.triu_indices(size, 1)
        members = order[start : start + size]
        left.append(members[one])
        right.append(members[other])
    return np.concatenate(left), np.concatenate(right)


def _look_up(keys: NDArray[np.int64], found: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the score of every key, 0 where it was not found."""
    import numpy as np

    if not len(found):
        return np.zeros(len(keys))
    at = np.minimum(np.searchsorted(found, keys), len(found) - 1)
    return np.where(found[at] == keys, scores[at], 0.0)


def result(
    subject: Subject,
    measures: Sequence[Measure[Any]],
    threshold: float | None = None,
    rounds: int = ROUNDS,
    chosen: str = "own",
) -> Result:
    """Compute the figures of a detector at a threshold (default: its own), with intervals."""
    threshold = subject.scored.threshold if threshold is None else threshold
    data = subject.at(threshold)
    figures = tuple(figure(measure, fitting(measure, data), rounds=rounds) for measure in measures)
    unjudged = data.unjudged if isinstance(data, JudgedPairs) else 0
    return Result(subject.name, threshold, chosen, figures, unjudged, subject.scored.seconds)


def fitting(measure: Measure[Any], data: JudgedData) -> JudgedData | FlaggedArticles:
    """Convert the data to what a measure needs: groups also determine which articles are duplicates."""
    return (
        data
        if isinstance(data, measure.needs) or not isinstance(data, GroupedArticles)
        else FlaggedArticles.from_groups(data)
    )


@dataclass(frozen=True)
class Curve:
    """A measure of one detector at many thresholds."""

    detector: str
    measure: str
    thresholds: tuple[float, ...]
    values: tuple[float | None, ...]


def curves(subject: Subject, measures: Sequence[Measure[Any]], thresholds: Sequence[float]) -> list[Curve]:
    """Compute every measure at every threshold, without intervals."""
    swept = sweep(subject.scores).at(thresholds) if subject.scores is not None else None
    summed = [measure for measure in measures if swept is not None and isinstance(measure, SumMeasure)]
    # one sort yields the counts at all thresholds; measures that are no sums over pairs need each cut
    data = subject.cut(thresholds, True) if len(summed) < len(measures) else []
    out = []
    for measure in measures:
        if measure in summed and swept is not None:
            values = [None if value != value else value for value in swept.values(measure).tolist()]
        else:
            values = [measure.point(fitting(measure, each)) for each in data]
        out.append(Curve(subject.name, str(measure), tuple(thresholds), tuple(values)))
    return out


def best(measure: Measure[Any], curve: Curve) -> float | None:
    """Return the threshold with the best value; among ties the middle one, the most robust."""
    defined = [(value, at) for value, at in zip(curve.values, curve.thresholds, strict=True) if value is not None]
    if not defined:
        return None
    top = (max if measure.best > 0 else min)(value for value, _ in defined)
    ties = [at for value, at in defined if value == top]
    return ties[len(ties) // 2]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All results of an evaluation, for the table and the report."""

    gold: GoldPairs | GoldGroups
    measures: tuple[Measure[Any], ...]
    cost: Measure[Any]
    """The measure by which a threshold is the cheapest."""
    subjects: tuple[Subject, ...]
    thresholds: tuple[float, ...]
    results: tuple[Result, ...]
    curves: tuple[Curve, ...]
    differences: tuple[tuple[str, str, Difference], ...]
    """Every detector against the first one, in the main measure: (detector, first, difference)."""


def evaluate(
    gold: GoldPairs | GoldGroups,
    runs: Sequence[ScoredRun],
    measures: Sequence[str] = (),
    thresholds: Sequence[float] = (),
    grouping: str | None = None,
    cost: CDup = CDup(),  # noqa: B008 (frozen)
    rounds: int = ROUNDS,
) -> Evaluation:
    """Evaluate runs against gold: each at its own threshold, at the best of `thresholds`, and at the cheapest.

    The best threshold is chosen and reported on the same data, so its figures are optimistic; `tune` avoids that.
    """
    chosen = measures_for(gold, measures)
    joined = subjects(gold, runs, grouping)
    cheap = _cost(gold, cost)
    results: list[Result] = []
    all_curves: list[Curve] = []
    for subject in joined:
        results.append(result(subject, chosen, rounds=rounds))
        if not thresholds or subject.scored.threshold is None:
            continue
        criteria = [("best", chosen[0]), ("cheapest", cheap)]
        needed = [*chosen, *([cheap] if cheap not in chosen else [])]
        drawn = {drawn.measure: drawn for drawn in curves(subject, needed, thresholds)}
        all_curves.extend(drawn.values())
        for word, measure in criteria:
            at = best(measure, drawn[str(measure)])
            if at is not None:
                results.append(result(subject, chosen, at, rounds, word))
    main, own = chosen[0], [fitting(chosen[0], subject.at(subject.scored.threshold)) for subject in joined]
    differences = [
        (subject.name, joined[0].name, difference(main, data, own[0], rounds=rounds))
        for subject, data in zip(joined[1:], own[1:], strict=True)
        if rounds
    ]
    return Evaluation(
        gold,
        tuple(chosen),
        cheap,
        tuple(joined),
        tuple(thresholds),
        tuple(results),
        tuple(all_curves),
        tuple(differences),
    )


def _cost(gold: GoldPairs | GoldGroups, cost: CDup) -> Measure[Any]:
    """Return the cost of pairs for judged pairs, of documents for groups."""
    if isinstance(gold, GoldGroups):
        return cost
    return PairCDup(cost.p, cost.cost_miss, cost.cost_false, cost.normalised, unjudged="out")

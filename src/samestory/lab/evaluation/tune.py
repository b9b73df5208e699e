"""Parameter tuning: chosen by a measure on one half of the gold, reported on the other half."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from samestory.detectors import Detector
from samestory.errors import ParameterError
from samestory.lab.evaluation.evaluate import (
    ROUNDS,
    Curve,
    Result,
    best,
    curves,
    fitting,
    measures_for,
    result,
    subjects,
)
from samestory.lab.evaluation.gold import GoldGroups, GoldPairs
from samestory.lab.evaluation.halves import halves
from samestory.lab.evaluation.scored import ScoredRun, score, variants
from samestory.lab.measures import Difference, Measure, difference
from samestory.readers import Source

#: More runs than this are taken for a mistake.
MAX_RUNS = 500

#: Called with the number of the run and the total.
TuningProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class Trial:
    """One setting, and its value of the measure on the tuning half."""

    detector: Detector
    value: float | None


@dataclass(frozen=True)
class TuningResult:
    """The chosen setting, and its figures and those of the initial setting on the held-out half."""

    detector: Detector
    start: Detector
    measure: str
    trials: tuple[Trial, ...]
    chosen_on: int
    reported_on: int
    across: int
    """Judgements across the halves, which are in neither."""
    chosen: Result
    before: Result
    difference: Difference | None


def tune(
    gold: GoldPairs | GoldGroups,
    detector: Detector,
    sources: Sequence[Source],
    over: Sequence[tuple[str, Sequence[float]]],
    measure: str | None = None,
    grouping: str | None = None,
    seed: int = 0,
    rounds: int = ROUNDS,
    progress: TuningProgress | None = None,
) -> TuningResult:
    """Choose parameters by a measure (default: the main one for this gold).

    Thresholds are cuts through one run; every other combination of values is a separate run.
    """
    main = measures_for(gold, [measure] if measure else ())[0]
    thresholds = next((list(values) for name, values in over if name == "threshold"), [])
    others = [(name, values) for name, values in over if name != "threshold"]
    settings = _settings(detector, others)
    if thresholds:
        variants(detector, "threshold", thresholds)  # raises for invalid values
    if len(settings) > MAX_RUNS:
        raise ParameterError(f"tune: {len(settings)} runs are too many; the limit is {MAX_RUNS}", "try fewer values")
    first, second, across = halves(gold, seed)
    trials: list[Trial] = []
    for number, setting in enumerate(settings):
        if progress:
            progress(number, len(settings))
        trials += _trials(first, setting, sources, thresholds, main, grouping)
    winner = _winner(trials, main)
    measures = measures_for(gold) if measure is None else [main]
    runs = [score(each, sources) for each in (winner, detector)]
    return _reported(second, runs, winner, detector, trials, main, measures, (len(first), across), grouping, rounds)


def _settings(detector: Detector, over: Sequence[tuple[str, Sequence[float]]]) -> list[Detector]:
    """Return the detector with every combination of the values."""
    out = [detector]
    for name, values in over:
        out = [variant for each in out for variant in variants(each, name, values)]
    return out


def _trials(
    gold: GoldPairs | GoldGroups,
    detector: Detector,
    sources: Sequence[Source],
    thresholds: Sequence[float],
    measure: Measure[Any],
    grouping: str | None,
) -> list[Trial]:
    run = score(detector, sources, min(thresholds, default=None))
    (subject,) = subjects(gold, [run], grouping)
    if not thresholds or run.threshold is None:
        return [Trial(detector, measure.point(fitting(measure, subject.at(run.threshold))))]
    (drawn,) = curves(subject, [measure], thresholds)
    return [
        Trial(each, value)
        for each, value in zip(variants(detector, "threshold", thresholds), drawn.values, strict=True)
    ]


def _winner(trials: Sequence[Trial], measure: Measure[Any]) -> Detector:
    """Return the best setting; among ties the middle one."""
    values = Curve("", str(measure), tuple(range(len(trials))), tuple(trial.value for trial in trials))
    at = best(measure, values)
    if at is None:
        raise ParameterError(f"tune: {measure} is undefined for every setting")
    return trials[int(at)].detector


def _reported(
    gold: GoldPairs | GoldGroups,
    runs: Sequence[ScoredRun],
    winner: Detector,
    start: Detector,
    trials: Sequence[Trial],
    main: Measure[Any],
    measures: Sequence[Measure[Any]],
    about: tuple[int, int],
    grouping: str | None,
    rounds: int,
) -> TuningResult:
    joined = subjects(gold, runs, grouping)
    after, before = (result(subject, measures, rounds=rounds) for subject in joined)
    data = [fitting(main, subject.at(subject.scored.threshold)) for subject in joined]
    return TuningResult(
        winner,
        start,
        str(main),
        tuple(trials),
        about[0],
        len(gold),
        about[1],
        after,
        before,
        difference(main, data[0], data[1], rounds=rounds) if rounds else None,
    )

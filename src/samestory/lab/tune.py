"""Parameters chosen for a measure on one half of the gold, and reported on the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from samestory.detectors import Detector
from samestory.errors import ParameterError
from samestory.lab.evaluate import ROUNDS, Curve, Result, best, curves, fitting, measures_for, result, subjects
from samestory.lab.gold import GoldGroups, GoldPairs
from samestory.lab.halves import halves
from samestory.lab.scored import Scored, score, variants
from samestory.measures import Difference, Measure, difference
from samestory.readers import Source

#: More runs than this are a mistake rather than a wish.
MOST_RUNS = 500

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Trial:
    """One setting, and what it is worth on the half that choices are made on."""

    detector: Detector
    value: float | None


@dataclass(frozen=True)
class Tuned:
    """The setting that was chosen, and what it and the one it began from are worth where nothing was chosen."""

    detector: Detector
    start: Detector
    measure: str
    trials: tuple[Trial, ...]
    chosen_on: int
    reported_on: int
    across: int
    """Judgements that lie across the halves and are in neither."""
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
    told: Told | None = None,
) -> Tuned:
    """Chooses parameters for a measure (the main one of such gold, if none is named).

    Thresholds are cuts through one run; every other combination of values is a run of its own.
    """
    main = measures_for(gold, [measure] if measure else ())[0]
    thresholds = next((list(values) for name, values in over if name == "threshold"), [])
    others = [(name, values) for name, values in over if name != "threshold"]
    settings = _settings(detector, others)
    if thresholds:
        variants(detector, "threshold", thresholds)  # refuses what cannot be
    if len(settings) > MOST_RUNS:
        raise ParameterError(f"tune: {len(settings)} runs are too many, at most {MOST_RUNS}", "try fewer values")
    first, second, across = halves(gold, seed)
    trials: list[Trial] = []
    for number, setting in enumerate(settings):
        if told:
            told(number, len(settings))
        trials += _trials(first, setting, sources, thresholds, main, grouping)
    winner = _winner(trials, main)
    measures = measures_for(gold) if measure is None else [main]
    runs = [score(each, sources) for each in (winner, detector)]
    return _reported(second, runs, winner, detector, trials, main, measures, (len(first), across), grouping, rounds)


def _settings(detector: Detector, over: Sequence[tuple[str, Sequence[float]]]) -> list[Detector]:
    """Every combination of the values."""
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
    """The best setting; of equal ones the one in the middle."""
    values = Curve("", str(measure), tuple(range(len(trials))), tuple(trial.value for trial in trials))
    at = best(measure, values)
    if at is None:
        raise ParameterError(f"tune: {measure} is undefined for every setting")
    return trials[int(at)].detector


def _reported(
    gold: GoldPairs | GoldGroups,
    runs: Sequence[Scored],
    winner: Detector,
    start: Detector,
    trials: Sequence[Trial],
    main: Measure[Any],
    measures: Sequence[Measure[Any]],
    about: tuple[int, int],
    grouping: str | None,
    rounds: int,
) -> Tuned:
    beside = subjects(gold, runs, grouping)
    after, before = (result(subject, measures, rounds=rounds) for subject in beside)
    data = [fitting(main, subject.at(subject.scored.threshold)) for subject in beside]
    return Tuned(
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

"""Run time over doubling sizes: growth of a detector's time with the number of articles, and time per phase.

Seconds depend on the machine; the exponent b of seconds ~ articles^b hardly does. b = 1 is linear.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from statistics import linear_regression

from samestory.detectors import Detector
from samestory.errors import InputError
from samestory.lab.experiments.values import YOURS, ReportRow, Value
from samestory.model import Article
from samestory.run import run_on
from samestory.text import prepare

#: The study doubles six times; each size is timed several times and the median taken, since the first run is a warm-up.
SIZES, REPEATS = 7, 3
#: The growth is fitted to this many of the largest sizes: on few articles, set-up dominates.
LARGEST_SIZES = 4
#: Smallest number of articles that is timed.
MIN_ARTICLES = 8
#: Names of the stages of a run in reports.
PHASES = {"count": "idf", "read": "tokens and signatures", "candidates": "indexing", "relate": "comparison"}


@dataclass(frozen=True)
class RunTime:
    """The seconds of a run, and of each of its phases where they are measured."""

    articles: int
    seconds: float
    phases: Mapping[str, float]


def sizes(count: int) -> list[int]:
    """Return the sizes, doubling up to all articles.

    >>> sizes(100)
    [12, 25, 50, 100]
    """
    out = [count >> halved for halved in range(SIZES) if count >> halved >= MIN_ARTICLES]
    if len(out) < 2:
        raise InputError(f"run times over doubling sizes need at least {2 * MIN_ARTICLES} articles, got {count}")
    return out[::-1]


def time_once(detector: Detector, articles: Sequence[Article]) -> RunTime:
    """Time one run from articles in memory to relations: idf if needed, tokens, signatures, indexing, comparison."""
    start = time.perf_counter()
    run = run_on(articles, detector)
    run.relations()
    phases = {PHASES[stage]: spent for stage, spent in run.summary.seconds.items()}
    return RunTime(len(articles), time.perf_counter() - start, phases)


def time_median(detector: Detector, articles: Sequence[Article]) -> RunTime:
    """Return the median of several runs."""
    runs = sorted((time_once(detector, articles) for _ in range(REPEATS)), key=lambda run: run.seconds)
    return runs[REPEATS // 2]


def series(
    detector: Detector, articles: Sequence[Article], progress: Callable[[str], None], fit_before: bool = False
) -> list[RunTime]:
    """Time all sizes; with `fit_before`, fitting is not included."""
    out = []
    for size in sizes(len(articles)):
        some = articles[:size]
        progress(f"timing {detector} on {size:,} articles")
        out.append(time_median(detector.fit([prepare(some)]) if fit_before else detector, some))
    return out


def rows(label: str, printed: Value, times: Sequence[RunTime]) -> Iterator[ReportRow]:
    """Yield the growth with the printed one, the time of every size, and the phases of the largest."""
    growth = exponent([(each.articles, each.seconds) for each in times])
    yield ReportRow(f"{label}, growth", printed, growth, basis=YOURS, note=GROWTH)
    for each in times:
        yield ReportRow(f"{label}, ms, {each.articles:,} articles", None, 1000 * each.seconds, basis=YOURS)
    for phase, spent in times[-1].phases.items():
        yield ReportRow(f"{label}, ms of {phase}, {times[-1].articles:,} articles", None, 1000 * spent, basis=YOURS)


#: The note of an exponent.
GROWTH = f"b of time ~ articles^b over the {LARGEST_SIZES} largest sizes; 1 is linear"


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the line through the logarithms of the largest sizes.

    >>> round(exponent([(1, 3), (2, 12), (4, 48)]), 6)
    2.0
    """
    points = points[-LARGEST_SIZES:]
    return linear_regression([log(x) for x, _ in points], [log(y) for _, y in points]).slope

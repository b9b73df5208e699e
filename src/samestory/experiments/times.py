"""Run time over doubling sizes: how the time of a detector grows with the number of articles, and where it goes.

Seconds depend on the machine; the exponent b of seconds ~ articles^b hardly does. 1 is linear.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from statistics import linear_regression

from samestory.detectors import Detector, Native
from samestory.errors import InputError
from samestory.experiments.values import YOURS, Row, Value
from samestory.index import Index
from samestory.jobs import run_on
from samestory.model import Article
from samestory.text import prepare

#: The study doubles six times; a size is timed so often and the middle taken, for the first run warms the machine up.
SIZES, REPEATS = 7, 3
#: The growth is told from the largest sizes: on few articles, setting out takes longer than the work.
LARGEST = 4
#: Under this many articles there is nothing to time.
LEAST = 8
#: What the stages of a run over articles in memory are called in reports.
PHASES = {"count": "idf", "read": "tokens and signatures", "meet": "filing", "relate": "comparison"}


@dataclass(frozen=True)
class Timed:
    """How long a run took, in seconds, and how long each of its phases, where the detector tells."""

    articles: int
    seconds: float
    phases: Mapping[str, float]


def sizes(count: int) -> list[int]:
    """Sizes that double up to all articles.

    >>> sizes(100)
    [12, 25, 50, 100]
    """
    out = [count >> halved for halved in range(SIZES) if count >> halved >= LEAST]
    if len(out) < 2:
        raise InputError(f"run times over doubling sizes want at least {2 * LEAST} articles, got {count}")
    return out[::-1]


def once(detector: Detector, articles: Sequence[Article]) -> Timed:
    """One run from articles in memory to relations: idf where it is wanted, tokens, signatures, filing, comparison."""
    phases: Mapping[str, float] = {}
    start = time.perf_counter()
    if isinstance(detector, Native):
        run = run_on(articles, detector)
        run.relations()
        phases = {PHASES[stage]: spent for stage, spent in run.summary.seconds.items()}
    else:
        Index(detector.fit([prepare(articles)])).add(prepare(articles))
    return Timed(len(articles), time.perf_counter() - start, phases)


def timed(detector: Detector, articles: Sequence[Article]) -> Timed:
    """The middle one of several runs."""
    runs = sorted((once(detector, articles) for _ in range(REPEATS)), key=lambda run: run.seconds)
    return runs[REPEATS // 2]


def series(
    detector: Detector, articles: Sequence[Article], tell: Callable[[str], None], fit_before: bool = False
) -> list[Timed]:
    """The times of all sizes; with `fit_before`, the words of each were counted before the clock starts."""
    out = []
    for size in sizes(len(articles)):
        some = articles[:size]
        tell(f"timing {detector} on {size:,} articles")
        out.append(timed(detector.fit([prepare(some)]) if fit_before else detector, some))
    return out


def rows(label: str, printed: Value, times: Sequence[Timed]) -> Iterator[Row]:
    """The growth beside the printed one, the time of every size, and the phases of the largest."""
    growth = exponent([(each.articles, each.seconds) for each in times])
    yield Row(f"{label}, growth", printed, growth, basis=YOURS, note=GROWTH)
    for each in times:
        yield Row(f"{label}, ms, {each.articles:,} articles", None, 1000 * each.seconds, basis=YOURS)
    for phase, spent in times[-1].phases.items():
        yield Row(f"{label}, ms of {phase}, {times[-1].articles:,} articles", None, 1000 * spent, basis=YOURS)


#: What stands beside an exponent.
GROWTH = f"b of time ~ articles^b over the {LARGEST} largest sizes; 1 is linear"


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the straight line through the logarithms of the largest sizes.

    >>> round(exponent([(1, 3), (2, 12), (4, 48)]), 6)
    2.0
    """
    points = points[-LARGEST:]
    return linear_regression([log(x) for x, _ in points], [log(y) for _, y in points]).slope

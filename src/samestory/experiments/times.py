"""Run time over doubling sizes: how the time of a detector grows with the number of articles.

Seconds depend on the machine; the exponent b of seconds ~ articles^b hardly does. 1 is linear.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import log
from statistics import linear_regression, median

from samestory.detectors import Detector, Native
from samestory.errors import InputError
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


def sizes(count: int) -> list[int]:
    """Sizes that double up to all articles.

    >>> sizes(100)
    [12, 25, 50, 100]
    """
    out = [count >> halved for halved in range(SIZES) if count >> halved >= LEAST]
    if len(out) < 2:
        raise InputError(f"run times over doubling sizes want at least {2 * LEAST} articles, got {count}")
    return out[::-1]


def seconds(detector: Detector, articles: Sequence[Article]) -> float:
    """How long it takes from articles in memory to relations: tokens, signatures, candidates, comparison."""
    start = time.perf_counter()
    if isinstance(detector, Native):
        run_on(articles, detector).relations()
    else:
        Index(detector.fit([prepare(articles)])).add(prepare(articles))
    return time.perf_counter() - start


def series(detector: Detector, articles: Sequence[Article], tell: Callable[[str], None]) -> list[tuple[int, float]]:
    """Sizes, and the middle of several times for each."""
    out = []
    for size in sizes(len(articles)):
        tell(f"timing {detector} on {size:,} articles")
        out.append((size, median(seconds(detector, articles[:size]) for _ in range(REPEATS))))
    return out


#: What stands beside an exponent.
GROWTH = f"b of time ~ articles^b over the {LARGEST} largest sizes; 1 is linear"


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the straight line through the logarithms of the largest sizes.

    >>> round(exponent([(1, 3), (2, 12), (4, 48)]), 6)
    2.0
    """
    points = points[-LARGEST:]
    return linear_regression([log(x) for x, _ in points], [log(y) for _, y in points]).slope

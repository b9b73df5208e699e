"""Data that several tests use: the worked examples of the studies, and random data of every kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from samestory.lab.measures import (
    Data,
    DuplicateSets,
    FlaggedArticles,
    GroupedArticles,
    JudgedPairs,
    LabelledBlocks,
    Predictions,
    Ratings,
)

#: Gold {1,2,3} {4,5} {6}; system {1,2} {3,4,5} {6}.
SMALL = GroupedArticles.from_groups(gold=[[1, 2, 3], [4, 5], [6]], found=[[1, 2], [3, 4, 5], [6]])
#: The same gold; system {1,2} {3,4} {5} {6}.
SECOND = GroupedArticles.from_groups(gold=[[1, 2, 3], [4, 5], [6]], found=[[1, 2], [3, 4], [5], [6]])


def grouped(random: np.random.Generator, rows: int = 60, wrong: float = 0.2) -> GroupedArticles:
    gold = random.integers(0, max(1, rows // 3), rows)
    found = np.where(random.random(rows) < wrong, random.integers(0, max(1, rows // 2), rows), gold)
    return GroupedArticles(gold, found)


def judged(random: np.random.Generator, rows: int = 60, wrong: float = 0.2) -> JudgedPairs:
    gold = random.random(rows) < 0.4
    mistaken = gold ^ (random.random(rows) < wrong)
    score = np.round(np.where(mistaken, 0.5, 0.1) + 0.4 * random.random(rows), 2)
    score[~mistaken & (random.random(rows) < 0.5)] = 0.0  # never compared
    # a last few pairs were never judged
    return JudgedPairs(gold, score=score, judged=np.arange(rows) < 0.9 * rows, units=np.arange(rows) // 3).cut(0.5)


def flagged(random: np.random.Generator, rows: int = 60, wrong: float = 0.2) -> FlaggedArticles:
    gold = random.random(rows) < 0.4
    return FlaggedArticles(gold, gold ^ (random.random(rows) < wrong), units=np.arange(rows) // 3)


def ratings(random: np.random.Generator, rows: int = 60, wrong: float = 0.2) -> Ratings:
    first = random.integers(0, 3, rows)
    second = np.where(random.random(rows) < wrong, random.integers(0, 3, rows), first)
    return Ratings(np.stack([first, second], axis=1), query=np.arange(rows) // 5)


def blocks(random: np.random.Generator, rows: int = 60, wrong: float = 0.2) -> LabelledBlocks:
    gold = np.where(random.random(rows) < 0.5, "CONTENT", "NOTCONTENT")
    other = np.where(gold == "CONTENT", "NOTCONTENT", "CONTENT")
    return LabelledBlocks(np.arange(rows) // 4, gold, np.where(random.random(rows) < wrong / 2, other, gold))


def predictions(random: np.random.Generator, rows: int = 60, wrong: float = 0.2) -> Predictions:
    truth = random.normal(3, 1, rows)
    return Predictions(truth, truth + wrong * random.normal(0, 1, rows))


def sets(random: np.random.Generator, rows: int = 60, wrong: float = 0.2) -> DuplicateSets:
    gold = [[{10 * row, 10 * row + 1}, {10 * row + 2, 10 * row + 3, 10 * row + 4}] for row in range(rows)]
    found = [[{min(one), -min(one) - 1} if random.random() < wrong else one for one in named] for named in gold]
    return DuplicateSets(gold, found)


MAKERS: dict[type[Data], Callable[..., Any]] = {
    GroupedArticles: grouped,
    JudgedPairs: judged,
    FlaggedArticles: flagged,
    Ratings: ratings,
    LabelledBlocks: blocks,
    Predictions: predictions,
    DuplicateSets: sets,
}

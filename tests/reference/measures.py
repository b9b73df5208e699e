"""Measures straight from their definitions: pairs listed one by one, fractions kept exact where they can be."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

Labels = Sequence[int]


def ratio(part: float | Fraction, whole: float | Fraction) -> float | None:
    """Part by whole, None for 0/0."""
    return None if whole == 0 else float(Fraction(part) / Fraction(whole))


def pairs_inside(labels: Labels) -> set[tuple[int, int]]:
    """All pairs of articles with one label."""
    return {(i, j) for i, j in combinations(range(len(labels)), 2) if labels[i] == labels[j]}


def contingency(gold: Iterable[bool], found: Iterable[bool]) -> tuple[int, int, int, int]:
    """How many are gold and found, found only, gold only, neither."""
    cells = Counter(zip(gold, found, strict=True))
    return cells[True, True], cells[False, True], cells[True, False], cells[False, False]


def f(a: int, b: int, c: int, beta: float = 1.0) -> float | None:
    """F from precision and recall, 0 where there is something to find and nothing right was found."""
    if not a:
        return 0.0 if b + (c if beta else 0) else None
    precision, recall = Fraction(a, a + b), Fraction(a, a + c)
    square = Fraction(beta) ** 2
    return float((1 + square) * precision * recall / (square * precision + recall))


def cost(a: int, b: int, c: int, d: int, p: float | None = 0.07) -> float | None:
    """The normalised duplicate cost; p=None takes it from the table."""
    if not a + c or not b + d:
        return None
    share = (a + c) / (a + b + c + d) if p is None else p
    return (b / (b + d) * (1 - share) + c / (a + c) * share) / min(share, 1 - share)


def grouped(gold: Labels, found: Labels) -> tuple[int, int, int, int]:
    """Pairs in one group of both, of the system only, of the gold only, of neither."""
    right, accepted = pairs_inside(gold), pairs_inside(found)
    all_pairs = len(gold) * (len(gold) - 1) // 2
    return len(right & accepted), len(accepted - right), len(right - accepted), all_pairs - len(right | accepted)


def b_cubed(gold: Labels, found: Labels) -> tuple[float, float] | None:
    """Precision and recall, averaged over articles one by one."""
    if not gold:
        return None
    precisions, recalls = [], []
    for i in range(len(gold)):
        mine = {j for j in range(len(gold)) if gold[j] == gold[i]}
        theirs = {j for j in range(len(found)) if found[j] == found[i]}
        precisions.append(Fraction(len(mine & theirs), len(theirs)))
        recalls.append(Fraction(len(mine & theirs), len(mine)))
    return float(sum(precisions) / len(gold)), float(sum(recalls) / len(gold))


def ari(gold: Labels, found: Labels) -> float | None:
    """Adjusted Rand index from listed pairs."""
    a, b, c, d = grouped(gold, found)
    if not a + b + c + d:
        return None
    expected = Fraction((a + b) * (a + c), a + b + c + d)
    return ratio(a - expected, Fraction(a + b + a + c, 2) - expected)


def expected_information(gold: Labels, found: Labels) -> float:
    """The mean mutual information over all ways to place the groups, group by group and count by count."""
    n = len(gold)
    total = 0.0
    for a in Counter(gold).values():
        for b in Counter(found).values():
            for k in range(max(1, a + b - n), min(a, b) + 1):
                chance = Fraction(math.comb(a, k) * math.comb(n - a, b - k), math.comb(n, b))
                total += k / n * math.log(n * k / (a * b)) * float(chance)
    return total


def entropy(labels: Labels) -> float:
    """What it takes to tell the group of an article."""
    return -sum(size / len(labels) * math.log(size / len(labels)) for size in Counter(labels).values())


def information(gold: Labels, found: Labels) -> float:
    """What one grouping tells about the other."""
    n, golds, founds = len(gold), Counter(gold), Counter(found)
    cells = Counter(zip(gold, found, strict=True))
    return sum(c / n * math.log(n * c / (golds[g] * founds[s])) for (g, s), c in cells.items())


def ami(gold: Labels, found: Labels, norm: str) -> float | None:
    """Adjusted mutual information."""
    groups, others = len(set(gold)), len(set(found))
    if groups == others and groups in (0, 1, len(gold)):
        return None
    expected = expected_information(gold, found)
    entropies = entropy(gold), entropy(found)
    top = max(entropies) if norm == "max" else sum(entropies) / 2
    return (information(gold, found) - expected) / (top - expected)


def area(gold: Sequence[bool], scores: Sequence[float]) -> float | None:
    """The share of (duplicate, other) pairs in which the duplicate scores higher, ties half."""
    positives = [s for g, s in zip(gold, scores, strict=True) if g]
    negatives = [s for g, s in zip(gold, scores, strict=True) if not g]
    won = sum(Fraction(1) if p > n else Fraction(1, 2) if p == n else 0 for p in positives for n in negatives)
    return ratio(won, len(positives) * len(negatives))


def cohen(rows: Sequence[tuple[int, int]]) -> float | None:
    """Cohen's kappa of two columns."""
    if not rows:
        return None
    n = len(rows)
    ones, others = Counter(a for a, _ in rows), Counter(b for _, b in rows)
    chance = sum(Fraction(ones[c] * others[c], n * n) for c in ones)
    return ratio(Fraction(sum(a == b for a, b in rows), n) - chance, 1 - chance)


def siegel(rows: Sequence[Sequence[int]]) -> float | None:
    """Siegel and Castellan's kappa of any number of columns."""
    if not rows:
        return None
    raters = len(rows[0])
    couples = [a == b for row in rows for a, b in combinations(row, 2)]
    chosen = Counter(c for row in rows for c in row)
    chance = sum(Fraction(times, len(rows) * raters) ** 2 for times in chosen.values())
    return ratio(Fraction(sum(couples), len(couples)) - chance, 1 - chance)


def agreeing_sets(these: Iterable[frozenset[int]], those: Sequence[frozenset[int]], exact: bool) -> int:
    """How many of these agree with any of those."""
    return sum(any(one == other if exact else len(one & other) > 1 for other in those) for one in these)

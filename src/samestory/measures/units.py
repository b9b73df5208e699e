"""Units: which rows hang together, so that the bootstrap draws them together.

Pairs hang together when they share an article, directly or over other pairs: a component of the graph whose lines are
the pairs. Components are independent of each other as far as the pairs can tell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from samestory.measures.extra import scipy

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def components(left: Integers, right: Integers) -> Integers:
    """The component of every pair of numbered articles, itself numbered from 0.

    >>> components(np.array([1, 2, 8]), np.array([2, 3, 9])).tolist()
    [0, 0, 1]
    """
    articles, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    of_article = _components_of_articles(places[: len(left)], places[len(left) :], len(articles))
    return of_article[places[: len(left)]]


def units_of_pairs(left: Integers, right: Integers, gold: Flags, judged: Flags, by: str) -> Integers:
    """The unit of every pair; `left` and `right` are articles numbered from 0.

    by="judged": components of the judged pairs. A pair that was never judged belongs to the component it touches;
    those that touch none have components of their own.
    by="gold": stories, that is components of the judged pairs that are duplicates. For collections in which every
    pair is judged: there all pairs hang together. A pair across two stories is drawn with one of them, by turns, so
    that no story gathers them all.
    """
    count = int(max(left.max(), right.max())) + 1 if len(left) else 0
    links = judged if by == "judged" else judged & gold
    known = np.zeros(count, np.bool_)
    known[left[links]] = known[right[links]] = True
    if by == "judged":
        links = links | ~(known[left] | known[right])
    of_article = _components_of_articles(left[links], right[links], count)
    one, other = of_article[left], of_article[right]
    if by == "judged":
        one, other = np.where(known[left], one, other), np.where(known[right], other, one)
    turns = np.where((one + other) % 2 == 0, np.minimum(one, other), np.maximum(one, other))
    return np.unique(turns, return_inverse=True)[1].astype(np.int64)


def _components_of_articles(left: Integers, right: Integers, count: int) -> Integers:
    lines = scipy("sparse").coo_array((np.ones(len(left), np.bool_), (left, right)), shape=(count, count))
    components: Integers = scipy("sparse.csgraph").connected_components(lines, directed=False)[1].astype(np.int64)
    return components

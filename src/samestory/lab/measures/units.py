"""Sampling units: dependent rows, which the bootstrap draws together.

Pairs are dependent when they share an article, directly or through other pairs: a connected component of the graph
whose edges are the pairs. Pairs of different components share no article.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from samestory.lab.measures.extra import scipy

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def components(left: Integers, right: Integers) -> Integers:
    """Return the connected component of every pair of numbered articles, numbered from 0.

    >>> components(np.array([1, 2, 8]), np.array([2, 3, 9])).tolist()
    [0, 0, 1]
    """
    articles, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    of_article = _components_of_articles(places[: len(left)], places[len(left) :], len(articles))
    return of_article[places[: len(left)]]


def units_of_pairs(left: Integers, right: Integers, gold: Flags, judged: Flags, by: str) -> Integers:
    """Return the unit of every pair; `left` and `right` are articles numbered from 0.

    by="judged": components of the judged pairs. An unjudged pair belongs to the component it touches; those that touch
    none form components of their own.
    by="gold": stories, that is components of the judged pairs that are duplicates. For collections in which every
    pair is judged, where all pairs are one component. A pair across two stories goes to one of them by parity, so that
    no story collects them all.
    """
    count = int(max(left.max(), right.max())) + 1 if len(left) else 0
    links = judged if by == "judged" else judged & gold
    touched = np.zeros(count, np.bool_)
    touched[left[links]] = touched[right[links]] = True
    if by == "judged":
        links = links | ~(touched[left] | touched[right])
    of_article = _components_of_articles(left[links], right[links], count)
    one, other = of_article[left], of_article[right]
    if by == "judged":
        one, other = np.where(touched[left], one, other), np.where(touched[right], other, one)
    units = np.where((one + other) % 2 == 0, np.minimum(one, other), np.maximum(one, other))
    return np.unique(units, return_inverse=True)[1].astype(np.int64)


def _components_of_articles(left: Integers, right: Integers, count: int) -> Integers:
    edges = scipy("sparse").coo_array((np.ones(len(left), np.bool_), (left, right)), shape=(count, count))
    components: Integers = scipy("sparse.csgraph").connected_components(edges, directed=False)[1].astype(np.int64)
    return components

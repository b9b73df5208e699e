"""Pooling: the union of the pairs that several detectors relate, each run with a more permissive configuration.

The pairs that a detector finds in its usual configuration must be among its nominations, otherwise its misses would go
unseen: missing ones are added to the pool and reported. New detectors may nominate at any time; only pairs without an
earlier nomination are judged then. (Varol 2012) [varol2012]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf

import numpy as np
from numpy.typing import NDArray

from samestory import _core
from samestory.detectors import Detector, parse
from samestory.errors import ParameterError
from samestory.lab.collection.answers import Shape
from samestory.lab.collection.collection import Collection, NewItem, add_items, record_run
from samestory.lab.evaluation.scored import ScoredRun, score_articles
from samestory.model import Article, Kind

#: A detector nominates about this many times the pairs of its usual configuration, with at least this share of its
#: threshold. A detector without a threshold gets a larger distance.
POOL_FACTOR, MIN_THRESHOLD_SHARE = 2.5, 0.3
#: Pseudo-detector that nominates articles with the same headline, and its limit of articles per headline.
HEADLINES, MAX_ARTICLES_PER_HEADLINE = "headlines", 50

_ANY_KIND = frozenset(Kind) - {Kind.NONE}


@dataclass(frozen=True, slots=True)
class Nomination:
    """Outcome of the nominations by one detector."""

    name: str
    asked: str
    """The configuration that nominated."""
    usual: int
    """Pairs in the usual configuration."""
    found: int
    missed: int
    """Pairs of the usual configuration that were not nominated; they are in the pool nevertheless."""
    new: int
    """Pairs without an earlier nomination."""


def pool(
    collection: Collection,
    detectors: Sequence[str | Detector],
    times: float = POOL_FACTOR,
    report: Callable[[str], None] | None = None,
) -> list[Nomination]:
    """Nominate pairs. A spec may include the configuration that nominates: `"codet | codet(threshold=0.4)"`.

    `report` is called with the name of each detector before it runs.
    """
    # gold of imported labels consists of groups, and cannot be evaluated together with pairs
    if collection.shape is not Shape.PAIR or collection.protocol == "events":
        raise ParameterError(f"a pool requires pairs, but this collection has the protocol {collection.protocol!r}")
    if not 1 <= times < inf:
        raise ParameterError(f"times: expected a number of 1 or more, got {times}")
    # all specs are parsed first, so that an invalid one is reported before any detector runs
    parsed = [each if each == HEADLINES else _parse_spec(each) for each in detectors]
    articles = list(collection.articles().values())
    out = []
    for each in parsed:
        name = each if isinstance(each, str) else str(each[0])
        if report:
            report(name)
        found = _headlines(articles) if isinstance(each, str) else _nominated(articles, *each, times)
        with collection.database.write() as session:
            run = record_run(session, name, found.asked, len(found.pairs))
            new, _ = add_items(session, Shape.PAIR, found.pairs, run)
        out.append(Nomination(name, found.asked, found.usual, len(found.pairs), found.missed, new))
    return out


@dataclass(frozen=True, slots=True)
class _NominatedPairs:
    asked: str
    pairs: list[NewItem]
    usual: int
    missed: int = 0


def _parse_spec(given: str | Detector) -> tuple[Detector, Detector | None]:
    """Return the detector in its usual configuration, and the one that nominates if it is given."""
    if not isinstance(given, str):
        return given, None
    usual, bar, permissive = given.partition("|")
    return parse(usual.strip()), parse(permissive.strip()) if bar else None


def _nominated(
    articles: Sequence[Article], usual: Detector, permissive: Detector | None, times: float
) -> _NominatedPairs:
    own = score_articles(usual, articles)
    own_pairs, _ = _pairs(own)
    if permissive is not None:
        pairs, scores = _pairs(score_articles(permissive, articles))
    else:
        permissive, pairs, scores = _loosened(articles, usual, own, round(times * len(own_pairs)))
    missed = np.setdiff1d(own_pairs, pairs)
    every = [*zip(pairs.tolist(), scores.tolist(), strict=True), *((pair, None) for pair in missed.tolist())]
    ids, many = own.ids, len(own.ids)
    wanted = [NewItem((ids[pair // many], ids[pair % many]), score) for pair, score in every]
    return _NominatedPairs(str(permissive), wanted, len(own_pairs), len(missed))


def _loosened(
    articles: Sequence[Article], usual: Detector, own: ScoredRun, wanted: int
) -> tuple[Detector, NDArray[np.int64], NDArray[np.float64]]:
    """Return the detector with a threshold at which it nominates about `wanted` pairs, with these and their scores."""
    threshold = getattr(usual, "threshold", None)
    if threshold is None:
        distance = getattr(usual, "distance", None)
        permissive = usual if distance is None else replace(usual, distance=2 * distance + 1)
        return permissive, *_pairs(own if permissive is usual else score_articles(permissive, articles))
    scored = score_articles(usual, articles, MIN_THRESHOLD_SHARE * threshold)
    pairs, scores = _pairs(scored)
    if len(pairs) > wanted:
        # cutting the scores equals a run with that threshold; pairs with equal scores are all included
        cut = max(MIN_THRESHOLD_SHARE * threshold, min(threshold, float(np.sort(scores)[-max(wanted, 1)])))
    else:
        cut = MIN_THRESHOLD_SHARE * threshold
    cut = float(np.floor(cut * 1e4) / 1e4)
    keep = scored.reaches(scores, cut)
    return replace(usual, threshold=cut), pairs[keep], scores[keep]


def _pairs(scored: ScoredRun) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return unordered pairs, each encoded as one number, and the best score of each."""
    keep, scores = scored.sense(_ANY_KIND)
    left, right, many = scored.left[keep], scored.right[keep], len(scored.ids)
    both = np.minimum(left, right) * many + np.maximum(left, right)
    order = np.lexsort((-scores[keep], both))
    found, first = np.unique(both[order], return_index=True)
    return found, scores[keep][order][first]


def _headlines(articles: Sequence[Article]) -> _NominatedPairs:
    """Nominate all pairs of articles with the same headline."""
    alike: dict[str, list[str]] = defaultdict(list)
    for each in articles:
        if each.title and (folded := " ".join(_core.text.Language("en").fold(each.title).split())):
            alike[folded].append(each.id)
    pairs = [NewItem(pair) for ids in alike.values() for pair in combinations(ids[:MAX_ARTICLES_PER_HEADLINE], 2)]
    return _NominatedPairs(HEADLINES, pairs, len(pairs))

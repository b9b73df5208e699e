"""Pooling: all that any of several detectors would relate, each asked more permissively than it is used.

What a detector finds as it is used must be among what it nominates, or its misses would go unseen: that is checked, and
what is missing is taken into the pool and told. New detectors may nominate at any time; only pairs that nobody has
nominated before are judged then. (Varol 2012) [varol2012]
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
from samestory.collection.answers import Shape
from samestory.collection.collection import Collection, Wanted, note_run, put
from samestory.detectors import Detector, parse
from samestory.errors import ParameterError
from samestory.lab.scored import Scored, score_articles
from samestory.model import Article, Kind

#: A detector nominates about so many times what it finds as it is used; it is asked with no less than this share of its
#: threshold. One without a threshold may let more bits differ.
TIMES, LOWEST = 2.5, 0.3
#: Not a detector: articles under one headline, and how many of one headline at most.
HEADLINES, MOST = "headlines", 50

_ANY = frozenset(Kind) - {Kind.NONE}
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Nomination:
    """What somebody nominated."""

    name: str
    asked: str
    """The same, with the parameters that were used to nominate."""
    usual: int
    """Pairs that it finds as it is used."""
    found: int
    missed: int
    """Pairs that it finds as it is used, but not when it is asked; they are in the pool all the same."""
    new: int
    """Pairs that nobody had nominated."""


def pool(
    collection: Collection, detectors: Sequence[str | Detector], times: float = TIMES, told: Told | None = None
) -> list[Nomination]:
    """Lets detectors nominate pairs. A spec may say how it is asked: `"codet | codet(threshold=0.4)"`."""
    # gold made of labels is of groups, and pairs beside them could not be evaluated
    if collection.shape is not Shape.PAIR or collection.protocol == "events":
        raise ParameterError(f"a pool is of pairs, and this collection is made by the protocol {collection.protocol!r}")
    if not 1 <= times < inf:
        raise ParameterError(f"times: a number of 1 or more is wanted, got {times}")
    asked = [each if each == HEADLINES else _both(each) for each in detectors]  # what cannot be read is told first
    articles = list(collection.articles().values())
    out = []
    for each in asked:
        name = each if isinstance(each, str) else str(each[0])
        if told:
            told(name)
        found = _headlines(articles) if isinstance(each, str) else _nominated(articles, *each, times)
        with collection.database.write() as session:
            run = note_run(session, name, found.asked, len(found.pairs))
            new, _ = put(session, Shape.PAIR, found.pairs, run)
        out.append(Nomination(name, found.asked, found.usual, len(found.pairs), found.missed, new))
    return out


@dataclass(frozen=True, slots=True)
class _Found:
    asked: str
    pairs: list[Wanted]
    usual: int
    missed: int = 0


def _both(given: str | Detector) -> tuple[Detector, Detector | None]:
    """A detector as it is used, and as it is asked if somebody said how."""
    if not isinstance(given, str):
        return given, None
    usual, bar, asked = given.partition("|")
    return parse(usual.strip()), parse(asked.strip()) if bar else None


def _nominated(articles: Sequence[Article], usual: Detector, asked: Detector | None, times: float) -> _Found:
    own = score_articles(usual, articles)
    own_pairs, _ = _pairs(own)
    if asked is not None:
        pairs, scores = _pairs(score_articles(asked, articles))
    else:
        asked, pairs, scores = _loosened(articles, usual, own, round(times * len(own_pairs)))
    missed = np.setdiff1d(own_pairs, pairs)
    every = [*zip(pairs.tolist(), scores.tolist(), strict=True), *((pair, None) for pair in missed.tolist())]
    ids, many = own.ids, len(own.ids)
    wanted = [Wanted((ids[pair // many], ids[pair % many]), score) for pair, score in every]
    return _Found(str(asked), wanted, len(own_pairs), len(missed))


def _loosened(
    articles: Sequence[Article], usual: Detector, own: Scored, wanted: int
) -> tuple[Detector, NDArray[np.int64], NDArray[np.float64]]:
    """The detector with a lower threshold, at which it nominates about as many pairs as are wanted, and these."""
    threshold = getattr(usual, "threshold", None)
    if threshold is None:
        distance = getattr(usual, "distance", None)
        asked = usual if distance is None else replace(usual, distance=2 * distance + 1)
        return asked, *_pairs(own if asked is usual else score_articles(asked, articles))
    scored = score_articles(usual, articles, LOWEST * threshold)
    pairs, scores = _pairs(scored)
    if len(pairs) > wanted:
        # a cut through the scores is the run at that threshold; all of one score are in it
        cut = max(LOWEST * threshold, min(threshold, float(np.sort(scores)[-max(wanted, 1)])))
    else:
        cut = LOWEST * threshold
    cut = float(np.floor(cut * 1e4) / 1e4)
    keep = scored.reaches(scores, cut)
    return replace(usual, threshold=cut), pairs[keep], scores[keep]


def _pairs(scored: Scored) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Pairs as one number each, whichever side they were told from, and the best score of each."""
    keep, scores = scored.sense(_ANY)
    left, right, many = scored.left[keep], scored.right[keep], len(scored.ids)
    both = np.minimum(left, right) * many + np.maximum(left, right)
    order = np.lexsort((-scores[keep], both))
    found, first = np.unique(both[order], return_index=True)
    return found, scores[keep][order][first]


def _headlines(articles: Sequence[Article]) -> _Found:
    """Pairs of articles under one headline, whatever their texts are."""
    alike: dict[str, list[str]] = defaultdict(list)
    for each in articles:
        if each.title and (folded := " ".join(_core.fold(each.title, False).split())):
            alike[folded].append(each.id)
    pairs = [Wanted(pair) for ids in alike.values() for pair in combinations(ids[:MOST], 2)]
    return _Found(HEADLINES, pairs, len(pairs))

"""Passages shared by two articles, and the rest of each."""

from __future__ import annotations

from collections.abc import Iterable

from samestory import _core
from samestory.model import Evidence, Features, Span

#: Minimum words of a passage; shorter runs match by chance.
MIN_PASSAGE_WORDS = 3


def shared_passages(left: Features, right: Features, least: int = MIN_PASSAGE_WORDS) -> list[Evidence]:
    """Returns the longest runs of equal words in the first article of each batch, in the order of the left one.

    >>> from samestory import Article, prepare
    >>> a, b = prepare([Article("a", "He said the bridge is open.")]), prepare([Article("b", "The bridge is open now")])
    >>> shared_passages(a, b)
    [Evidence(left=Span(start=8, end=26), right=Span(start=0, end=18))]
    """
    runs = _core.text.passages(left.tokens[0], right.tokens[0], least)
    left_starts, left_ends = left.starts[0], left.ends[0]
    right_starts, right_ends = right.starts[0], right.ends[0]
    return [
        Evidence(
            Span(int(left_starts[at]), int(left_ends[at + words - 1])),
            Span(int(right_starts[to]), int(right_ends[to + words - 1])),
        )
        for at, to, words in runs
    ]


def missing(article: Features, found: Iterable[Span]) -> list[Span]:
    """Returns the spans of an article outside those found in another article.

    Gaps without a word (a comma between two passages) are left out.
    """
    import numpy as np

    starts, ends = article.starts[0], article.ends[0]
    spans = sorted(found)
    is_missing = np.ones(len(starts), np.bool_)
    if spans:
        first, last = np.array(spans, np.int64).T
        before = np.searchsorted(first, starts, side="right")
        # the furthest end of the spans that begin at or before a word
        reach = np.concatenate([[-1], np.maximum.accumulate(last)])[before]
        is_missing = reach <= starts
    # runs of words that are missing
    edges = np.flatnonzero(np.diff(is_missing, prepend=False, append=False))
    runs = zip(starts[edges[::2]].tolist(), ends[edges[1::2] - 1].tolist(), strict=True)
    return [Span(start, end) for start, end in runs]

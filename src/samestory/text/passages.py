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
    starts, ends = article.starts[0], article.ends[0]
    covered = sorted(found)
    out: list[Span] = []
    at = 0
    joined = False
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        while at < len(covered) and covered[at].end <= start:
            at += 1
        if at < len(covered) and covered[at].start <= start:
            joined = False
        elif joined:
            out[-1] = Span(out[-1].start, end)
        else:
            out.append(Span(start, end))
            joined = True
    return out

"""The names that two articles have in the same words, and those of one article only: the evidence of Tweezer."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

from samestory.model import Evidence, Features, Span
from samestory.text import missing, shared_passages


class Shingle(NamedTuple):
    """A name with the words around it: the compared words, their span, and the span of the name (empty without one)."""

    words: str
    span: Span
    name: Span

    @property
    def is_nameless(self) -> bool:
        """Whether it is the signature of an article without names."""
        return self.name.start == self.name.end


#: Returns the shingles of one article.
Shingles = Callable[[Features], list[Shingle]]


def names(article: list[Shingle], other: list[Shingle], shared: bool) -> list[Span]:
    """Returns the names of an article that another one has in the same words, or those that it does not have."""
    there = {shingle.words for shingle in other}
    return [each.name for each in article if not each.is_nameless and (each.words in there) == shared]


def evidence(left: Features, right: Features, shingles: Shingles) -> list[Evidence]:
    """Returns the positions of common shingles, each at its first occurrence; overlapping ones are merged.

    For two articles without names but with equal signatures, the passages they share: their middles may differ.
    """
    one, other = shingles(left), shingles(right)
    there = {shingle.words: shingle.span for shingle in reversed(other)}
    if any(shingle.is_nameless and shingle.words in there for shingle in one):
        return shared_passages(left, right)
    here = {shingle.words: shingle.span for shingle in reversed(one)}
    found = sorted(Evidence(span, there[words]) for words, span in here.items() if words in there)
    starts = left.starts[0].tolist(), right.starts[0].tolist()
    out: list[Evidence] = []
    for each in found:
        if not out or out[-1].left.end <= each.left.start:
            out.append(each)
            continue
        last = out[-1]
        begin, end = (tuple(map(bisect_left, starts, (e.left.start, e.right.start))) for e in (last, each))
        # adjacent in one article and apart in the other: only the first is kept
        if end[0] - begin[0] == end[1] - begin[1]:
            left_end, right_end = max(last.left.end, each.left.end), max(last.right.end, each.right.end)
            out[-1] = Evidence(Span(last.left.start, left_end), Span(last.right.start, right_end))
    return out


def alone(
    left: Features, right: Features, evidence: Sequence[Evidence], shingles: Shingles
) -> tuple[list[Span], list[Span]]:
    """Returns the names of each article that the other lacks in these words; without names, the other new passages."""
    one, other = shingles(left), shingles(right)
    return _alone(left, one, other, [e.left for e in evidence]), _alone(right, other, one, [e.right for e in evidence])


def _alone(article: Features, own: list[Shingle], other: list[Shingle], found: list[Span]) -> list[Span]:
    if any(shingle.is_nameless for shingle in own):
        return missing(article, found)
    return names(own, other, shared=False)

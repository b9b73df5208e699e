"""The names that two articles have in the same words, and those that each has alone: what Tweezer goes by."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

from samestory.model import Evidence, Features, Span
from samestory.text import missing, shared_passages


class Shingle(NamedTuple):
    """A name with the words around it: as it is compared, where it stands, where the name does (nowhere, without)."""

    words: str
    span: Span
    name: Span

    @property
    def nameless(self) -> bool:
        """Does it stand for an article without names?"""
        return self.name.start == self.name.end


#: The shingles of one article.
Shingles = Callable[[Features], list[Shingle]]


def names(article: list[Shingle], other: list[Shingle], shared: bool) -> list[Span]:
    """The names of an article that another has in the same words; or those that it has not."""
    there = {shingle.words for shingle in other}
    return [each.name for each in article if not each.nameless and (each.words in there) == shared]


def evidence(left: Features, right: Features, shingles: Shingles) -> list[Evidence]:
    """Where the same shingles stand, each at its first place; those that overlap are one passage.

    Of two articles without names that are signed alike, what they share: between their ends they may differ.
    """
    one, other = shingles(left), shingles(right)
    there = {shingle.words: shingle.span for shingle in reversed(other)}
    if any(shingle.nameless and shingle.words in there for shingle in one):
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
        begun, end = (tuple(map(bisect_left, starts, (e.left.start, e.right.start))) for e in (last, each))
        # side by side in one article and apart in the other: the first stands for both
        if end[0] - begun[0] == end[1] - begun[1]:
            left_end, right_end = max(last.left.end, each.left.end), max(last.right.end, each.right.end)
            out[-1] = Evidence(Span(last.left.start, left_end), Span(last.right.start, right_end))
    return out


def alone(
    left: Features, right: Features, evidence: Sequence[Evidence], shingles: Shingles
) -> tuple[list[Span], list[Span]]:
    """The names of each article that the other has in other words, or not at all; of one without, what is new in it."""
    one, other = shingles(left), shingles(right)
    return _alone(left, one, other, [e.left for e in evidence]), _alone(right, other, one, [e.right for e in evidence])


def _alone(article: Features, own: list[Shingle], other: list[Shingle], found: list[Span]) -> list[Span]:
    if any(shingle.nameless for shingle in own):
        return missing(article, found)
    return names(own, other, shared=False)

"""From what two articles have in common to shares and a kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Set

#: The share of left found in right, the share of right found in left, the kind or none.
Result = tuple[float, float, str | None]

APART: Result = (0.0, 0.0, None)
NEAR: Result = (1.0, 1.0, "NEAR")


def without_features(left: bool, right: bool) -> Result | None:
    """What is said of articles with nothing to compare: two of them are alike, one alone is like nothing."""
    if left and right:
        return None
    return APART if left or right else NEAR


def reaches(share: float, threshold: float) -> bool:
    """Is a share enough? Nothing in common never is."""
    return share > 0 and share >= threshold


def contains(forward: float, backward: float, threshold: float) -> Result:
    """Both shares reach the threshold: near; one does: that side is part of the other."""
    if reaches(forward, threshold) and reaches(backward, threshold):
        return forward, backward, "NEAR"
    if reaches(forward, threshold):
        return forward, backward, "PART_OF"
    if reaches(backward, threshold):
        return forward, backward, "HAS_PART"
    return forward, backward, None


def contained_sets(left: Set[Hashable], right: Set[Hashable], threshold: float) -> Result:
    """c(A,B) = |A ∩ B| / |A|, decided by containment."""
    common = len(left & right)
    return without_features(bool(left), bool(right)) or contains(common / len(left), common / len(right), threshold)


def jaccard(left: Set[Hashable], right: Set[Hashable]) -> float:
    """r(A,B) = |A ∩ B| / |A ∪ B|, 0 for two empty sets."""
    return len(left & right) / len(left | right) if left | right else 0.0


def resembling_sets(left: Set[Hashable], right: Set[Hashable], threshold: float) -> Result:
    """c(A,B) both ways as shares, decided by r(A,B)."""
    if found := without_features(bool(left), bool(right)):
        return found
    common = len(left & right)
    kind = "NEAR" if reaches(jaccard(left, right), threshold) else None
    return common / len(left), common / len(right), kind


def multiset_jaccard(left: Counter[str], right: Counter[str]) -> float:
    """Σ min / Σ max of the two numbers of every member, 0 for two empty multisets."""
    most = (left | right).total()
    return (left & right).total() / most if most else 0.0

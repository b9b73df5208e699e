"""KOALA: all substrings of twenty letters, or the least frequent of them.

The frequency of a substring is guessed by that of its first five letters. The selective form stores few substrings of
an article and looks for them among more of the other.
"""

from __future__ import annotations

from samestory import Article
from tests.reference.shares import Result, contained_sets, contains, without_features
from tests.reference.text import STEM, Table, substrings, wanted
from tests.reference.text import letters as letters_of


def rarest(found: set[str], table: Table, count: int) -> set[str]:
    """So many substrings by ascending frequency, unknown ones first; equal ones by the alphabet."""
    return set(sorted(found, key=lambda run: (table.counts.get(run[:STEM], 0), run))[:count])


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    form: str = "selective",
    letters: int = 20,
    stored: int = 100,
    searched: int = 1000,
    threshold: float = 0.4,
) -> Result:
    """Full: containment of the sets. Selective: forward = the share of left's stored among right's searched.

    The table counts runs of five letters (`Table.of_letters`).
    """
    a, b = (set(substrings(letters_of(article), letters)) for article in (left, right))
    if form == "full":
        return contained_sets(a, b, threshold)
    if form != "selective":
        raise ValueError(f"no such form: {form}")
    if found := without_features(bool(a), bool(b)):
        return found
    own, other = rarest(a, wanted(table), stored), rarest(b, wanted(table), stored)
    forward = len(own & rarest(b, wanted(table), searched)) / len(own)
    backward = len(other & rarest(a, wanted(table), searched)) / len(other)
    return contains(forward, backward, threshold)

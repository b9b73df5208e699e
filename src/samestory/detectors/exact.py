"""The same text: equal 128-bit hashes of the normalised words, in order.

Case, punctuation and white space are ignored. An article without words has no hash and no relations.
Both shares are 1 or 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import Native
from samestory.model import Kind


@dataclass(frozen=True)
class Exact(Native):
    """Finds identical articles.

    >>> str(Exact())
    'exact()'
    """

    name: ClassVar[str] = "exact"
    summary: ClassVar[str] = "the same words in the same order"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.IDENTICAL})

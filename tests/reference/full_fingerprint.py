"""Full fingerprint (ffp) and the sampled one (dsc-varol): hash every run of four terms.

d_C contains d_A if d_C holds at least 60 % of the different hashes of d_A. Varol (2012), section 4.2. [varol2012]
The sampled one keeps "three overlapping" runs, of which there are several readings.
"""

from __future__ import annotations

import hashlib

from samestory import Article
from tests.reference.shares import Result, contained_sets
from tests.reference.text import StopList, Table, runs, terms

KEPT = 3


def first_bytes(shingle: tuple[str, ...]) -> int:
    """The first eight bytes of SHA-1 of the terms joined by one blank, as a number."""
    return int.from_bytes(hashlib.sha1(" ".join(shingle).encode()).digest()[:8], "big")


def sample(shingles: list[tuple[str, ...]], sampling: str) -> set[tuple[str, ...]]:
    """The shingles that are kept: of the places 0, 3, 6, …; of the first three; the three least by hash; all."""
    if sampling == "every_third":
        return set(shingles[::KEPT])
    if sampling == "first_three":
        return set(shingles[:KEPT])
    if sampling == "min_three":
        return set(sorted(set(shingles), key=first_bytes)[:KEPT])
    if sampling == "all":
        return set(shingles)
    raise ValueError(f"no such sampling: {sampling}")


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    shingle: int = 4,
    threshold: float = 0.6,
    stemming: str = "F5",
    stop_words: bool = True,
    stop_list: StopList | None = None,
) -> Result:
    """ffp: containment of the sets of all shingles."""
    a, b = (runs(terms(article, stemming, stop_words, stop_list=stop_list), shingle) for article in (left, right))
    return contained_sets(set(a), set(b), threshold)


def compare_sampled(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    shingle: int = 4,
    threshold: float = 0.6,
    sampling: str = "every_third",
    stemming: str = "F5",
    stop_words: bool = True,
    stop_list: StopList | None = None,
) -> Result:
    """dsc-varol: containment of the sets of the shingles that are kept."""
    a, b = (runs(terms(article, stemming, stop_words, stop_list=stop_list), shingle) for article in (left, right))
    return contained_sets(sample(a, sampling), sample(b, sampling), threshold)

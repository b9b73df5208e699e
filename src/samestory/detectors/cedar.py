"""CEDAR: resemblance of word runs, for texts extracted from web pages. [gibson2007]

    r(A, B) = |S(A) ∩ S(B)| / |S(A) ∪ S(B)|        S: the set of all runs of `shingle` words, less the frequent ones

The shares are the two containments |S(A) ∩ S(B)| / |S(A)| and |S(A) ∩ S(B)| / |S(B)|; the threshold applies to r.
Articles of fewer words have a single run of all their words.

With `frequent`, the most frequent runs of the collection are removed: text that pages repeat is boilerplate. Distinct
runs are ranked by document frequency, ties by hash, and the first `frequent` percent are removed; with
`frequent_by="occurrences"`, as many of the first as together make up that share of all (run, article) pairs. An article
without remaining runs has no signature and no relations.

The study groups related articles transitively: `--grouping components`.

Keys: all remaining runs. Articles with r ≥ `threshold` share at least that share of the runs of each of them, so no
related pair is missed.
Gibson, Wellner and Lubar (2007), Identification of duplicate news stories in web pages. [gibson2007]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self

from samestory import _core
from samestory.detectors.native import Native
from samestory.errors import NotFittedError, ParameterError
from samestory.model import Features, Kind
from samestory.specs import SHARE, Range, parameter
from samestory.text import Counting, ShingleCounter, ShingleCounts


@dataclass(frozen=True)
class Cedar(Native):
    """Finds articles that have a share of their word runs in common, apart from boilerplate.

    >>> str(Cedar(frequent=5))
    'cedar(frequent=5.0)'
    """

    name: ClassVar[str] = "cedar"
    summary: ClassVar[str] = "articles that resemble each other as a whole, without text that all pages repeat"
    share_phrase: ClassVar[str] = "of the word runs of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "gibson2007"

    shingle: int = parameter(2, "words in a run", Range(1, 100))
    threshold: float = parameter(0.4, "least resemblance that is reported", SHARE)
    frequent: float = parameter(
        0.0, "percentage of the most frequent runs of the collection to leave out", Range(0, 100)
    )
    frequent_by: str = parameter(
        "shingles",
        "percentage of 'shingles' (distinct runs) or of 'occurrences' (runs in articles)",
        ("shingles", "occurrences"),
    )
    counts: str = parameter(
        "self", "'self' (counted on the collection itself), or a file of `samestory fit --shingles`"
    )
    table: ShingleCounts | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.counts, str) or not self.counts:
            raise ParameterError(f"{self.name}: counts must be 'self' or the name of a file, got {self.counts!r}")

    @property
    def fitted(self) -> bool:
        return not self.frequent or self.table is not None or self.counts != "self"

    @cached_property
    def native(self) -> _core.detectors.Detector:
        if not self.frequent:
            return _core.detectors.Detector(self.name, self.arguments())
        table = self._table()
        if table.shingle != self.shingle:
            raise ParameterError(
                f"{self.name}: expected counts of runs of {self.shingle} words, got runs of {table.shingle}",
                f"count again with --shingles {self.shingle}",
            )
        return _core.detectors.Detector(self.name, self.arguments(), table.native)

    def _table(self) -> ShingleCounts:
        if self.table is None and self.counts == "self":
            raise NotFittedError(
                f"{self.name}: needs the frequencies of word runs",
                f"fit it with detector.fit(corpus), or make a table once with `samestory fit NEWS.jsonl --shingles "
                f"{self.shingle} -o news.shingles`, and use {self.name}(frequent=…, counts='news.shingles')",
            )
        return ShingleCounts.load(self.counts) if self.table is None else self.table

    def counter(self) -> Counting:
        return ShingleCounter(self.shingle)

    def weighed(self, counts: ShingleCounts) -> Self:
        return replace(self, table=counts)

    def fit(self, corpus: Iterable[Features]) -> Self:
        """Returns this detector with the run counts of a corpus; itself if it leaves out no runs."""
        return self.weighed(ShingleCounts.of(corpus, self.shingle)) if self.frequent else self

    def state(self) -> bytes:
        return bytes(self._table()) if self.frequent and self.fitted else b""

    def restore(self, state: bytes) -> Self:
        return self.weighed(ShingleCounts.parse(state)) if state else self

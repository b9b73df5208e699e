"""CEDAR: resemblance of word runs, for texts that were taken from pages. [gibson2007]

    r(A, B) = |S(A) ∩ S(B)| / |S(A) ∪ S(B)|        S: the set of all runs of `shingle` words, less the frequent ones

The shares are the two containments |S(A) ∩ S(B)| / |S(A)| and |S(A) ∩ S(B)| / |S(B)|; r decides, and is what the
threshold cuts. Articles of fewer words have one run of all.

With `frequent`, the runs that stand in most articles of the collection are left out: what pages repeat is furniture,
what they say is not. Different runs are ranked by the number of articles that have them, equals by their hash, and
the first `frequent` percent go; or, `frequent_by="occurrences"`, as many of the first as together make up that share
of all (run, article). An article of which nothing is left has no signature, and is related to nobody.

The study puts related articles together over others: `--grouping components`.

Keys: all runs that are left. Articles with r ≥ `threshold` share at least that share of the runs of each of them.
Nothing is lost.
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
from samestory.specs import parameter
from samestory.text import Counting, ShingleCounter, ShingleCounts


@dataclass(frozen=True)
class Cedar(Native):
    """Finds articles that have a share of their word runs in common, furniture aside.

    >>> str(Cedar(frequent=5))
    'cedar(frequent=5.0)'
    """

    name: ClassVar[str] = "cedar"
    sees: ClassVar[str] = "articles that resemble each other as a whole, without what all pages repeat"
    shares: ClassVar[str] = "of the word runs of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "gibson2007"

    shingle: int = parameter(2, "words in a run")
    threshold: float = parameter(0.4, "least resemblance that is reported")
    frequent: float = parameter(0.0, "percentage of the most frequent runs of the collection that are left out")
    frequent_by: str = parameter("shingles", "of what: 'shingles' (different runs) or 'occurrences' (runs in articles)")
    counts: str = parameter(
        "self", "'self' (counted on the collection itself), or a file of `samestory fit --shingles`"
    )
    table: ShingleCounts | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check("shingle", 1, 100)
        self._check("threshold", 0, 1)
        self._check("frequent", 0, 100)
        self._check_choice("frequent_by", "shingles", "occurrences")
        if not isinstance(self.counts, str) or not self.counts:
            raise ParameterError(f"{self.name}: counts must be 'self' or the name of a file, got {self.counts!r}")

    @property
    def fitted(self) -> bool:
        """See the base."""
        return not self.frequent or self.table is not None or self.counts != "self"

    @cached_property
    def native(self) -> _core.Detector:
        """See the base."""
        if not self.frequent:
            return _core.Detector(self.name, self.arguments())
        table = self._table()
        if table.shingle != self.shingle:
            raise ParameterError(
                f"{self.name}: counts of runs of {self.shingle} words are wanted, got runs of {table.shingle}",
                f"count again, with --shingles {self.shingle}",
            )
        return _core.Detector(self.name, self.arguments(), shingles=table.native)

    def _table(self) -> ShingleCounts:
        if self.table is None and self.counts == "self":
            raise NotFittedError(
                f"{self.name}: how frequent runs of words are is wanted",
                f"fit it: detector.fit(corpus); or make a table once, with `samestory fit NEWS.jsonl --shingles "
                f"{self.shingle} -o news.shingles`, and use {self.name}(frequent=…, counts='news.shingles')",
            )
        return ShingleCounts.load(self.counts) if self.table is None else self.table

    def counter(self) -> Counting:
        """See the base."""
        return ShingleCounter(self.shingle)

    def weighed(self, counts: ShingleCounts) -> Self:
        """See the base."""
        return replace(self, table=counts)

    def fit(self, corpus: Iterable[Features]) -> Self:
        """See the base; where nothing is left out there is nothing to count."""
        return self.weighed(ShingleCounts.of(corpus, self.shingle)) if self.frequent else self

    def state(self) -> bytes:
        """See the base."""
        return bytes(self._table()) if self.frequent and self.fitted else b""

    def restore(self, state: bytes) -> Self:
        """See the base."""
        return self.weighed(ShingleCounts.parse(state)) if state else self

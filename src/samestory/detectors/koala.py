"""KOALA: all runs of twenty letters of an article, or the least frequent of them.

    full:       forward = |R(left) ∩ R(right)| / |R(left)|             R: the distinct runs of letters
    selective:  forward = |stored(left) ∩ searched(right)| / |stored(left)|

The text is reduced to its letters: blanks, punctuation and figures are ignored. The frequency of a run is that of its
first five letters, counted over a collection; the selective form stores the 100 least frequent runs of an article, and
searches for them among the 1,000 least frequent of the other. A text of fewer letters is one run. An article with at
least `threshold` of its runs in another is contained in it; two that contain each other are near.

Keys: all searched runs (full form: all runs); two articles are candidates if they share `threshold` of the stored runs
of the one with fewer. No related pair is missed.
Heintze (1996), Scalable document fingerprinting. [heintze1996]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from samestory import _core
from samestory.detectors.native import CONTAINMENT
from samestory.detectors.weighted import Counted
from samestory.errors import InputError, ParameterError
from samestory.model import Features, Kind
from samestory.specs import SHARE, Range, parameter
from samestory.text import Counter, Frequencies
from samestory.text.frequencies import Section


@dataclass(frozen=True)
class Koala(Counted):
    """Finds articles that contain the rarest runs of letters of another one, or most of all its runs.

    >>> str(Koala(form="full"))
    "koala(form='full')"
    """

    name: ClassVar[str] = "koala"
    summary: ClassVar[str] = "articles that contain the rarest runs of letters of another one"
    share_phrase: ClassVar[str] = "of the runs of letters of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    threshold_per_share: ClassVar[bool] = True
    paper: ClassVar[str] = "heintze1996"
    section: ClassVar[Section] = "letters"

    form: str = parameter("selective", "'selective' uses the least frequent runs, 'full' all", ("selective", "full"))
    letters: int = parameter(20, "letters in a run", Range(1, 1000))
    stored: int = parameter(100, "number of least frequent runs that are stored (selective)", Range(1, 2**32))
    searched: int = parameter(
        1000, "number of least frequent runs that are searched for those of others (selective)", Range(1, 2**32)
    )
    threshold: float = parameter(0.4, "least share of an article's runs that its container has", SHARE)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.searched < self.stored:
            raise ParameterError(
                f"{self.name}: searched must be at least stored ({self.stored!r}), got {self.searched!r}"
            )

    @property
    def fitted(self) -> bool:
        """Whether it has its statistics; the full form needs none."""
        return self.form == "full" or super().fitted

    @cached_property
    def native(self) -> _core.detectors.Detector:
        table = None if self.form == "full" else self.table().native
        return _core.detectors.Detector(self.name, self.arguments(), table)

    def table(self) -> Frequencies:
        table = super().table()
        if self.frequencies is None and not table.sizes["letters"]:
            raise InputError(
                "this table has no runs of five letters",
                f"make one that has: samestory fit NEWS.jsonl --letters -o {self.idf}",
                place=self.idf,
            )
        return table

    def counter(self) -> Counter:
        return Counter() if self.form == "full" else super().counter()

    def fit(self, corpus: Iterable[Features]) -> Self:
        return self if self.form == "full" else super().fit(corpus)

    def state(self) -> bytes:
        return b"" if self.form == "full" else super().state()

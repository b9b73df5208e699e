"""KOALA: all runs of twenty letters of an article, or the least frequent of them.

    full:       forward = |R(left) ∩ R(right)| / |R(left)|             R: the different runs of letters
    selective:  forward = |stored(left) ∩ searched(right)| / |stored(left)|

The text is reduced to its letters, so that neither blanks nor punctuation nor figures count. A run is taken to be as
frequent as its first five letters, counted over a collection; the selective form stores the 100 least frequent runs of
an article, and looks for them among the 1,000 least frequent of the other. A text of fewer letters is one run. An
article with at least `threshold` of its runs in another is contained in it; two that contain each other are near.

Keys: all runs that are searched (of the full form: all); two articles meet when they share `threshold` of the runs that
the one with fewer stores. Nothing is lost.
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
from samestory.specs import parameter
from samestory.text import Counter, Frequencies
from samestory.text.frequencies import Section


@dataclass(frozen=True)
class Koala(Counted):
    """Finds articles that hold the rarest runs of letters of another one, or most of all its runs.

    >>> str(Koala(form="full"))
    "koala(form='full')"
    """

    name: ClassVar[str] = "koala"
    sees: ClassVar[str] = "articles that hold the rarest runs of letters of another one"
    shares: ClassVar[str] = "of the runs of letters of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    cuts_shares: ClassVar[bool] = True
    paper: ClassVar[str] = "heintze1996"
    section: ClassVar[Section] = "letters"

    form: str = parameter("selective", "'selective' takes the least frequent runs, 'full' all")
    letters: int = parameter(20, "letters in a run")
    stored: int = parameter(100, "least frequent runs that are stored (selective)")
    searched: int = parameter(1000, "least frequent runs in which those of others are looked for (selective)")
    threshold: float = parameter(0.4, "least share of an article's runs that its container holds")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_choice("form", "selective", "full")
        self._check("letters", 1, 1000)
        self._check("stored", 1, 2**32)
        self._check("searched", 1, 2**32)
        self._check("threshold", 0, 1)
        if self.searched < self.stored:
            raise ParameterError(
                f"{self.name}: searched must be at least what is stored, {self.stored!r}, got {self.searched!r}"
            )

    @property
    def fitted(self) -> bool:
        """See the base. The full form needs no statistics."""
        return self.form == "full" or super().fitted

    @cached_property
    def native(self) -> _core.Detector:
        """See the base."""
        table = None if self.form == "full" else self.table().native
        return _core.Detector(self.name, self.arguments(), table)

    def table(self) -> Frequencies:
        """See the base."""
        table = super().table()
        if self.frequencies is None and not table.sizes["letters"]:
            raise InputError(
                f"{self.idf}: a table with runs of five letters is wanted, this one has none",
                f"make one with: samestory fit NEWS.jsonl --letters -o {self.idf}",
            )
        return table

    def counter(self) -> Counter:
        """See the base."""
        return Counter() if self.form == "full" else super().counter()

    def fit(self, corpus: Iterable[Features]) -> Self:
        """See the base."""
        return self if self.form == "full" else super().fit(corpus)

    def state(self) -> bytes:
        """See the base."""
        return b"" if self.form == "full" else super().state()

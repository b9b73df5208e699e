"""Tweezer: who, where and which organisation, with the words around each name.

    shingle    = p words before a name, the name, s words after it          5NE5: p = s = 5
    signature  = SHA-1(the sorted different shingles, one a line)

`tweezer` compares signatures: equal ones, same story. An article without names is signed by its first and last twenty
words; one without words has no signature. Both shares are 1 or 0.

`tweezer-set`, our extension, keeps the set of shingles and measures how much of one the other has:

    forward = |left ∩ right| / |left|

At least `threshold` of one article in the other: contained; both: near. One name more, or a word changed beside one,
costs a shingle or two and not the whole. Its windows end where sentences do, and shingles of few words are left out;
an article without any other is signed as one without names.

Names that touch are one. Only the text counts, not the title. Languages without rules (all but Turkish, English and
Russian) have no names. `rules="study"` tells Turkish names as the study does.

Keys: the signature; all shingles, of which so many must be shared as the threshold asks of the smaller set. Nothing
is lost.
Uyar (2009), Near-duplicate news detection using named entities, chapter 4. [uyar2009]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from samestory import _core
from samestory.detectors.native import CONTAINMENT, Native
from samestory.detectors.shared_names import Shingle, alone, evidence
from samestory.entities import Recogniser, recogniser
from samestory.entities.recogniser import RULES
from samestory.errors import ParameterError
from samestory.model import Evidence, Features, Kind, Span
from samestory.specs import parameter

if TYPE_CHECKING:
    from samestory.detectors.modelled import Modelled
    from samestory.entities.models import Model


@dataclass(frozen=True)
class NameShingles(Native):
    """What both forms share."""

    p: int = parameter(5, "words before a name")
    s: int = parameter(5, "words after a name")
    window: str = parameter("document", "'sentence': the words around a name end where its sentence does; 'document'")
    mask_figures: bool = parameter(False, "take all figures for the same")
    rules: str = parameter("study", "how Turkish names are told: 'study' (as published), 'extended' (all our rules)")
    gazetteer: str = parameter("", "a file or folder with names of your own")

    def __post_init__(self) -> None:
        self._check("p", 0, 1000)
        self._check("s", 0, 1000)
        self._check_choice("window", "document", "sentence")
        self._check_switch("mask_figures")
        self._check_choice("rules", *RULES)

    @cached_property
    def recogniser(self) -> Recogniser:
        """What tells the names."""
        return recogniser(self.rules, self.gazetteer)

    @cached_property
    def native(self) -> _core.Detector:
        """See the base."""
        return self.native_with(self.recogniser.native)

    def native_with(self, names: _core.Recogniser) -> _core.Detector:
        """The native half, with names told by somebody."""
        return _core.Detector(self.name, self.arguments(), None, names)

    def fingerprint(self) -> str:
        """See the base; other rules or lists make other signatures."""
        return f"{super().fingerprint()}-{self.recogniser.digest.hex()[:8]}"

    def shingles(self, features: Features, names: _core.Recogniser | None = None) -> list[Shingle]:
        """The names of one article with the words around them, in order."""
        if len(features) != 1:
            raise ParameterError(f"{self.name}: one article is wanted, got {len(features)}")
        (text,), (language,) = features.compared, features.languages
        rows = _core.entity_shingles(self.arguments(), names or self.recogniser.native, text, language)
        spans = features.original([Span(start, end) for _, start, end, _, _ in rows])
        named = features.original([Span(first, last) for _, _, _, first, last in rows])
        return [Shingle(words, span, name) for (words, *_), span, name in zip(rows, spans, named, strict=True)]

    def explain(self, left: Features, right: Features) -> list[Evidence]:
        """The names that both have in the same words, with those words."""
        return evidence(left, right, self.shingles)

    def alone(self, left: Features, right: Features, evidence: Sequence[Evidence]) -> tuple[list[Span], list[Span]]:
        """The names of each that the other has in other words, or not at all."""
        return alone(left, right, evidence, self.shingles)

    def named_by(self, model: Model) -> Modelled:
        """This detector with names told by a model."""
        from samestory.detectors.modelled import Modelled

        return Modelled(self, model)


@dataclass(frozen=True)
class Tweezer(NameShingles):
    """Finds articles in which the same names stand in the same words.

    >>> str(Tweezer(p=3, s=3))
    'tweezer(p=3, s=3)'
    """

    name: ClassVar[str] = "tweezer"
    sees: ClassVar[str] = "articles with the same names in the same words"
    shares: ClassVar[str] = "of their signatures are equal"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "uyar2009"


@dataclass(frozen=True)
class TweezerSet(NameShingles):
    """Finds articles most of whose names stand in the same words in another.

    >>> str(TweezerSet(threshold=0.5))
    'tweezer-set(threshold=0.5)'
    """

    name: ClassVar[str] = "tweezer-set"
    sees: ClassVar[str] = "articles most of whose names stand in the same words in another"
    shares: ClassVar[str] = "of the names of {one}, with the words around them, are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    cuts_shares: ClassVar[bool] = True
    paper: ClassVar[str] = "uyar2009"

    window: str = parameter("sentence", "'sentence': the words around a name end where its sentence does; 'document'")
    rules: str = parameter("extended", "how Turkish names are told: 'study' (as published), 'extended' (all our rules)")
    least: int = parameter(5, "shingles of fewer words are left out: a name alone in its sentence is everywhere")
    threshold: float = parameter(0.3, "least share of an article's names that the other has in the same words")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check("least", 1, 1000)
        self._check("threshold", 0, 1)

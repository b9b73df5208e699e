"""Tweezer: names of people, places and organisations, with the words around each.

    shingle    = p words before a name, the name, s words after it          5NE5: p = s = 5
    signature  = SHA-1(the distinct shingles, sorted, one per line)

`tweezer` relates articles with equal signatures. The signature of an article without names is that of its first and
last twenty words; an article without words has none. Both shares are 1 or 0.

`tweezer-set`, our extension, keeps the set of shingles and measures containment:

    forward = |left ∩ right| / |left|

At least `threshold` of one article in the other: contained; both: near. An additional name, or a changed word next to
one, changes a shingle or two and not the whole signature. Its windows end at sentence boundaries, and shingles of few
words are ignored; an article without other shingles is treated as one without names.

Adjacent names are merged. Only the text counts, not the title. Languages without rules (all but Turkish, English and
Russian) have no names. `rules="study"` recognises Turkish names as in the study.

Keys: the signature; or all shingles, with the required overlap that follows from the threshold and the smaller set. No
related pair is missed.
Uyar (2009), Near-duplicate news detection using named entities, chapter 4. [uyar2009]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from samestory import _core
from samestory.detectors.native import CONTAINMENT, Native
from samestory.detectors.shared_names import Shingle, alone, evidence
from samestory.entities import Recogniser, recogniser
from samestory.entities.recogniser import RULES
from samestory.errors import ParameterError
from samestory.model import Evidence, Features, Kind, Span
from samestory.specs import SHARE, Range, parameter

if TYPE_CHECKING:
    from samestory.detectors.modelled import Modelled
    from samestory.entities.models import Model


def _window(default: str) -> Any:
    meaning = "end of the words around a name: 'sentence' (its boundaries) or 'document'"
    return parameter(default, meaning, ("document", "sentence"))


def _rules(default: str) -> Any:
    meaning = "recognition of Turkish names: 'study' (as published), 'extended' (all our rules)"
    return parameter(default, meaning, tuple(RULES))


@dataclass(frozen=True)
class NameShingles(Native):
    """The common base of both variants."""

    p: int = parameter(5, "words before a name", Range(0, 1000))
    s: int = parameter(5, "words after a name", Range(0, 1000))
    window: str = _window("document")
    mask_figures: bool = parameter(False, "treat all figures as equal")
    rules: str = _rules("study")
    gazetteer: str = parameter("", "a file or folder with your own names")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.gazetteer, str):
            raise ParameterError(f"{self.name}: gazetteer must be a text, got {self.gazetteer!r}")

    @cached_property
    def recogniser(self) -> Recogniser:
        """The recogniser of names."""
        return recogniser(self.rules, self.gazetteer)

    @cached_property
    def native(self) -> _core.detectors.Detector:
        return self.native_with(self.recogniser.native)

    def native_with(self, names: _core.html.Recogniser) -> _core.detectors.Detector:
        """Returns the native detector with a recogniser of names."""
        return _core.detectors.Detector(self.name, self.arguments(), None, names)

    def fingerprint(self) -> str:
        """Returns a hash of the parameters and of the rules and lists of names."""
        return f"{super().fingerprint()}-{self.recogniser.digest.hex()[:8]}"

    def shingles(self, features: Features, native: _core.detectors.Detector | None = None) -> list[Shingle]:
        """Returns the names of one article with the words around them, in order.

        `native`: this detector with another recogniser of names.
        """
        if len(features) != 1:
            raise ParameterError(f"{self.name}: expected one article, got {len(features)}")
        (text,), (language,) = features.compared, features.languages
        parts = (native or self.native).parts(text, language)
        spans = features.original([Span(part.start, part.end) for part in parts])
        named = features.original([Span(*part.name) for part in parts])
        return [Shingle(part.text, span, name) for part, span, name in zip(parts, spans, named, strict=True)]

    def explain(self, left: Features, right: Features) -> list[Evidence]:
        """Returns the names that both have in the same words, with those words."""
        return evidence(left, right, self.shingles)

    def alone(self, left: Features, right: Features, evidence: Sequence[Evidence]) -> tuple[list[Span], list[Span]]:
        """Returns the names of each article that the other lacks in these words."""
        return alone(left, right, evidence, self.shingles)

    def named_by(self, model: Model) -> Modelled:
        """Returns this detector with the names of a model."""
        from samestory.detectors.modelled import Modelled

        return Modelled(self, model)


@dataclass(frozen=True)
class Tweezer(NameShingles):
    """Finds articles with the same names in the same words.

    >>> str(Tweezer(p=3, s=3))
    'tweezer(p=3, s=3)'
    """

    name: ClassVar[str] = "tweezer"
    summary: ClassVar[str] = "articles with the same names in the same words"
    share_phrase: ClassVar[str] = "of their signatures are equal"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "uyar2009"


@dataclass(frozen=True)
class TweezerSet(NameShingles):
    """Finds articles most of whose names are in another one, in the same words.

    >>> str(TweezerSet(threshold=0.5))
    'tweezer-set(threshold=0.5)'
    """

    name: ClassVar[str] = "tweezer-set"
    summary: ClassVar[str] = "articles most of whose names are in another one, in the same words"
    share_phrase: ClassVar[str] = "of the names of {one}, with the words around them, are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    threshold_per_share: ClassVar[bool] = True
    paper: ClassVar[str] = "uyar2009"

    window: str = _window("sentence")
    rules: str = _rules("extended")
    least: int = parameter(5, "ignore shingles of fewer words, such as a name alone in its sentence", Range(1, 1000))
    threshold: float = parameter(0.3, "least share of an article's names that the other has in the same words", SHARE)

"""The one interface: features to signatures, signatures to keys, pairs of signatures to overlaps.

A signature is bytes, a key is a signed 64-bit integer. Two articles are candidates when they share enough keys. A
detector holds no articles: what `compare` needs, `sign` puts in the signature.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from samestory.model import Evidence, Features, Kind, Overlap, Overlaps, Pairs, Ragged, Signatures, Span
from samestory.specs import Spec
from samestory.text import missing, shared_passages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Sample:
    """Articles of a collection, signed by a detector: those with the smallest hashes of their ids (`_core.drawn`)."""

    ids: Sequence[str]
    signatures: Signatures
    sources: Sequence[int]
    """Hashes of the sources (`_core.source_hash`)."""
    total: int
    """Articles of the whole collection."""
    as_is: bool = False
    """Texts are compared as they are, without repairs."""


class Detector(Spec, ABC):
    """A method. Subclasses are frozen dataclasses: their fields are its parameters, checked once, never changed."""

    sees: ClassVar[str]
    """What it finds, in a few words, for tables."""
    shares: ClassVar[str] = "of {one} is in {other}"
    """What a share is, said behind its number. Where both are the same share, neither article stands there."""
    reports: ClassVar[frozenset[Kind]]
    """The kinds of relation it tells apart (updates aside: those follow from source and time)."""

    cuts_shares: ClassVar[bool] = False
    """Does its threshold cut each share by itself? Then a pair that is near may be a part and its whole further up."""
    strict: ClassVar[bool] = False
    """Must a share be above the threshold, or is it enough to reach it?"""
    paper: ClassVar[str] = ""
    """Where it comes from: a key of docs/references.bib."""
    grouping: ClassVar[str] = "star"
    """How related articles become groups, unless somebody says otherwise."""

    @abstractmethod
    def sign(self, features: Features) -> Signatures:
        """One signature an article."""

    @abstractmethod
    def keys(self, signatures: Signatures) -> Ragged:
        """Where to file each; an article without words is filed nowhere."""

    @abstractmethod
    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        """What the rows of `left` and `right` named by the pairs have in common.

        Who has nothing in common is not related, however low the threshold: no key would bring them together.
        """

    @property
    def ceiling(self) -> int:
        """The most articles that may share a key before it is passed over, and counted (0: no limit)."""
        return 0

    def quorum(self, fewer: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many keys two articles must share, the one with fewer keys having so many."""
        import numpy as np

        return np.minimum(fewer, 1)

    def admits(
        self, left: Signatures, right: Signatures, pairs: Pairs, shared: NDArray[np.int64], fewer: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Which candidates that reach the quorum are worth comparing."""
        import numpy as np

        return np.ones(len(shared), np.bool_)

    def probes(self, signatures: Signatures) -> Ragged:
        """Where to look for each; as symmetric as filing."""
        return self.keys(signatures)

    def pairs(self, signatures: Signatures, since: int = 0) -> Iterator[Pairs] | None:
        """The pairs of a batch that are worth comparing, where a detector knows them without keys; else None.

        Left is the later of two rows, and not before the row `since`. What `compare` relates is among them.
        """
        return None

    def links(self, signatures: Signatures) -> Pairs | None:
        """Of the related pairs of a batch as few as hang together as all of them do, where it knows them; else None."""
        return None

    def load(self) -> None:
        """Loads what it needs from elsewhere, so that what is missing is told before the work begins."""

    @property
    def fitted(self) -> bool:
        """Has it all the statistics it needs?"""
        return True

    def fit(self, corpus: Iterable[Features]) -> Self:
        """A new detector with the statistics of a corpus, for methods that have any."""
        return self

    @property
    def calibrates(self) -> bool:
        """Whether its decisions depend on the collection: on how similar unrelated articles are there, and how many."""
        return False

    def calibrate(self, sample: Sample) -> Self:
        """A copy that is calibrated on a sample of a collection."""
        return self

    @property
    def is_calibrated(self) -> bool:
        """Whether it was calibrated on a collection."""
        return self.calibrates and bool(self.state())

    def apply_calibration(self, signatures: Signatures) -> Signatures:
        """The same signatures with their calibrated fields filled in; none of them changes its length."""
        return signatures

    def with_boilerplate(self, signatures: Signatures) -> Sequence[int]:
        """The rows of the articles with boilerplate that comparisons leave out."""
        return ()

    def state(self) -> bytes:
        """Those statistics."""
        return b""

    def restore(self, state: bytes) -> Self:
        """This detector with statistics that were saved."""
        return self

    def explain(self, left: Features, right: Features) -> list[Evidence]:
        """What two articles have in common, as places in their texts."""
        return shared_passages(left, right)

    def alone(self, left: Features, right: Features, evidence: Sequence[Evidence]) -> tuple[list[Span], list[Span]]:
        """What each of two articles has alone, as places in its text."""
        return missing(left, (e.left for e in evidence)), missing(right, (e.right for e in evidence))

    def reasons(self, left: Features, right: Features) -> tuple[str, ...]:
        """What else speaks for and against one story, in words: what a detector goes by that no passage shows."""
        return ()

    def decided(self, left: Features, right: Features) -> str | None:
        """Why two articles are not related that have enough in common, in words; None where that is not why."""
        return None

    def told(self, overlap: Overlap, left: str, right: str) -> str:
        """The shares of two articles in words.

        >>> from samestory import parse
        >>> parse("ffp").told(Overlap(1.0, 0.25), "a", "b")
        '100 % of the word runs of a are in b, 25 % of the word runs of b are in a'
        >>> parse("simhash").told(Overlap(0.75, 0.75), "a", "b")
        '75 % of their bits agree'
        """
        sides = [(overlap.forward, left, right), (overlap.backward, right, left)]
        return ", ".join(dict.fromkeys(f"{100 * s:.0f} % {self.shares.format(one=a, other=b)}" for s, a, b in sides))

    def fingerprint(self) -> str:
        """Changes when any parameter or statistic does."""
        import hashlib

        # a calibration changes decisions, and no stored signature becomes unreadable by it
        statistics = b"" if self.calibrates else self.state()
        whole = f"{self.name}({self.parameters(defaults=True)})".encode() + statistics
        return hashlib.sha256(whole).hexdigest()[:16]

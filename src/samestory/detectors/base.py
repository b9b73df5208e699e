"""The interface of detectors: features to signatures, signatures to keys, pairs of signatures to overlaps.

A signature is bytes, a key is a signed 64-bit integer. Two articles are candidates if they share enough keys. A
detector stores no articles: everything that `compare` needs is in the signatures.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from samestory import _core
from samestory.detectors.engine import EngineDetector, Sample, limited_to
from samestory.detectors.entry_points import spec_name
from samestory.detectors.user_errors import reported
from samestory.model import Evidence, Features, Kind, Overlap, Overlaps, Pairs, Ragged, Signatures, Span
from samestory.specs import Spec
from samestory.text import missing, shared_passages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Detector(Spec, ABC):
    """A method of detection. Subclasses are frozen dataclasses whose fields are the parameters, checked on creation."""

    summary: ClassVar[str] = ""
    """What it detects, in a few words, for tables."""
    share_phrase: ClassVar[str] = "of {one} is in {other}"
    """The meaning of a share, to be printed after its number. If both shares are equal, it names neither article."""
    reports: ClassVar[frozenset[Kind]]
    """The kinds of relations that it distinguishes. UPDATE is not among them: it follows from source and time."""

    threshold_per_share: ClassVar[bool] = False
    """Whether the threshold applies to each share separately: at a higher threshold, a NEAR pair may be PART_OF."""
    strict: ClassVar[bool] = False
    """Whether a share must exceed the threshold; otherwise it is enough to reach it."""
    signs_exactly: ClassVar[bool] = False
    """Whether a text always has the same signature, byte for byte; a model of sentences may round in another way."""
    recalibrates: ClassVar[bool] = False
    """Whether signatures of an earlier calibration calibrate it like new ones, if it calibrates."""
    has_segments: ClassVar[bool] = False
    """Whether the index of an archive writes its articles to segments; otherwise it has all of them in memory."""
    samples_long_lists: ClassVar[bool] = False
    """Whether a sample of the articles of a key above the ceiling makes candidates; otherwise none of them does."""
    paper: ClassVar[str] = ""
    """Its source: a key of docs/references.bib."""
    grouping: ClassVar[str] = "star"
    """The default method of grouping."""

    _row_format: ClassVar[bytes] = b"1"
    """Version of the rows in stores; changes the fingerprint."""

    @abstractmethod
    def sign(self, features: Features) -> Signatures:
        """Returns one signature for every article; an empty one for an article without usable words."""

    @abstractmethod
    def keys(self, signatures: Signatures) -> Ragged:
        """Returns the posting keys of every signature; none for an article without words."""

    @abstractmethod
    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        """Compares pairs of rows of `left` and `right`.

        Articles that share no key are not related, however low the threshold.
        """

    @property
    def ceiling(self) -> int:
        """The longest posting list that is used for candidates (0: no limit)."""
        return 0

    def quorum(self, fewer: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns how many keys two articles must share, given the smaller of their numbers of keys."""
        import numpy as np

        return np.minimum(fewer, 1)

    def admits(
        self, left: Signatures, right: Signatures, pairs: Pairs, shared: NDArray[np.int64], fewer: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Returns which of the candidates that reach the quorum are compared."""
        import numpy as np

        return np.ones(len(shared), np.bool_)

    def pairs(self, signatures: Signatures, since: int = 0) -> Iterator[Pairs] | None:
        """Returns the candidate pairs of a batch for detectors that find them without keys; None for all others.

        Left is the later of two rows and not before the row `since`. All related pairs are among the candidates.
        """
        return None

    def links(self, signatures: Signatures) -> Pairs | None:
        """Returns a spanning forest of the related pairs of a batch if the detector can find one; None otherwise."""
        return None

    def load(self) -> None:
        """Loads models and other files, so that a missing one is reported before the work begins."""

    @cached_property
    def native(self) -> _core.detectors.Detector:
        """The detector as the native engine calls it."""
        from samestory.detectors.adapter import Adapter

        has_pairs = type(self).pairs is not Detector.pairs
        has_admits = type(self).admits is not Detector.admits
        return _core.detectors.Detector("python", {}, inner=Adapter(self, has_pairs, has_admits))

    @property
    def engine(self) -> EngineDetector:
        """The detector by the rows of the native engine."""
        return EngineDetector(self.native)

    @property
    def days_limit(self) -> int | None:
        """Most days between two related articles with dates; None without a limit."""
        days = getattr(self, "days", None)
        return days if isinstance(days, int) and Kind.SAME_EVENT in self.reports else None

    def within(self, days: int | None) -> Self:
        """Returns this detector with a limit of days between related articles; itself without a limit."""
        if days is None:
            return self
        limited = copy(self)
        # the cache of `native`
        limited.__dict__["native"] = limited_to(self.native, days)
        return limited

    def signature_rows(self, features: Features) -> Signatures:
        """Returns the signatures of articles as rows of the native engine."""
        import numpy as np

        with reported(self, "sign"):
            signatures = self.sign(features)
        with reported(self, "keys"):
            keys = self.keys(signatures)
        signed = [*signatures.columns, keys.values.astype(np.int64), keys.offsets]
        return Signatures.from_core(self.native.sign([], signed=signed))

    def malformed_rows(self, rows: Signatures) -> Sequence[int]:
        """Returns the positions of the rows of the engine, read from a store, that are no signatures."""
        from samestory.detectors.stored_rows import malformed

        return malformed(self, rows)

    def is_signature(self, signature: bytes) -> bool:
        """Returns whether bytes from a store can be one of its signatures: any, unless a detector knows better."""
        return True

    def counter(self) -> Any:
        """Returns a collector of the statistics that it needs before it signs; `weighed` uses them."""
        from samestory.detectors.adapter import FeatureCollector

        return FeatureCollector()

    def weighed(self, counts: Any) -> Self:
        """Returns this detector with the statistics of its counter."""
        return self.fit(counts)

    @property
    def fitted(self) -> bool:
        """Whether it has all statistics that it needs."""
        return True

    def fit(self, corpus: Iterable[Features]) -> Self:
        """Returns this detector with the statistics of a corpus, for methods that need any."""
        return self

    @property
    def calibrates(self) -> bool:
        """Whether its decisions depend on the collection: how similar unrelated articles are, and how many."""
        return False

    def calibrate(self, sample: Sample) -> Self:
        """Returns this detector, calibrated on a sample of a collection."""
        return self

    @property
    def is_calibrated(self) -> bool:
        """Whether it was calibrated on a collection."""
        return self.calibrates and bool(self.state())

    def apply_calibration(self, signatures: Signatures) -> Signatures:
        """Returns the signatures with their calibrated fields filled in; lengths do not change."""
        return signatures

    def with_boilerplate(self, signatures: Signatures) -> Sequence[int]:
        """Returns the rows of the articles with boilerplate that comparisons ignore."""
        return ()

    def state(self) -> bytes:
        """Returns its statistics."""
        return b""

    def restore(self, state: bytes) -> Self:
        """Returns this detector with statistics from `state`."""
        return self

    def explain(self, left: Features, right: Features) -> list[Evidence]:
        """Returns what two articles have in common, as positions in their texts."""
        return shared_passages(left, right)

    def alone(self, left: Features, right: Features, evidence: Sequence[Evidence]) -> tuple[list[Span], list[Span]]:
        """Returns what only one of two articles has, as positions in its text."""
        return missing(left, (e.left for e in evidence)), missing(right, (e.right for e in evidence))

    def reasons(self, left: Features, right: Features) -> tuple[str, ...]:
        """Returns other evidence for and against one story, in words."""
        return ()

    def decided(self, left: Features, right: Features) -> str | None:
        """Returns why two articles with enough in common are not related, in words; None if there is no such reason."""
        return None

    def describe(self, overlap: Overlap, left: str, right: str) -> str:
        """Returns the shares of two articles in words.

        >>> from samestory import parse
        >>> parse("ffp").describe(Overlap(1.0, 0.25), "a", "b")
        '100 % of the word runs of a are in b, 25 % of the word runs of b are in a'
        >>> parse("simhash").describe(Overlap(0.75, 0.75), "a", "b")
        '75 % of their bits agree'
        """
        sides = [(overlap.forward, left, right), (overlap.backward, right, left)]
        return ", ".join(
            dict.fromkeys(f"{100 * s:.0f} % {self.share_phrase.format(one=a, other=b)}" for s, a, b in sides)
        )

    def fingerprint(self) -> str:
        """Returns a hash of the parameters and statistics on which signatures depend."""
        import hashlib

        # a calibration changes decisions, but no stored signature becomes unreadable by it
        statistics = b"" if self.calibrates else self.state()
        whole = f"{self.name}({self.parameters(defaults=True)})".encode() + self._row_format + statistics
        return hashlib.sha256(whole).hexdigest()[:16]

    def __str__(self) -> str:
        return f"{spec_name(type(self))}({self.parameters(defaults=False)})"

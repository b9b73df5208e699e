"""The one interface: features to signatures, signatures to keys, pairs of signatures to overlaps.

A signature is bytes, a key is a signed 64-bit integer. Two articles are candidates when they share enough keys. A
detector holds no articles: what `compare` needs, `sign` puts in the signature.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, ClassVar, Self

from samestory.errors import ParameterError
from samestory.model import Evidence, Features, Kind, Overlaps, Pairs, Ragged, Signatures
from samestory.text import shared_passages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Detector(ABC):
    """A method. Subclasses are frozen dataclasses: their fields are its parameters, checked once, never changed."""

    name: ClassVar[str]
    """The word used in specs."""
    sees: ClassVar[str]
    """What it finds, in a few words, for tables."""
    reports: ClassVar[frozenset[Kind]]
    """The kinds of relation it tells apart (updates aside: those follow from source and time)."""

    @abstractmethod
    def sign(self, features: Features) -> Signatures:
        """One signature an article."""

    @abstractmethod
    def keys(self, signatures: Signatures) -> Ragged:
        """Where to file each; an article without words is filed nowhere."""

    @abstractmethod
    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        """What the rows of `left` and `right` named by the pairs have in common."""

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

    def fit(self, corpus: Iterable[Features]) -> Self:
        """A new detector with the statistics of a corpus, for methods that have any."""
        return self

    def state(self) -> bytes:
        """Those statistics."""
        return b""

    def restore(self, state: bytes) -> Self:
        """This detector with statistics that were saved."""
        return self

    def explain(self, left: Features, right: Features) -> list[Evidence]:
        """What two articles have in common, as places in their texts."""
        return shared_passages(left, right)

    def fingerprint(self) -> str:
        """Changes when any parameter or statistic does."""
        import hashlib

        whole = f"{self.name}({self._parameters(defaults=True)})".encode() + self.state()
        return hashlib.sha256(whole).hexdigest()[:16]

    def _parameters(self, defaults: bool) -> str:
        shown = []
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.repr and (defaults or value != field.default):
                shown.append(f"{field.name}={value!r}")
        return ", ".join(shown)

    def __str__(self) -> str:
        return f"{self.name}({self._parameters(defaults=False)})"

    def _check(self, name: str, least: float, most: float) -> None:
        """Refuses a parameter outside its range."""
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            wanted = f"at least {least:g}" if most == float("inf") else f"in [{least:g}, {most:g}]"
            raise ParameterError(f"{self.name}: {name} must be {wanted}, got {value!r}")
        kind: type = type(next(f.default for f in fields(self) if f.name == name))  # type: ignore[arg-type]
        if kind is int and not isinstance(value, int):
            raise ParameterError(f"{self.name}: {name} must be a whole number, got {value!r}")
        # 1 and 1.0 are one parameter, and must read and hash as one
        object.__setattr__(self, name, kind(value))

    def _check_switch(self, name: str) -> None:
        """Refuses what is neither True nor False."""
        if not isinstance(getattr(self, name), bool):
            raise ParameterError(f"{self.name}: {name} must be True or False, got {getattr(self, name)!r}")
